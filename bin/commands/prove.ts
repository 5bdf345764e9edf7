import { SystemStack } from '../../constructs/aws';
import type { TemplateJson } from '../../lib/cloudformation/tables';
import type { SystemDesign } from '../../lib/design/system';
import type { Engine } from '../../lib/engine/engine';
import { type Proof, prove as proofs } from '../../lib/proof/prove';
import { systems } from '../../lib/systems';
import { cases } from '../../lib/systems/cases';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { printerOf } from './prove-report';

export const prove: Command = {
  usage: '[system …] [--endpoint http://…] [--format text|json]',
  summary: 'runs every access pattern on a real engine, on the tables of the template; exit code 1 if one fails',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { format: { type: 'string' }, endpoint: { type: 'string' } });
    const printer = printerOf(readChoice('--format', values.format, ['text', 'json']), terminal);
    const chosen = systemsNamed(positionals);
    const engine = await startEngine(values.endpoint);
    try {
      printer.start(engine.name);
      let failures = 0;
      for (const system of chosen) {
        for await (const proof of proofsOf(engine, system)) {
          printer.proof(proof);
          if (proof.failure !== undefined) failures++;
        }
      }
      printer.end();
      return failures === 0 ? 0 : 1;
    } finally {
      await engine.stop();
    }
  },
};

const ENVIRONMENT = 'dev';

function proofsOf(engine: Engine, system: SystemDesign): AsyncIterable<Proof> {
  const found = cases[system.name];
  if (found === undefined) throw new Error(`system '${system.name}' has no cases`);
  return proofs(engine, { system, cases: found, template: synthesize(system), environment: ENVIRONMENT });
}

/** The template that would be deployed, not the design: so that a wrong template cannot pass. */
function synthesize(design: SystemDesign): TemplateJson {
  process.env.CDK_VALIDATION ??= 'false';
  const { App } = require('aws-cdk-lib/core') as typeof import('aws-cdk-lib/core');
  const app = new App({ analyticsReporting: false });
  const { stackName } = new SystemStack(app, `${design.name}-${ENVIRONMENT}`, { design, environment: ENVIRONMENT });
  return app.synth().getStackByName(stackName).template;
}

function systemsNamed(names: readonly string[]): readonly SystemDesign[] {
  if (names.length === 0) return Object.values(systems);
  return names.map((name) => {
    if (Object.hasOwn(systems, name)) return systems[name] as SystemDesign;
    throw new UsageError(`'${name}' is no system; the systems are ${Object.keys(systems).join(', ')}`);
  });
}

async function startEngine(endpoint: string | undefined): Promise<Engine> {
  if (endpoint === undefined) return (await import('../../lib/engine/embedded')).embeddedEngine();
  return (await import('../../lib/engine/dynamodb')).dynamoDbEngine(endpoint === 'aws' ? {} : { endpoint });
}

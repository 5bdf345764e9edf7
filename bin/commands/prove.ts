import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environments, SystemStack } from '../../constructs/aws';
import type { TemplateJson } from '../../lib/cloudformation/tables';
import type { SystemDesign } from '../../lib/design/system';
import type { Engine } from '../../lib/engine/engine';
import { type Proof, prove as proofs } from '../../lib/proof/prove';
import { systems, systemsOf } from '../../lib/systems';
import { cases } from '../../lib/systems/cases';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { printerOf } from './prove-report';

export const prove: Command = {
  usage: '[system …] [--endpoint http://…|aws] [--format text|json]',
  summary: 'runs every access pattern on a real engine, on the tables of the template; exit code 1 if one fails',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { format: { type: 'string' }, endpoint: { type: 'string' } });
    const printer = printerOf(readChoice('--format', values.format, ['text', 'json']), terminal);
    const chosen = systemsNamed(positionals);
    const engine = await startEngine(values.endpoint);
    const wasInterrupted = watchInterrupt(values.endpoint);
    try {
      printer.start(engine.name, chosen.flatMap(namesIn).length);
      let failures = 0;
      for (const system of chosen) {
        for await (const proof of proofsOf(engine, system, (name) => printer.next(system.name, name))) {
          printer.proof(proof);
          if (proof.failure !== undefined) failures++;
          if (wasInterrupted()) return 130;
        }
      }
      printer.end();
      return failures === 0 ? 0 : 1;
    } finally {
      await engine.stop();
    }
  },
};

function namesIn({ tables, procedures = {} }: SystemDesign): readonly string[] {
  return [...Object.values(tables).flatMap(({ patterns = {} }) => Object.keys(patterns)), ...Object.keys(procedures)];
}

/**
 * An environment of its own: whatever the endpoint, no table that is deployed has its name, and so none is touched. But
 * for the name, the templates are those of dev.
 */
const ENVIRONMENT = { ...environments.dev, name: `proof-${randomBytes(4).toString('hex')}` };

function proofsOf(engine: Engine, system: SystemDesign, started: (name: string) => void): AsyncIterable<Proof> {
  const found = cases[system.name];
  if (found === undefined) throw new Error(`system '${system.name}' has no cases`);
  const template = synthesize(system);
  return proofs(engine, { system, cases: found, template, environment: ENVIRONMENT.name, started });
}

/** The template that would be deployed, not the design: so that a wrong template cannot pass. */
function synthesize(design: SystemDesign): TemplateJson {
  process.env.CDK_VALIDATION ??= 'false';
  const { App } = require('aws-cdk-lib/core') as typeof import('aws-cdk-lib/core');
  const outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
  try {
    const app = new App({ analyticsReporting: false, outdir });
    const { stackName } = new SystemStack(app, design.name, { design, environment: ENVIRONMENT });
    return app.synth().getStackByName(stackName).template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** An embedded engine ends with ctrl-C; elsewhere, the tables are dropped first, unless ctrl-C is pressed again. */
function watchInterrupt(endpoint: string | undefined): () => boolean {
  let isInterrupted = false;
  if (endpoint !== undefined) {
    process.once('SIGINT', () => {
      isInterrupted = true;
    });
  }
  return () => isInterrupted;
}

function systemsNamed(names: readonly string[]): readonly SystemDesign[] {
  if (names.length === 0) return systemsOf('aws');
  return names.map((name) => {
    if (Object.hasOwn(systems, name)) return systems[name] as SystemDesign;
    throw new UsageError(`'${name}' is no system; the systems are ${Object.keys(systems).join(', ')}`);
  });
}

async function startEngine(endpoint: string | undefined): Promise<Engine> {
  if (endpoint === undefined) return (await import('../../lib/engine/embedded')).embeddedEngine();
  const isAws = endpoint === 'aws';
  if (!isAws && !(/^https?:\/\/./.test(endpoint) && URL.canParse(endpoint))) {
    throw new UsageError(`--endpoint must be a URL such as http://localhost:8000, or aws, got: '${endpoint}'`);
  }
  const { dynamoDbEngine } = await import('../../lib/engine/dynamodb');
  return dynamoDbEngine(isAws ? {} : { endpoint }).catch((error: Error) => {
    const advice = isAws ? 'sign in and choose a region' : 'start one there, such as DynamoDB Local';
    throw new Error(`${error.message}; ${advice}, or leave --endpoint out to use the embedded engine`);
  });
}

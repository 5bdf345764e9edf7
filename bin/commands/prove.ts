import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environments, SystemStack } from '../../constructs/aws';
import type { TemplateJson } from '../../lib/cloudformation/tables';
import type { SystemDesign } from '../../lib/design/system';
import { type Proof, prove as proofs } from '../../lib/proof/prove';
import { systems } from '../../lib/systems';
import { cases } from '../../lib/systems/cases';
import { readStack, type TerraformJson } from '../../lib/terraform/tables';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { type Engines, startEngines } from './prove-engines';
import { printerOf } from './prove-report';

const OPTIONS = {
  format: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  terraform: { type: 'string' },
} as const;

export const prove: Command = {
  usage: '[system …] [--endpoint http://…|aws] [--azure-endpoint connection] [--terraform folder] [--format text|json]',
  summary: 'runs every access pattern on a real engine, on the tables of the template; exit code 1 if one fails',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const printer = printerOf(readChoice('--format', values.format, ['text', 'json']), terminal);
    const chosen = systemsNamed(positionals);
    const templates = chosen.map((system) => templateOf(system, values.terraform));
    const engines = await startEngines(chosen, values);
    const wasInterrupted = watchInterrupt(values.endpoint ?? values['azure-endpoint']);
    try {
      printer.start(engines.name, chosen.flatMap(namesIn).length);
      let failures = 0;
      for (const [i, system] of chosen.entries()) {
        const started = (name: string) => printer.next(system.name, name);
        for await (const proof of proofsOf(engines, system, templates[i] as TemplateJson, started)) {
          printer.proof(proof);
          if (proof.failure !== undefined) failures++;
          if (wasInterrupted()) return 130;
        }
      }
      printer.end();
      return failures === 0 ? 0 : 1;
    } finally {
      await engines.stop();
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

function proofsOf(
  engines: Engines,
  system: SystemDesign,
  template: TemplateJson | TerraformJson,
  started: (name: string) => void,
): AsyncIterable<Proof> {
  const found = cases[system.name];
  if (found === undefined) throw new Error(`system '${system.name}' has no cases`);
  return proofs(engines.of(system), { system, cases: found, template, environment: ENVIRONMENT.name, started });
}

/** What would be deployed, not the design: so that a wrong template cannot pass. */
function templateOf(system: SystemDesign, folder = 'cdktf.out'): TemplateJson | TerraformJson {
  return system.cloud === 'azure' ? readStack(folder, `${system.name}-dev`) : synthesize(system);
}

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
  if (names.length === 0) return Object.values(systems);
  return names.map((name) => {
    if (Object.hasOwn(systems, name)) return systems[name] as SystemDesign;
    throw new UsageError(`'${name}' is no system; the systems are ${Object.keys(systems).join(', ')}`);
  });
}

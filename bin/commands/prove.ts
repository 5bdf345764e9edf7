import { namesIn } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';
import { SIGNALS } from '../../lib/engine/process';
import { fingerprintOf } from '../../lib/proof/fingerprint';
import { type ProofInput, prove as proofs } from '../../lib/proof/prove';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { readProject } from './config';
import { DEMO } from './designs';
import { casesNamed } from './prove-cases';
import { startEngines } from './prove-engines';
import { provePlanned } from './prove-plan';
import { printerOn, type Source } from './prove-report';
import { ENVIRONMENT, staleness, templateFinder } from './prove-template';

const OPTIONS = {
  ...DEMO,
  assembly: { type: 'string' },
  stack: { type: 'string', multiple: true },
  table: { type: 'string', multiple: true },
  terraform: { type: 'string' },
  environment: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  on: { type: 'string' },
  plan: { type: 'string' },
  lock: { type: 'string' },
  before: { type: 'string' },
  migration: { type: 'string' },
} as const;

export const prove: Command = {
  usage: [
    '[system or file …] [--demo] [--plan file [--lock file] [--before file] [--migration file]]',
    '[--assembly folder [--stack name] [--table table=name]] [--terraform folder [--stack name]] [--environment name]',
    '[--endpoint http://…|aws] [--azure-endpoint connection] [--on azure]',
  ].join(' '),
  summary: 'runs every pattern on a real engine; exit code 1 if one fails',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const on = values.on === undefined ? undefined : readChoice('--on', values.on, ['azure']);
    if (values.plan !== undefined && values.environment !== undefined)
      throw new UsageError('--plan already selects one environment; omit --environment');
    if (values.plan !== undefined) return provePlanned(positionals, { ...values, plan: values.plan }, terminal);
    const alone = (['lock', 'before', 'migration'] as const).find((name) => values[name] !== undefined);
    if (alone !== undefined)
      throw new UsageError(`--${alone} needs --plan, such as --plan tablewright/blog.prod.plan.json`);
    const printer = printerOn(terminal);
    const chosen = await casesNamed(positionals, values.demo);
    // The configuration does not apply to named or bundled systems.
    const { assembly, terraform, environment } =
      (positionals.length > 0 || values.demo ? undefined : await readProject()) ?? {};
    const configured = { assembly, terraform, environment };
    const known = Object.entries(configured).filter(([, value]) => value !== undefined);
    const templateOf = templateFinder(
      { ...Object.fromEntries(known), ...values, on, isAsked: values.environment !== undefined },
      chosen.map(({ system }) => system),
    );
    // Finds everything to prove before starting an engine, so that errors are reported early.
    const inputs: ProofInput[] = [];
    const stale = new Map<SystemDesign, string | undefined>();
    const sources: Source[] = [];
    for (const cases of chosen) {
      const { system } = cases;
      const started = (name: string) => printer.next(system.name, name);
      printer.prepare(`finding the tables of ${system.name}`);
      const { template, from, others = [], differences } = await templateOf(system);
      inputs.push({ system, cases, template, environment: ENVIRONMENT, started });
      sources.push([system.name, from, others]);
      stale.set(system, staleness(from, differences));
    }
    const designs = inputs.map(({ system }) => system);
    printer.prepare('starting the engine');
    const engines = await startEngines(designs, { ...values, on });
    const interruptedWith = watchSignals(values.endpoint ?? values['azure-endpoint']);
    try {
      const fingerprints = Object.fromEntries(designs.map((system) => [system.name, fingerprintOf(system)]));
      printer.start(engines.name, sources, designs.flatMap(namesIn).length, fingerprints, on);
      const failed = new Set<SystemDesign>();
      for (const input of inputs) {
        for await (const proof of proofs(engines.of(input.system), input)) {
          printer.proof(proof);
          if (proof.failure !== undefined) failed.add(input.system);
          const code = interruptedWith();
          if (code !== undefined) return code;
        }
      }
      printer.end();
      for (const system of failed) {
        const reason = stale.get(system);
        if (reason !== undefined) terminal.note(`${system.name}: ${reason}`);
      }
      return failed.size === 0 ? 0 : 1;
    } finally {
      await engines.stop();
    }
  },
};

/**
 * With an embedded engine, a signal stops the process immediately. With any other engine, the first signal makes the
 * process drop its tables and exit; a second signal stops it immediately.
 */
function watchSignals(endpoint: string | undefined): () => number | undefined {
  let code: number | undefined;
  for (const [signal, itsCode] of endpoint === undefined ? [] : Object.entries(SIGNALS)) {
    process.once(signal, () => {
      code = itsCode;
    });
  }
  return () => code;
}

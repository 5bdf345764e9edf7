import type { SystemDesign } from '../../lib/design/system';
import type { Engine } from '../../lib/engine/engine';
import { prove as proofs } from '../../lib/proof/prove';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { casesNamed } from './prove-cases';
import { printerOf } from './prove-report';
import { ENVIRONMENT, templateFinder } from './prove-template';

const OPTIONS = {
  assembly: { type: 'string' },
  stack: { type: 'string', multiple: true },
  table: { type: 'string', multiple: true },
  endpoint: { type: 'string' },
  format: { type: 'string' },
} as const;

export const prove: Command = {
  usage:
    '[system or file …] [--assembly folder [--stack name] [--table table=name]] [--endpoint http://…|aws] [--format text|json]',
  summary: 'runs every access pattern on a real engine, on the tables of the template; exit code 1 if one fails',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const printer = printerOf(readChoice('--format', values.format, ['text', 'json']), terminal);
    const chosen = casesNamed(positionals);
    const templateOf = templateFinder(values);
    printer.prepare('starting the engine');
    const engine = await startEngine(values.endpoint);
    const wasInterrupted = watchInterrupt(values.endpoint);
    try {
      printer.start(engine.name, chosen.flatMap(({ system }) => namesIn(system)).length);
      let failures = 0;
      for (const cases of chosen) {
        const { system } = cases;
        const started = (name: string) => printer.next(system.name, name);
        printer.prepare(`finding the tables of ${system.name}`);
        const template = await templateOf(system);
        for await (const proof of proofs(engine, { system, cases, template, environment: ENVIRONMENT, started })) {
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

import type { Proof } from '../../lib/proof/prove';
import type { Terminal } from './command';

/** How proofs are shown while they are made. */
export interface Printer {
  /** @param total how many patterns and procedures are to be proved */
  start(engine: string, total: number): void;
  /** A pattern or procedure that is proved now. */
  next(system: string, name: string): void;
  proof(proof: Proof): void;
  end(): void;
}

export function printerOf(format: 'text' | 'json', terminal: Terminal): Printer {
  return format === 'json' ? jsonPrinter(terminal) : textPrinter(terminal);
}

function jsonPrinter(terminal: Terminal): Printer {
  const all: Proof[] = [];
  let engine = '';
  return {
    start: (name) => {
      engine = name;
    },
    next: () => undefined,
    proof: (proof) => all.push(proof),
    end: () => terminal.line(JSON.stringify({ engine, ...summaryOf(all), proofs: all }, null, 2)),
  };
}

/** The codes that switch a style on and off. */
const STYLES = { bold: [1, 22], red: [31, 39], green: [32, 39] } as const;

function textPrinter(terminal: Terminal): Printer {
  const all: Proof[] = [];
  const paint = (style: keyof typeof STYLES, text: string) => {
    const [on, off] = STYLES[style];
    return terminal.colours ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
  let total = 0;
  let count = 0;
  return {
    start: (engine, expected) => {
      total = expected;
      terminal.line(`engine: ${engine}`);
    },
    next: (system, name) => {
      count++;
      terminal.status?.(`  ${count} of ${total}: ${system} ${name}`);
    },
    proof: (proof) => {
      if (all.at(-1)?.system !== proof.system) terminal.line(paint('bold', proof.system));
      all.push(proof);
      const verdict = proof.failure === undefined ? paint('green', 'ok  ') : paint('red', 'FAIL');
      terminal.line(`  ${verdict} ${columnsOf(proof)}`);
      if (proof.failure !== undefined) terminal.line(`       ${proof.failure}`);
    },
    end: () => {
      const { patterns, procedures, entities, documents, failed, requests, capacity } = summaryOf(all);
      terminal.line(
        `${patterns} patterns, ${procedures} procedures, ${entities} entities and ${documents} documented items: ${failed === 0 ? 'all proved' : `${failed} FAILED`} (${requests} requests, ${capacity} capacity units)`,
      );
    },
  };
}

function columnsOf({ name, operation, requests, items, capacity }: Proof): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const cells = [name.padEnd(30), operation.padEnd(13), count(requests, 'request').padEnd(11), count(items, 'item')];
  return `${cells.join(' ').padEnd(68)} ${count(capacity, 'unit')}`;
}

function summaryOf(all: readonly Proof[]) {
  const count = (test: (proof: Proof) => boolean) => all.filter(test).length;
  const sum = (value: (proof: Proof) => number) => all.reduce((total, proof) => total + value(proof), 0);
  return {
    patterns: count(({ kind }) => kind === 'read' || kind === 'write'),
    procedures: count(({ kind }) => kind === 'procedure'),
    entities: count(({ kind }) => kind === 'entity'),
    documents: count(({ kind }) => kind === 'document'),
    failed: count(({ failure }) => failure !== undefined),
    requests: sum(({ requests }) => requests),
    capacity: sum(({ capacity }) => capacity),
  };
}

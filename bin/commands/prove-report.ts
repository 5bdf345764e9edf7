import type { Proof } from '../../lib/proof/prove';
import type { Terminal } from './command';

/** How proofs are shown while they are made. */
export interface Printer {
  /** Something that takes a moment before it can be proved. */
  prepare(what: string): void;
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
    prepare: () => undefined,
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
  let done = 0;
  return {
    prepare: (what) => terminal.status?.(`  ${what}`),
    start: (engine, expected) => {
      total = expected;
      terminal.line(`engine: ${engine}`);
    },
    next: (system, name) => {
      done++;
      terminal.status?.(`  ${done} of ${total}: ${system} ${name}`);
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
      const items = `${count(entities, 'entity', 'entities')} and ${count(documents, 'documented item')}`;
      const verdict = failed === 0 ? 'all proved' : `${failed} FAILED`;
      const cost = `${count(requests, 'request')}, ${count(capacity, 'capacity unit')}`;
      terminal.line(`${count(patterns, 'pattern')}, ${count(procedures, 'procedure')}, ${items}: ${verdict} (${cost})`);
    },
  };
}

function columnsOf({ name, operation, requests, items, capacity }: Proof): string {
  const cells = [name.padEnd(30), operation.padEnd(13), count(requests, 'request').padEnd(11), count(items, 'item')];
  return `${cells.join(' ').padEnd(68)} ${count(capacity, 'unit')}`;
}

function count(n: number, what: string, several = `${what}s`): string {
  return `${n} ${n === 1 ? what : several}`;
}

function summaryOf(all: readonly Proof[]) {
  const number = (test: (proof: Proof) => boolean) => all.filter(test).length;
  const sum = (value: (proof: Proof) => number) => all.reduce((total, proof) => total + value(proof), 0);
  return {
    patterns: number(({ kind }) => kind === 'read' || kind === 'write'),
    procedures: number(({ kind }) => kind === 'procedure'),
    entities: number(({ kind }) => kind === 'entity'),
    documents: number(({ kind }) => kind === 'document'),
    failed: number(({ failure }) => failure !== undefined),
    requests: sum(({ requests }) => requests),
    capacity: sum(({ capacity }) => capacity),
  };
}

import { counted } from '../../lib/design/show';
import type { Proof } from '../../lib/proof/prove';
import type { Reported, Shown, Terminal } from './command';

/** A system, where its tables come from, and the other environments, whose tables this proof does not use. */
export type Source = readonly [system: string, from: string, others: readonly string[]];

/** Shows proofs while they run. */
export interface Printer {
  /** Shows the current preparation step. */
  prepare(what: string): void;
  /**
   * @param total the number of patterns and procedures to prove
   * @param designs the fingerprint of each system's design
   * @param on the cloud on which every system is proved; undefined if each design uses its own cloud
   */
  start(
    engine: string,
    sources: readonly Source[],
    total: number,
    designs: Readonly<Record<string, string>>,
    on?: 'azure',
  ): void;
  /** Shows the pattern or procedure whose proof is running. */
  next(system: string, name: string): void;
  proof(proof: Proof): void;
  end(): void;
}

export function printerOn(terminal: Terminal): Printer {
  const all: Proof[] = [];
  let about = {};
  let total = 0;
  let done = 0;
  return {
    prepare: (what) => terminal.status(`  ${what}`),
    start: (engine, sources, expected, designs, on) => {
      about = {
        engine,
        ...(on && { on }),
        tables: Object.fromEntries(sources.map(([system, from]) => [system, from])),
        designs,
      };
      total = expected;
      terminal.line(`engine: ${engine}`);
      for (const [system, from, others] of sources) {
        const hint = others.map((other) => `; for ${other}, add --environment ${other}`);
        terminal.line(`tables of ${system}: ${from}${hint.join('')}`);
      }
    },
    next: (system, name) => {
      done++;
      terminal.status(`  ${done} of ${total}: ${system} ${name}`);
    },
    proof: (proof) => {
      const before = all.at(-1);
      if (before?.system !== proof.system) terminal.line({ style: 'bold', text: proof.system });
      all.push(proof);
      terminal.line('  ', verdictOn(proof), ` ${columnsOf(proof)}`);
      // Prints a repeated failure only once: if the tables cannot be filled, every pattern of the system fails in the
      // same way.
      if (before?.failure === proof.failure && before?.system === proof.system) return;
      for (const line of proof.failure?.split('\n') ?? []) terminal.line(`       ${line}`);
    },
    end: () => {
      const { patterns, procedures, entities, documents, failed, unproved, requests, capacity } = summaryOf(all);
      const counts = [
        counted(patterns, 'pattern'),
        ...(procedures > 0 ? [counted(procedures, 'procedure')] : []),
        ...(entities > 0 ? [counted(entities, 'entity', 'entities')] : []),
        ...(documents > 0 ? [counted(documents, 'documented item')] : []),
      ];
      const rest = unproved === 0 ? 'all proved' : `${unproved} NOT PROVED, the rest proved`;
      const verdict = failed === 0 ? rest : `${failed} FAILED${unproved === 0 ? '' : `, ${unproved} NOT PROVED`}`;
      const cost = `${counted(requests, 'request')}, ${counted(capacity, 'capacity unit')}`;
      terminal.line(`${counts.join(', ')}: ${verdict} (${cost})`);
      for (const [reason, names] of reasonsIn(all)) terminal.line(`not proved: ${names.join(', ')}: ${reason}`);
      const unconfirmed = all.filter((proof) => proof.unconfirmed).map(({ name }) => name);
      if (unconfirmed.length > 0)
        terminal.line(
          `${counted(unconfirmed.length, 'case')} UNCONFIRMED: ${unconfirmed.join(', ')}; check that each expected result is correct, then remove 'unconfirmed: true'`,
        );
      terminal.report({ ...about, ...summaryOf(all), proofs: all }, all.flatMap(reportedIn));
    },
  };
}

function reportedIn({ system, name, failure, unproved, unconfirmed }: Proof): readonly Reported[] {
  const about = { design: system, path: name };
  const mark = { code: 'unconfirmed-case', severity: 'warning', ...about, message: UNCONFIRMED } as const;
  if (failure !== undefined) return [{ code: 'case-failed', severity: 'error', ...about, message: failure }];
  return [
    ...(unproved === undefined
      ? []
      : [{ code: 'not-proved', severity: 'warning', ...about, message: unproved } as const]),
    ...(unconfirmed ? [mark] : []),
  ];
}

const UNCONFIRMED =
  "nobody has confirmed the expected result: check that it is correct, then remove 'unconfirmed: true'";

function verdictOn({ failure, unproved }: Proof): Shown {
  if (failure !== undefined) return { style: 'red', text: 'FAIL' };
  return unproved === undefined ? { style: 'green', text: 'ok  ' } : { style: 'yellow', text: 'open' };
}

/** Groups the unproved patterns by reason, because many patterns share a reason. */
function reasonsIn(all: readonly Proof[]): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const { name, unproved } of all) {
    if (unproved === undefined) continue;
    reasons.set(unproved, [...(reasons.get(unproved) ?? []), name]);
  }
  return reasons;
}

function columnsOf({ name, kind, operation, requests, items, capacity }: Proof): string {
  // A write returns no items, so its proof compares the items that are read afterwards.
  const isCompared = kind === 'write' || kind === 'procedure';
  const cells = [
    name.padEnd(30),
    operation.padEnd(13),
    counted(requests, 'request').padEnd(11),
    isCompared ? `${items} compared` : counted(items, 'item'),
  ];
  return `${cells.join(' ').padEnd(68)} ${counted(capacity, 'unit')}`;
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
    unconfirmed: number(({ unconfirmed }) => unconfirmed === true),
    unproved: number(({ unproved }) => unproved !== undefined),
    requests: sum(({ requests }) => requests),
    capacity: sum(({ capacity }) => capacity),
  };
}

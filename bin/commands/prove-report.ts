import { counted } from '../../lib/design/show';
import type { Proof } from '../../lib/proof/prove';
import type { Reported, Shown, Terminal } from './command';

/** Shows proofs while they run. */
export interface Printer {
  /** Shows a preparation that takes a moment. */
  prepare(what: string): void;
  /**
   * @param sources where the tables of each system come from
   * @param total how many patterns and procedures there are to prove
   * @param designs the fingerprint of each system's design
   * @param on the cloud on which every system is proved; undefined for its own
   */
  start(
    engine: string,
    sources: readonly (readonly [system: string, from: string])[],
    total: number,
    designs: Readonly<Record<string, string>>,
    on?: 'azure',
  ): void;
  /** Shows the pattern or procedure that is being proved. */
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
      about = { engine, ...(on && { on }), tables: Object.fromEntries(sources), designs };
      total = expected;
      terminal.line(`engine: ${engine}`);
      for (const [system, from] of sources) terminal.line(`tables of ${system}: ${from}`);
    },
    next: (system, name) => {
      done++;
      terminal.status(`  ${done} of ${total}: ${system} ${name}`);
    },
    proof: (proof) => {
      if (all.at(-1)?.system !== proof.system) terminal.line({ style: 'bold', text: proof.system });
      all.push(proof);
      terminal.line('  ', verdictOn(proof), ` ${columnsOf(proof)}`);
      for (const line of proof.failure?.split('\n') ?? []) terminal.line(`       ${line}`);
    },
    end: () => {
      const { patterns, procedures, entities, documents, failed, unproved, requests, capacity } = summaryOf(all);
      const items = `${counted(entities, 'entity', 'entities')} and ${counted(documents, 'documented item')}`;
      const rest = unproved === 0 ? 'all proved' : `${unproved} NOT PROVED, the rest proved`;
      const verdict = failed === 0 ? rest : `${failed} FAILED${unproved === 0 ? '' : `, ${unproved} NOT PROVED`}`;
      const cost = `${counted(requests, 'request')}, ${counted(capacity, 'capacity unit')}`;
      terminal.line(
        `${counted(patterns, 'pattern')}, ${counted(procedures, 'procedure')}, ${items}: ${verdict} (${cost})`,
      );
      for (const [reason, names] of reasonsIn(all)) terminal.line(`not proved: ${names.join(', ')}: ${reason}`);
      const unconfirmed = all.filter((proof) => proof.unconfirmed).map(({ name }) => name);
      if (unconfirmed.length > 0)
        terminal.line(
          `${counted(unconfirmed.length, 'case')} UNCONFIRMED: ${unconfirmed.join(', ')}; compare each with what it should return, and remove its mark`,
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

const UNCONFIRMED = 'the expected result is what the engine returned when the case was written';

function verdictOn({ failure, unproved }: Proof): Shown {
  if (failure !== undefined) return { style: 'red', text: 'FAIL' };
  return unproved === undefined ? { style: 'green', text: 'ok  ' } : { style: 'yellow', text: 'open' };
}

/** The unproved patterns, grouped by reason because many share the same one. */
function reasonsIn(all: readonly Proof[]): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, string[]>();
  for (const { name, unproved } of all) {
    if (unproved === undefined) continue;
    reasons.set(unproved, [...(reasons.get(unproved) ?? []), name]);
  }
  return reasons;
}

function columnsOf({ name, operation, requests, items, capacity }: Proof): string {
  const cells = [
    name.padEnd(30),
    operation.padEnd(13),
    counted(requests, 'request').padEnd(11),
    counted(items, 'item'),
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

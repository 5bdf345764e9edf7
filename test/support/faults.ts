import { isRead } from '../../lib/blueprint/accesses';
import { patternsNamed } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';

/**
 * What can go wrong with a call: its response is lost (`done`), the call itself is lost, or the call is sent twice, as
 * in an SDK retry.
 */
export const KINDS = ['done', 'lost', 'twice'] as const;
export type Kind = (typeof KINDS)[number];
type AnySend = (...args: never[]) => Promise<unknown>;

/** Wraps `send` so that call number `at` has a fault. */
export function faulty<S extends AnySend>(send: S, at: number, kind: Kind) {
  let calls = 0;
  const through = async (...args: never[]) => {
    if (++calls !== at) return send(...args);
    if (kind === 'lost') throw new Error('the connection was reset');
    await send(...args);
    if (kind === 'twice') return send(...args);
    throw new Error('the connection was reset');
  };
  return { send: through as S, calls: () => calls };
}

/**
 * Runs a task repeatedly, each time with a fault in a different call, until every call has had one. `round` is the
 * number of the faulty call. Returns how many calls had a fault.
 */
export async function atEveryCall<S extends AnySend>(
  send: S,
  kind: Kind,
  run: (send: S, round: number) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at++) {
    const fault = faulty(send, at, kind);
    await run(fault.send, at);
    if (fault.calls() < at) return at - 1;
  }
}

/** Returns 'done' if a task succeeds; otherwise the name of its error, or the message of a plain Error. */
export const outcomeOf = (doing: Promise<unknown>) =>
  doing.then(
    () => 'done',
    ({ name, message }: Error) => (name === 'Error' ? message : name),
  );

/** Returns a system's procedures that write. */
function writingProcedures(system: SystemDesign): readonly string[] {
  return Object.keys(system.procedures ?? {}).filter((name) =>
    patternsNamed(system, [name]).some(({ patterns }) => patterns.some(({ design }) => !isRead(design))),
  );
}

/** Records which procedures have a test, so that `expectAll` can report untested procedures. */
export function testedProcedures(system: SystemDesign) {
  const tested = new Set<string>();
  return {
    /** Records the procedures that a test covers, and returns their names for the test title. */
    of(...names: readonly string[]): string {
      for (const name of names) tested.add(name);
      return names.join(' and ');
    },
    expectAll: () => expect([...tested].toSorted()).toEqual([...writingProcedures(system)].toSorted()),
  };
}

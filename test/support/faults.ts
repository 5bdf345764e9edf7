import { isRead } from '../../lib/blueprint/accesses';
import { patternsNamed } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';

/** What may become of a call: it is done and its answer lost, lost itself, or sent twice, as the SDK does. */
export const KINDS = ['done', 'lost', 'twice'] as const;
export type Kind = (typeof KINDS)[number];
type AnySend = (...args: never[]) => Promise<unknown>;

/** A way to send on which something becomes of one call, by its number. */
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

/** Runs something once for each of its calls, with that call at fault; every round has a number of its own. */
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

/** What came of something: 'done', or the name of its error. */
export const outcomeOf = (doing: Promise<unknown>) =>
  doing.then(
    () => 'done',
    ({ name, message }: Error) => (name === 'Error' ? message : name),
  );

/** The procedures of a system that write. */
function writingProcedures(system: SystemDesign): readonly string[] {
  return Object.keys(system.procedures ?? {}).filter((name) =>
    patternsNamed(system, [name]).some(({ patterns }) => patterns.some(({ design }) => !isRead(design))),
  );
}

/** Keeps the names of the procedures that tests are of, so that none is forgotten. */
export function testedProcedures(system: SystemDesign) {
  const tested = new Set<string>();
  return {
    /** The procedures that a test is of, for its title. */
    of(...names: readonly string[]): string {
      for (const name of names) tested.add(name);
      return names.join(' and ');
    },
    expectAll: () => expect([...tested].toSorted()).toEqual([...writingProcedures(system)].toSorted()),
  };
}

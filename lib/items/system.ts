import type { SystemDesign, TablePatternName } from '../design/system';

/** A procedure: a function of its system's client and the caller's arguments. */
export type Procedure = (client: never, ...given: never[]) => unknown;

/** The functions of a system's procedures, by procedure name. */
export type ProceduresOf<S extends SystemDesign> = { readonly [P in keyof S['procedures']]?: Procedure };

/** The procedures with the client already bound, so that callers pass only their own arguments. */
export type Bound<Procedures> = {
  readonly [P in keyof Procedures]: Procedures[P] extends (client: never, ...given: infer Given) => infer Result
    ? (...given: Given) => Result
    : never;
};

/** The options of a system's client, in addition to the options of its tables' clients. */
export interface ProcedureOptions<Procedures> {
  /** The functions behind the system's procedures, by name. @default - none */
  readonly procedures?: Procedures;
}

/** The members of a system's client: the patterns of all its tables, and its procedures. */
export type Joined<S extends SystemDesign, Clients extends Record<keyof S['tables'], object>, Procedures> = {
  readonly [P in TablePatternName<S>]: {
    [T in keyof S['tables']]: P extends keyof S['tables'][T]['patterns'] & keyof Clients[T] ? Clients[T][P] : never;
  }[keyof S['tables']];
} & Bound<Procedures>;

/** Combines the clients of a system's tables, the patterns across tables, and the procedures into one client. */
export function joined(
  system: SystemDesign,
  clients: readonly object[],
  across: Readonly<Record<string, unknown>>,
  procedures: Readonly<Record<string, Procedure | undefined>> = {},
): object {
  const known = Object.keys(system.procedures ?? {});
  const unknown = Object.keys(procedures).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const there = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw new Error(
      `system '${system.name}' has no procedure ${unknown.map((name) => `'${name}'`).join(', ')}; ${there}`,
    );
  }
  const patterns: Record<string, unknown> = { ...across };
  for (const [name, pattern] of clients.flatMap(Object.entries)) {
    // A table's client has only the table's share of a system pattern. This share is never sent separately.
    if (Object.hasOwn(across, name)) continue;
    if (Object.hasOwn(patterns, name))
      throw new Error(`two tables of system '${system.name}' have a pattern '${name}'; rename one of them`);
    patterns[name] = pattern;
  }
  const bound = Object.entries(procedures).map(([name, run]) => [
    name,
    (...given: never[]) => (run as Procedure)(patterns as never, ...given),
  ]);
  return { ...patterns, ...Object.fromEntries(bound) };
}

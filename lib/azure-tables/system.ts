import type { SystemDesign } from '../design/system';
import { assertSystem } from '../items/given';
import { type Joined, joined, type ProcedureOptions, type ProceduresOf } from '../items/system';
import { type Client, type ClientOptions, client } from './client';
import type { Send } from './sender';

export interface SystemOptions<Procedures> extends ClientOptions, ProcedureOptions<Procedures> {}

/** The client type of a system: all patterns of all tables, and the procedures. */
export type SystemClient<S extends SystemDesign, Procedures = object> = Joined<
  S,
  { [T in keyof S['tables']]: Client<S['tables'][T]> },
  Procedures
>;

/**
 * Creates the client for a whole system. Each environment needs its own account, because the tables have the same names
 * as in the design.
 */
export function system<S extends SystemDesign, const Procedures extends ProceduresOf<S> = object>(
  design: S,
  send: Send,
  options: SystemOptions<Procedures> = {},
): SystemClient<S, Procedures> {
  assertSystem(design);
  const clients = Object.entries(design.tables).map(([name, table]) => client(table, name, send, options));
  return joined(design, clients, {}, options.procedures) as SystemClient<S, Procedures>;
}

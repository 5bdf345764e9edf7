import type { SystemDesign } from '../design/system';
import { type Joined, joined, type ProcedureOptions, type ProceduresOf } from '../items/system';
import { type Client, type ClientOptions, client } from './client';
import type { Send } from './sender';

export interface SystemOptions<Procedures> extends ClientOptions, ProcedureOptions<Procedures> {}

/** All patterns of all tables of a system, and its procedures. */
export type SystemClient<S extends SystemDesign, Procedures = object> = Joined<
  S,
  { [T in keyof S['tables']]: Client<S['tables'][T]> },
  Procedures
>;

/** A whole system, ready to be used. Each environment has an account of its own, in which tables have their own names. */
export function system<S extends SystemDesign, const Procedures extends ProceduresOf<S> = object>(
  design: S,
  send: Send,
  options: SystemOptions<Procedures> = {},
): SystemClient<S, Procedures> {
  const clients = Object.entries(design.tables).map(([table, one]) => client(one, table, send, options));
  return joined(design, clients, options.procedures) as SystemClient<S, Procedures>;
}

import type { PatternName, SystemDesign } from '../design/system';
import { type Bound, joined, type Procedure, type ProceduresOf } from '../items/system';
import { type Client, type ClientOptions, client } from './client';
import type { Send } from './sender';

export interface SystemOptions<Procedures> extends ClientOptions {
  /** The functions that the system's procedures are, by name. @default - none */
  readonly procedures?: Procedures;
}

/** All patterns of all tables of a system, and its procedures. */
export type SystemClient<S extends SystemDesign, Procedures = object> = {
  readonly [P in PatternName<S>]: {
    [T in keyof S['tables']]: P extends keyof S['tables'][T]['patterns'] ? Client<S['tables'][T]>[P] : never;
  }[keyof S['tables']];
} & Bound<Procedures>;

/** A whole system, ready to be used. Each environment has an account of its own, in which tables have their own names. */
export function system<S extends SystemDesign, const Procedures extends ProceduresOf<S> = object>(
  design: S,
  send: Send,
  options: SystemOptions<Procedures> = {},
): SystemClient<S, Procedures> {
  const clients = Object.entries(design.tables).map(([table, one]) => client(one, table, send, options));
  const procedures = (options.procedures ?? {}) as Readonly<Record<string, Procedure | undefined>>;
  return joined(design, clients, procedures) as SystemClient<S, Procedures>;
}

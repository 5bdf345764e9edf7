import { nameOutputOf, tableNameOf } from '../blueprint/names';
import { whole } from '../blueprint/shares';
import type { SystemResult, SystemValues } from '../design/infer-across';
import { isObject, show } from '../design/show';
import type { SystemDesign } from '../design/system';
import { assertSystem } from '../items/given';
import { type Joined, joined, type ProcedureOptions, type ProceduresOf } from '../items/system';
import { acrossAll } from './across';
import { type Client, type ClientOptions, client } from './client';
import type { Send } from './sending';
import type { TransactionOptions } from './step';

/** The deployed names of a system's tables. */
export type TableNames =
  /** The environment, if the system's stack chose the table names (such as `shop-prod-orders`). */
  | { readonly environment: string }
  /**
   * The outputs of the stack, which contain the names: the whole file that `cdk deploy --outputs-file` writes, or the
   * part of it for one stack.
   */
  | { readonly outputs: Readonly<Record<string, unknown>> }
  /** The name of each table. */
  | { readonly tables: Readonly<Record<string, string>> };

export interface SystemOptions<Procedures> extends ClientOptions, ProcedureOptions<Procedures> {}

/** The client type of a system: all patterns of all tables, and the procedures. */
export type SystemClient<S extends SystemDesign, Procedures = object> = Joined<
  S,
  { [T in keyof S['tables']]: Client<S['tables'][T]> },
  Procedures
> &
  (S extends { readonly patterns: infer Patterns }
    ? { readonly [P in keyof Patterns]: Across<S, Patterns[P]> }
    : unknown);

type Across<S extends SystemDesign, P> = (
  values: SystemValues<S, P>,
  options?: P extends { readonly op: 'transaction' } ? TransactionOptions : undefined,
) => Promise<SystemResult<S, P>>;

/** The client of a whole system: the patterns of all tables, and the procedures, keyed by name. */
export function system<S extends SystemDesign, const Procedures extends ProceduresOf<S> = object>(
  design: S,
  names: TableNames,
  send: Send,
  options: SystemOptions<Procedures> = {},
): SystemClient<S, Procedures> {
  assertSystem(design);
  const clients = Object.entries(whole(design).tables).map(
    ([name, table]) => [name, client(table, nameOf(design, names, name), send, options)] as const,
  );
  const all = clients.map(([, one]) => one);
  return joined(design, all, acrossAll(design, clients), options.procedures) as SystemClient<S, Procedures>;
}

function nameOf(design: SystemDesign, names: TableNames, table: string): string {
  if (!isObject(names))
    throw new Error(
      `system '${design.name}': pass the table names, as in { environment: 'prod' }, got: ${show(names)}`,
    );
  if ('environment' in names) {
    const { environment } = names;
    if (typeof environment === 'string' && environment !== '') return tableNameOf(design, environment, table);
    throw new Error(
      `system '${design.name}': environment must be a name such as 'prod', got: ${JSON.stringify(environment)}`,
    );
  }
  const name = 'tables' in names ? names.tables[table] : outputIn(names.outputs, nameOutputOf(table));
  if (typeof name === 'string' && name !== '') return name;
  const where = 'tables' in names ? `tables.${table}` : `the output ${nameOutputOf(table)}`;
  throw new Error(`system '${design.name}': the name of table '${table}' is missing; give ${where}`);
}

/** Finds an output's value in the outputs of one stack, or of several stacks keyed by stack name. */
function outputIn(outputs: Readonly<Record<string, unknown>>, name: string): unknown {
  const stacks = [outputs, ...Object.values(outputs).filter((stack) => typeof stack === 'object' && stack !== null)];
  return stacks.map((stack) => (stack as Record<string, unknown>)[name]).find((found) => found !== undefined);
}

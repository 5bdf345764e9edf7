import type { Access, Action } from '../blueprint/accesses';
import type { TableOutline } from '../blueprint/outline';
import type { TenantVariable } from './leading-keys';
import { canShare, type Partitions, partitionsOf } from './partitions';

/** What may be done to a table or to one of its indexes. */
export interface AccessStatement {
  readonly actions: readonly DataAction[];
  /** @default - the table itself */
  readonly index?: string;
  /** The partitions, as patterns of `StringLike`. @default - all of them */
  readonly leadingKeys?: readonly string[];
  /** Partitions that are no pattern's, although they match one of those; as patterns of `StringNotLike`. @default - none */
  readonly notLeadingKeys?: readonly string[];
  /** The policy variable of the tenant, and what its value must not hold. @default - anything: it is the whole key, or nothing is held to it */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

export type DataAction = (typeof ACTIONS)[Action];

/** What IAM calls each thing a pattern does; the parts of a transaction are authorized each on its own. */
const ACTIONS = {
  get: 'dynamodb:GetItem',
  batchGet: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  scan: 'dynamodb:Scan',
  require: 'dynamodb:ConditionCheckItem',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
  batchWrite: 'dynamodb:BatchWriteItem',
} as const satisfies Record<Action, string>;

const WRITES: readonly DataAction[] = [ACTIONS.put, ACTIONS.update, ACTIONS.delete, ACTIONS.batchWrite];

export function isWrite({ actions }: AccessStatement): boolean {
  return actions.some((action) => WRITES.includes(action));
}

/** Exactly what these patterns do, in as few statements as say that and no more. */
export function statementsOf(
  table: TableOutline,
  patterns: readonly (readonly Access[])[],
  tenantIn: (access: Access) => TenantVariable | undefined = () => undefined,
): readonly AccessStatement[] {
  // The order of a policy is that of the table, whatever that of the patterns.
  return [undefined, ...table.indexes.map(({ name }) => name)].flatMap((index) => {
    const reached = Object.entries(ACTIONS).flatMap(([action, name]) => {
      const done = patterns
        .map((accesses) => accesses.filter((access) => access.index === index && access.action === action))
        .filter((accesses) => accesses.length > 0)
        .map((accesses) => partitionsOf(table, accesses, tenantIn));
      return done.length === 0 ? [] : reachOf(table, done).map((reach) => ({ action: name, ...reach }));
    });
    return shared(reached).map((statement) => (index === undefined ? statement : { ...statement, index }));
  });
}

type Reached = Omit<AccessStatement, 'actions' | 'index'>;

/**
 * All keys that a pattern has for an action are in one list, since `ForAllValues` wants every key of a batch there. Patterns
 * share it too, unless what is kept from one of them is what another has to reach.
 */
function reachOf(table: TableOutline, patterns: readonly (Partitions | undefined)[]): readonly Reached[] {
  const lists: Partitions[][] = [];
  for (const pattern of patterns) {
    if (pattern === undefined) return [{}];
    const list = lists.find((others) => others.every((other) => canShare(table, other, pattern)));
    if (list === undefined) lists.push([pattern]);
    else list.push(pattern);
  }
  return lists.map((list) => {
    const like = ordered(list.flatMap((one) => one.like));
    const strays = ordered(list.flatMap((one) => one.strays.map(({ pattern }) => pattern)));
    const tenant = list.find((one) => one.tenant !== undefined)?.tenant;
    return {
      ...(like.includes('*') ? {} : { leadingKeys: like }),
      ...(strays.length === 0 ? {} : { notLeadingKeys: strays }),
      ...(tenant === undefined ? {} : { tenant }),
    };
  });
}

function ordered(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** Actions share a statement only if they reach the same partitions: a longer list would give each those of the others. */
function shared(reached: readonly (Reached & { readonly action: DataAction })[]): readonly AccessStatement[] {
  const statements = new Map<string, AccessStatement>();
  for (const { action, ...reach } of reached) {
    const name = JSON.stringify(reach);
    statements.set(name, { actions: [...(statements.get(name)?.actions ?? []), action], ...reach });
  }
  return [...statements.values()];
}

import type { Access, Action } from '../blueprint/accesses';
import type { TableOutline } from '../blueprint/outline';
import type { TenantVariable } from './leading-keys';
import { canShare, type Partitions, partitionsOf } from './partitions';

/** What may be done to a table or to one of its indexes. */
export interface AccessStatement {
  readonly actions: readonly DataAction[];
  /** @default - the table itself */
  readonly index?: string;
  /** The partitions, as `StringLike` patterns. @default - all of them */
  readonly leadingKeys?: readonly string[];
  /** Partitions that match one of those but are not granted, as `StringNotLike` patterns. @default - none */
  readonly notLeadingKeys?: readonly string[];
  /** The policy variable of the tenant, and what its value must not contain. @default - nothing is held to a tenant, or its id is the whole key */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

export type DataAction = (typeof ACTIONS)[Action];

/** The IAM action for each thing a pattern does; IAM authorizes each step of a transaction on its own. */
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

const WRITES: readonly Action[] = ['put', 'update', 'delete', 'batchWrite'];

export function isWriting(action: Action): boolean {
  return WRITES.includes(action);
}

export function isWrite({ actions }: AccessStatement): boolean {
  return WRITES.some((action) => actions.includes(ACTIONS[action]));
}

/** Exactly what these patterns do, in as few statements as possible. */
export function statementsOf(
  table: TableOutline,
  patterns: readonly (readonly Access[])[],
  tenantIn: (access: Access) => TenantVariable | undefined = () => undefined,
): readonly AccessStatement[] {
  // Statements come in the order of the table's indexes, so that the order of the patterns does not matter.
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
 * All keys that a pattern has for an action are in one list, because `ForAllValues` wants every key of a batch in it. Patterns
 * share a list unless one of them excludes what another must reach.
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
    const like = ordered(list.flatMap((partitions) => partitions.like));
    const excluded = ordered(list.flatMap(({ strays }) => strays.map(({ pattern }) => pattern)));
    const tenant = list.find((partitions) => partitions.tenant !== undefined)?.tenant;
    return {
      ...(like.includes('*') ? {} : { leadingKeys: like }),
      ...(excluded.length === 0 ? {} : { notLeadingKeys: excluded }),
      ...(tenant === undefined ? {} : { tenant }),
    };
  });
}

function ordered(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** Actions share a statement only if they reach the same partitions: otherwise each would also get those of the others. */
function shared(reached: readonly (Reached & { readonly action: DataAction })[]): readonly AccessStatement[] {
  const statements = new Map<string, AccessStatement>();
  for (const { action, ...reach } of reached) {
    const name = JSON.stringify(reach);
    statements.set(name, { actions: [...(statements.get(name)?.actions ?? []), action], ...reach });
  }
  return [...statements.values()];
}

import type { Access, Action } from '../blueprint/accesses';
import type { TableOutline } from '../blueprint/outline';
import type { TenantVariable } from './leading-keys';
import { canShare, type Partitions, partitionsOf } from './partitions';

/** The actions that a policy allows on a table or on one of its indexes. */
export interface AccessStatement {
  readonly actions: readonly DataAction[];
  /** @default - the table itself */
  readonly index?: string;
  /** The granted partitions, as `StringLike` patterns. @default - all partitions */
  readonly leadingKeys?: readonly string[];
  /** Partitions that match `leadingKeys` but are not granted, as `StringNotLike` patterns. @default - no partitions */
  readonly notLeadingKeys?: readonly string[];
  /**
   * The partitions of an index with a multi-attribute partition key.
   * @default - all partitions, or the partition key has only one attribute
   */
  readonly partitionKeys?: readonly PartitionLimit[];
  /**
   * The tenant's policy variable, and the text that the variable's value must not contain.
   * @default - no tenant limit, or the tenant's id is the whole key
   */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

/** The values that a statement allows for one attribute of a partition key. */
export interface PartitionLimit {
  /** IAM's condition key for the attribute. */
  readonly key: string;
  /** `StringLike` patterns. @default - all values except the excluded values */
  readonly like?: readonly string[];
  /** `StringNotLike` patterns. @default - no patterns */
  readonly notLike?: readonly string[];
}

/** The IAM condition keys for the attributes of a multi-attribute partition key, by position. */
const PARTITION_KEYS = ['First', 'Second', 'Third', 'Fourth'].map((nth) => `dynamodb:${nth}PartitionKeyValues`);

/** The limits that a statement sets on the partition key, attribute by attribute. */
export function limitsOf({ leadingKeys, notLeadingKeys, partitionKeys }: AccessStatement): readonly PartitionLimit[] {
  if (partitionKeys !== undefined) return partitionKeys;
  if (leadingKeys === undefined && notLeadingKeys === undefined) return [];
  return [{ key: 'dynamodb:LeadingKeys', like: leadingKeys, notLike: notLeadingKeys }];
}

/** Describes a statement's partitions. */
export function partitionsText(statement: AccessStatement): string {
  const texts = limitsOf(statement).map(
    ({ like = ['any'], notLike }) => like.join(', ') + (notLike === undefined ? '' : `, but not ${notLike.join(', ')}`),
  );
  return texts.join(' with ') || 'any partition';
}

export type DataAction = (typeof ACTIONS)[Action];

/** The IAM action for each action that a pattern takes, whether alone or as a step of a transaction. */
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

/**
 * The actions that can be part of a transaction. AWS does not document whether IAM evaluates each item of a transaction
 * separately, or all keys for an action and table at once. One statement with the keys of all patterns works either
 * way.
 */
const TRANSACTED: readonly Action[] = ['get', 'require', 'put', 'update', 'delete'];

type TenantIn = (access: Access) => TenantVariable | undefined;

/**
 * Returns as few statements as possible that allow all accesses of the given patterns, and any transaction that
 * combines these patterns.
 */
export function statementsOf(
  table: TableOutline,
  patterns: readonly (readonly Access[])[],
  tenantIn: TenantIn = () => undefined,
): readonly AccessStatement[] {
  // Sorts the statements by index, so that the order of the patterns does not matter.
  return [undefined, ...table.indexes].flatMap((index) => {
    const reached = (Object.entries(ACTIONS) as [Action, DataAction][]).flatMap(([action, name]) => {
      const done = patterns
        .map((accesses) => accesses.filter((access) => access.index === index?.name && access.action === action))
        .filter((accesses) => accesses.length > 0);
      if (done.length === 0) return [];
      const several = (index?.partitionBy.length ?? 1) > 1;
      const reach = several ? bySeveral(table, done.flat(), tenantIn) : byOne(table, action, done, tenantIn);
      return reach.map((one) => ({ action: name, ...one }));
    });
    return shared(reached).map((statement) => (index === undefined ? statement : { ...statement, index: index.name }));
  });
}

type Reached = Omit<AccessStatement, 'actions' | 'index'>;

/**
 * Puts all keys that a pattern reaches with one action in one list, because `ForAllValues` requires every key of a
 * batch to match the same list. Patterns that are sent separately share a list unless one pattern excludes a key that
 * another pattern must reach.
 */
function byOne(
  table: TableOutline,
  action: Action,
  patterns: readonly (readonly Access[])[],
  tenantIn: TenantIn,
): readonly Reached[] {
  const lists: Partitions[][] = [];
  for (const accesses of TRANSACTED.includes(action) ? [patterns.flat()] : patterns) {
    const pattern = partitionsOf(table, accesses, tenantIn);
    if (pattern === undefined) return [{}];
    const list = lists.find((others) => others.every((other) => canShare(table, other, pattern)));
    if (list === undefined) lists.push([pattern]);
    else list.push(pattern);
  }
  return lists.map((list) => {
    const { like: leadingKeys, notLike: notLeadingKeys, tenant } = limitTo(list);
    return {
      ...(leadingKeys && { leadingKeys }),
      ...(notLeadingKeys && { notLeadingKeys }),
      ...(tenant && { tenant }),
    };
  });
}

/** Gives each query a separate statement, because a shared statement would allow mixing the values of two queries. */
function bySeveral(table: TableOutline, accesses: readonly Access[], tenantIn: TenantIn): readonly Reached[] {
  const statements = accesses.map((access): Reached => {
    const limits = PARTITION_KEYS.flatMap((key, i) => {
      const found = partitionsOf(table, [access], tenantIn, i);
      return found === undefined ? [] : [{ key, ...limitTo([found]) }];
    });
    const tenant = limits.find((limit) => limit.tenant !== undefined)?.tenant;
    const partitionKeys = limits.map(({ tenant: _, ...limit }): PartitionLimit => limit);
    return { ...(partitionKeys.length > 0 && { partitionKeys }), ...(tenant && { tenant }) };
  });
  const open = statements.find(({ partitionKeys }) => partitionKeys === undefined);
  return open === undefined ? [...new Map(statements.map((one) => [JSON.stringify(one), one])).values()] : [open];
}

function limitTo(list: readonly Partitions[]): Omit<PartitionLimit, 'key'> & Pick<AccessStatement, 'tenant'> {
  const like = ordered(list.flatMap((one) => one.like));
  const notLike = ordered(list.flatMap(({ strays }) => strays.map(({ pattern }) => pattern)));
  const tenant = list.find((one) => one.tenant !== undefined)?.tenant;
  return { ...(!like.includes('*') && { like }), ...(notLike.length > 0 && { notLike }), ...(tenant && { tenant }) };
}

function ordered(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/**
 * Combines actions that reach the same partitions. Other actions stay separate; otherwise, each of them would reach the
 * partitions of all.
 */
function shared(reached: readonly (Reached & { readonly action: DataAction })[]): readonly AccessStatement[] {
  const statements = new Map<string, AccessStatement>();
  for (const { action, ...reach } of reached) {
    const name = JSON.stringify(reach);
    statements.set(name, { actions: [...(statements.get(name)?.actions ?? []), action], ...reach });
  }
  return [...statements.values()];
}

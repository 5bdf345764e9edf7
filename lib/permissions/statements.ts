import type { Access, Action } from '../blueprint/accesses';
import type { TableOutline } from '../blueprint/outline';
import { leadingKey, type TenantVariable } from './leading-keys';

/** What may be done to a table or to one of its indexes. */
export interface AccessStatement {
  readonly actions: readonly DataAction[];
  /** @default - the table itself */
  readonly index?: string;
  /** The partitions, as patterns of `StringLike`. @default - all of them */
  readonly leadingKeys?: readonly string[];
  /** The policy variable of the tenant, and what its value must not hold. @default - anything: it is the whole key, or nothing is held to it */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

export type DataAction = (typeof ACTIONS)[Action];

/** What IAM calls each thing a pattern does; the parts of a transaction are authorized each on its own. */
const ACTIONS = {
  get: 'dynamodb:GetItem',
  batchGet: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
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

/** Exactly these accesses, in as few statements as say that and no more. */
export function statementsOf(
  plan: TableOutline,
  accesses: readonly Access[],
  tenantIn: (access: Access) => TenantVariable | undefined = () => undefined,
): readonly AccessStatement[] {
  // The order of a policy is that of the table, whatever that of the patterns.
  return [undefined, ...plan.indexes.map(({ name }) => name)].flatMap((index) => {
    const here = accesses.filter((access) => access.index === index);
    const reached = Object.entries(ACTIONS).flatMap(([action, name]) => {
      const done = here.filter((access) => access.action === action);
      return done.length === 0 ? [] : [{ action: name, ...reachOf(plan, done, tenantIn) }];
    });
    return shared(reached).map((statement) => (index === undefined ? statement : { ...statement, index }));
  });
}

interface Reached extends Pick<AccessStatement, 'leadingKeys' | 'tenant'> {
  readonly action: DataAction;
}

/** All keys of an action are in one list, since `ForAllValues` wants every key of a batch there. */
function reachOf(
  plan: TableOutline,
  accesses: readonly Access[],
  tenantIn: (access: Access) => TenantVariable | undefined,
): Omit<Reached, 'action'> {
  const tenants = accesses.map(tenantIn);
  const keys = accesses.map((access, i) => {
    const { partition } = plan.indexes.find(({ name }) => name === access.index) ?? plan.key;
    // How IAM would write a number or bytes is not documented, and a condition that is never met helps nobody.
    if (partition.type !== 'string' || access.partition === undefined) return undefined;
    return leadingKey(access.partition, tenants[i]);
  });
  const known = keys.filter((key) => key !== undefined);
  if (known.length < keys.length) return {};
  const { variable, separator } = tenants.find((tenant) => tenant?.separator !== undefined) ?? {};
  const apart = variable === undefined || separator === undefined ? {} : { tenant: { variable, separator } };
  return { leadingKeys: [...new Set(known)].sort(), ...apart };
}

/** Actions share a statement only if they reach the same partitions: a longer list would give each those of the others. */
function shared(reached: readonly Reached[]): readonly AccessStatement[] {
  const statements = new Map<string, AccessStatement>();
  for (const { action, ...reach } of reached) {
    const name = JSON.stringify(reach);
    statements.set(name, { actions: [...(statements.get(name)?.actions ?? []), action], ...reach });
  }
  return [...statements.values()];
}

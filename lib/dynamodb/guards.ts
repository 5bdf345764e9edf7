import type { Access } from '../blueprint/accesses';
import { type EntityOutline, entityNamed, type TableOutline } from '../blueprint/outline';
import { GUARD_OWNER, guardNameOf, guardOpsOf, guardsOf } from '../blueprint/unique';
import { releaseFaults, uniqueFaults } from '../blueprint/unique-faults';
import type {
  FindPattern,
  ReleasePattern,
  ReleaseStep,
  TransactionStep,
  UpdatePattern,
  Write,
} from '../design/pattern';
import { KeyError } from '../design/template';
import { keyText } from '../items/cursor';
import { type Item, ItemError, readItem, valuesOf } from '../items/item';
import { operandValue } from '../items/operands';
import { comparedValue } from '../items/parameters';
import { setBy, toldFrom } from '../items/update';
import { guardItem, guardKey, ownerIn } from '../items/writers';
import { withoutForeign } from './foreign';
import type { PreparedStep, PreparedWrite } from './write';

type GuardWriter = (at: string, input: Item, values: object) => readonly PreparedWrite[];

/**
 * Creates a function that builds the guard writes that go with an item's write. Returns undefined if the write touches
 * no guards.
 */
export function guardWriter(
  table: TableOutline,
  tableName: string,
  name: string,
  entity: EntityOutline,
  step: Write,
  isBatch: boolean,
): GuardWriter | undefined {
  if (entity.uniques === undefined) return undefined;
  const [fault] = uniqueFaults(table, entity, step, isBatch);
  if (fault !== undefined) {
    const { cause, unique, attributes } = fault;
    throw new ItemError(
      `${name} can never guard ${entity.name}.unique.${unique} (${[cause, ...attributes].join(' ')}): run the check, which says why`,
    );
  }
  const guards = guardsOf(table, entity).flatMap((guard) => {
    const ops = guardOpsOf(guard.guards, step);
    return ops.length === 0 ? [] : [{ ...guard.guards, ops, guard, keyOf: guardKey(table, guard) }];
  });
  if (guards.length === 0) return undefined;
  const told = step.op === 'put' ? [] : toldFrom(table, entity, step as UpdatePattern);
  const owned = ownedBy(table, tableName);
  return (at, input, values) => {
    const before: Item = {};
    for (const { attribute, value } of told) before[attribute] = value(values);
    const after =
      step.op === 'put'
        ? readItem(table, entity, input.Item as Item)
        : { ...before, ...setBy(entity, step as UpdatePattern, values) };
    return guards.flatMap(({ ops, unique, guard, keyOf, ...guarded }): readonly PreparedWrite[] => {
      const shared = owned(ownerIn(guarded, after));
      const [claimed, freed] = [keyOf(after), step.op === 'put' ? undefined : keyOf(before)];
      if (step.op === 'update' && freed !== undefined && keyText(claimed) === keyText(freed)) return [];
      return ops.map((op) => ({
        name: `${at}.${unique}`,
        part: op === 'put' ? 'Put' : 'Delete',
        input: op === 'put' ? { ...shared, Item: guardItem(table, guard, after) } : { ...shared, Key: freed },
        unique: { name: unique, entity: entity.name, withoutForeign },
        step: { op, entity: guard.name, where: {} } as TransactionStep,
        table,
        values,
      }));
    });
  };
}

/**
 * Returns the fields of a write to a guard. The condition requires the guard to be missing or to have the same owner.
 */
function ownedBy(table: TableOutline, TableName: string): (owner: Item) => Item {
  const ExpressionAttributeNames = { '#0': table.key.partitionBy[0].name, '#1': GUARD_OWNER };
  return (owner) => ({
    TableName,
    ConditionExpression: 'attribute_not_exists(#0) OR #1 = :0',
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':0': owner },
  });
}

/** Creates a function that builds the delete of a guard with which the owner gives up the value. */
export function releaseBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  { entity: of, unique, where }: ReleasePattern | ReleaseStep,
): (values: object) => Item {
  const entity = entityNamed(table, of);
  const guard = entityNamed(table, guardNameOf(of, unique));
  if (entity === undefined || guard?.guards === undefined || releaseFaults(guard.guards, where).length > 0)
    throw new ItemError(`${name} can never release ${of}.unique.${unique}: run the check, which says what to write`);
  const { guards } = guard;
  const keyOf = guardKey(table, guard);
  const owned = ownedBy(table, tableName);
  return (values) => {
    const given: Item = {};
    for (const [attribute, text] of Object.entries(where))
      given[attribute] = comparedValue([entity], attribute, 'equals', operandValue(text, values));
    return { ...owned(ownerIn(guards, given)), Key: keyOf(given) };
  };
}

/** Returns the owner on whose behalf a guard write claims or frees the value. */
export function ownerOf({ ExpressionAttributeValues }: Item): Item {
  return (ExpressionAttributeValues as { readonly ':0': Item })[':0'];
}

/** Whether a stored item still has the value that the guard claims; if not, the guard is stale. */
export function holdsValue(table: TableOutline, { unique, returns }: FindPattern, item: Item, request: Item): boolean {
  const [name = ''] = returns;
  const entity = entityNamed(table, name) as EntityOutline;
  const guard = entityNamed(table, guardNameOf(name, unique)) as EntityOutline;
  try {
    return keyText(guardKey(table, guard)(valuesOf(table, entity, item))) === keyText(request.Key as Item);
  } catch (error) {
    // The item does not fit the design. A later step reads the item, and throws a more helpful error.
    if (error instanceof ItemError || error instanceof KeyError) return true;
    throw error;
  }
}

/** Returns the step that frees a value, in the same form as a declared step. */
export function releasing(
  table: TableOutline,
  tableName: string,
  place: string,
  { part: own, step, released }: Access,
): PreparedStep {
  const { entity, unique: name, ...rest } = released as NonNullable<Access['released']>;
  return {
    ...{ place, own, each: 'each' in rest ? rest.each : undefined, part: 'Delete', step: step as TransactionStep },
    build: releaseBuilder(table, tableName, place, released as NonNullable<Access['released']>),
    isGiven: () => true,
    released: { name, entity, withoutForeign },
  };
}

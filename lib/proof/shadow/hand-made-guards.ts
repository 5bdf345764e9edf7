import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, keysIn, type TableBlueprint } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import type { PutPattern, TransactionPattern } from '../../design/pattern';
import { lonePart, template } from '../../design/template';

/**
 * A guard: an entity whose key contains a value of another entity, the owner, so that no two owners can have the same
 * value.
 */
export interface Guard {
  readonly guard: EntityBlueprint;
  readonly owner: EntityBlueprint;
  /** Which of the owner's attributes supplies the value of each part of the guard's key. */
  readonly values: readonly { readonly part: string; readonly attribute: string }[];
}

/** Finds the guards that a design writes without `unique`: a transaction puts each guard together with its owner. */
export function handMadeGuards(table: TableBlueprint): readonly Guard[] {
  const found = new Map<string, Guard>();
  for (const { design } of table.patterns) {
    for (const guard of design.op === 'transaction' ? inTransaction(table, design) : []) {
      found.set(JSON.stringify([guard.guard.name, guard.owner.name]), guard);
    }
  }
  return [...found.values()];
}

function* inTransaction(table: TableBlueprint, { steps }: TransactionPattern): Iterable<Guard> {
  const puts = Object.entries(steps).flatMap(([name, step]) => (step.op === 'put' ? [{ name, step }] : []));
  for (const { step: guarding } of puts.filter(({ step }) => step.replace !== true)) {
    const guard = entityNamed(table, guarding.entity);
    for (const { name, step } of puts) {
      const owner = step.entity === guarding.entity ? undefined : entityNamed(table, step.entity);
      const made = guard && owner && guardOf(table, guard, owner, givenBy(name, guarding.item));
      if (made !== undefined) yield made;
    }
  }
}

/** The attributes that a put takes from another step, as in `{ email: '<user.email>' }`. */
function givenBy(step: string, item: PutPattern['item'] = {}): ReadonlyMap<string, string | undefined> {
  return new Map(
    Object.entries(item).map(([part, operand]) => {
      const [first, attribute, ...deeper] =
        typeof operand === 'string' ? (lonePart(template(operand))?.path ?? []) : [];
      return [part, first === step && deeper.length === 0 ? attribute : undefined];
    }),
  );
}

/**
 * Returns the guard if the entity guards values of this owner. Its key then consists of values of the owner but omits
 * part of the owner's key, and its other attributes identify the owner.
 */
function guardOf(
  table: TableBlueprint,
  guard: EntityBlueprint,
  owner: EntityBlueprint,
  given: ReadonlyMap<string, string | undefined>,
): Guard | undefined {
  const [parts = [], ids = []] = [guard, owner].map((entity) => [
    ...new Set(keysIn(entity, table.key)?.flatMap(({ template }) => partsOf(template).map(({ name }) => name))),
  ]);
  const values: { part: string; attribute: string }[] = [];
  for (const part of parts) {
    const attribute = given.get(part) ?? (owner.attributes.includes(part) ? part : undefined);
    // The put may give a part of the key a value that does not come from the owner, such as a constant for the kind of
    // guard. If neither the put nor the owner supplies a part, the entity is not a guard.
    if (attribute !== undefined) values.push({ part, attribute });
    else if (!given.has(part)) return undefined;
  }
  const isTime = ({ attribute }: { attribute: string }) =>
    attributeAt(owner.design.attributes, [attribute])?.format?.startsWith('date') === true;
  const telling = ids.filter((id) => !values.some(({ attribute }) => attribute === id));
  const isOwn = values.some(({ attribute }) => !ids.includes(attribute));
  if (!isOwn || telling.length === 0 || values.some(isTime)) return undefined;
  const named = (id: string) => guard.attributes.some((attribute) => (given.get(attribute) ?? attribute) === id);
  return telling.every(named) ? { guard, owner, values } : undefined;
}

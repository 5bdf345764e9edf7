import { attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import { type EntityBlueprint, keysIn, type TableBlueprint } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { touchedBy } from '../../blueprint/updates';
import type { TransactionStep, UpdatePattern } from '../../design/pattern';
import { loneHole, template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { type Guard, type GuardedValue, guardsOf } from '../guards';
import { atAccess, atEntity } from '../places';
import { type Step, stepOf } from '../step';
import type { PatternAccess, TableUnderCheck } from '../subject';

const causes = {
  'put-alone': 'an item with a unique value is put without the guard of that value',
  'changed-alone': 'a unique value is changed, but the guard of the new one is not put',
  'old-value-kept': 'a unique value is changed, but the guard of the old one stays',
  'owner-deleted-alone': 'an item is deleted, but the guard of its value stays: nobody can have that value again',
  'guard-deleted-alone': 'a guard is deleted, but the item that has its value stays',
  'guard-changed-alone': 'a guard is given to another owner, regardless of the item that has its value',
  'guard-replaced':
    'a guard is overwritten, so it refuses nobody (an error where the item is put with it: two then have the value)',
  untied: 'a guard is put with an item, but nothing says that both have the same value',
  stale: 'a guard is deleted with an item, but nothing says that the item still has that value',
  ownerless: 'a guard does not say whose it is (a note)',
} as const;

type Cause = keyof typeof causes;

export const brokenGuard: TableRule<'broken-guard', Cause> = {
  id: 'broken-guard',
  severity: 'warning',
  why: 'Only a primary key is unique, so a second item, the guard, claims a value for its owner. That works as long as every write of one also writes the other.',
  causes,
  *check(table) {
    // A transaction of Azure Tables is limited to one partition, and a guard is in another.
    if (table.cloud !== 'aws' || table.plan.entities.length < 2) return;
    const guards = guardsOf(table);
    if (guards.length === 0) return;
    const writes = writesByEntity(table);
    for (const guard of guards) {
      for (const access of writes.get(guard.owner.name) ?? []) yield* ofOwner(table.plan, guard, access);
      for (const access of writes.get(guard.guard.name) ?? []) yield* ofGuard(guard, access);
      if (guard.ids.length === 0) yield ownerless(guard);
    }
  },
};

function writesByEntity({ accesses }: TableUnderCheck): ReadonlyMap<string, readonly PatternAccess[]> {
  const writes = new Map<string, PatternAccess[]>();
  for (const access of accesses) {
    const { op } = access.step;
    const name = access.entities[0];
    if (name === undefined || (op !== 'put' && op !== 'update' && op !== 'delete')) continue;
    const same = writes.get(name) ?? [];
    writes.set(name, same);
    same.push(access);
  }
  return writes;
}

/** A step with its name. */
type Named = readonly [name: string, step: TransactionStep];

/** The steps of the same transaction that write or require an entity. */
function stepsOn({ design }: PatternAccess, { name }: EntityBlueprint): readonly Named[] {
  return design.op === 'transaction' ? Object.entries(design.steps).filter(([, { entity }]) => entity === name) : [];
}

function* ofOwner(plan: TableBlueprint, guard: Guard, access: PatternAccess): Iterable<Found<Cause>> {
  const step = stepOf(access);
  const beside = stepsOn(access, guard.guard);
  if (step.op === 'put') yield* ownerPut(plan, guard, access, step, beside);
  if (step.op === 'update') yield* ownerChanged(plan, guard, access, step, beside);
  if (step.op !== 'delete') return;
  const { owner, guard: kept } = guard;
  if (beside.some(([, { op }]) => op !== 'require')) {
    yield* stale(plan, guard, access, beside);
    return;
  }
  yield {
    ...atAccess(access, undefined, undefined, { entities: [kept.name] }),
    cause: 'owner-deleted-alone',
    message: `${kept.name} keeps the ${shown(guard)} of ${owner.name} unique, but stays when this deletes the ${owner.name}: nobody can have that value again`,
    fix: `delete both in one transaction, with the ${kept.name} of the ${shown(guard)} that you read`,
  };
}

function* ownerPut(
  plan: TableBlueprint,
  guard: Guard,
  access: PatternAccess,
  step: Extract<Step, { readonly op: 'put' }>,
  beside: readonly Named[],
): Iterable<Found<Cause>> {
  const { owner, guard: kept } = guard;
  const { item } = step;
  const isGiven = guard.values.some(({ attribute }) => item === undefined || Object.hasOwn(item, attribute));
  if (!isGiven) return;
  const isRequired = guard.values.every(
    ({ attribute }) => attributeAt(owner.design.attributes, [attribute])?.optional === false,
  );
  const certain = beside.filter(
    ([, other]) => other.op !== 'delete' && !(other.op === 'put' && other.optional && isRequired),
  );
  const about = { entities: [kept.name] };
  if (certain.length === 0) {
    yield {
      ...atAccess(access, undefined, undefined, about),
      cause: 'put-alone',
      message: `${kept.name} keeps the ${shown(guard)} of ${owner.name} unique, but this puts ${an(owner.name)} without it: two can have the same`,
      fix: `put both in one transaction, the ${kept.name} with ${tie(access.part ?? 'owner', guard)}`,
    };
    return;
  }
  if (step.replace === true && !isHeld(step.condition, guard.values)) {
    yield {
      ...atAccess(access, undefined, undefined, about),
      cause: 'old-value-kept',
      message: `this overwrites ${an(owner.name)} that may have had another ${shown(guard)}, whose ${kept.name} stays`,
      fix: `put it without replace, and change the ${shown(guard)} with an update together with both guards`,
    };
  }
  const [untied] = certain;
  // Guards of several values may be the same entity: then one of the steps is for this value.
  if (untied === undefined || certain.some((other) => isTied(plan, guard, access, other))) return;
  yield {
    ...atAccess(access, undefined, undefined, about),
    cause: 'untied',
    message: `nothing says that step '${untied[0]}' has the ${shown(guard)} of this ${owner.name}: a caller can give them different ones`,
    fix:
      untied[1].op === 'put'
        ? `take it from this step: item: { ${tie(access.part ?? '', guard)} }`
        : `address it by what is put here: ${guard.values.map(({ attribute }) => `<${access.part}.${attribute}>`).join(', ')}`,
  };
}

function* ownerChanged(
  plan: TableBlueprint,
  guard: Guard,
  access: PatternAccess,
  step: UpdatePattern,
  beside: readonly Named[],
): Iterable<Found<Cause>> {
  const { owner, guard: kept } = guard;
  const touched = new Set(touchedBy(step).map(({ attribute }) => attribute));
  const changed = guard.values.filter(({ attribute, isKey }) => !isKey && touched.has(attribute));
  const [value] = changed;
  if (value === undefined) return;
  const about = { attribute: value.attribute, entities: [kept.name] };
  const isRemoved = changed.every(({ attribute }) => step.remove?.includes(attribute));
  const takes = beside.filter(([, { op }]) => op === 'put' || op === 'update');
  const frees = beside.filter(([, { op }]) => op === 'delete' || op === 'update');
  if (!isRemoved && takes.length === 0) {
    yield {
      ...atAccess(access, 'set', undefined, about),
      cause: 'changed-alone',
      message: `${kept.name} keeps the ${shown(guard)} of ${owner.name} unique, but this changes it without the ${kept.name} of the new one: two can have the same`,
      fix: `in one transaction, put the ${kept.name} of the new ${shown(guard)} and delete that of the old`,
    };
    return;
  }
  const isFirst = changed.every(({ attribute }) => isNew(step, attribute));
  if (!isFirst && !frees.some(([, freeing]) => !takes.some(([, other]) => other === freeing) || takes.length > 1)) {
    yield {
      ...atAccess(access, isRemoved ? 'remove' : 'set', undefined, about),
      cause: 'old-value-kept',
      message: `the ${kept.name} of the ${shown(guard)} that ${an(owner.name)} had stays: nobody can have that value again`,
      fix: `delete the ${kept.name} of the old ${shown(guard)} in the same transaction`,
    };
    return;
  }
  const untied = takes.find(([, other]) => other.op === 'put');
  if (untied !== undefined && !takes.some((other) => isTied(plan, guard, access, other))) {
    yield {
      ...atAccess(access, 'set', undefined, about),
      cause: 'untied',
      message: `nothing says that step '${untied[0]}' has the ${shown(guard)} that is set here: a caller can give different ones`,
      fix: `give both the same parameter`,
    };
  }
  if (!isFirst) yield* stale(plan, guard, access, beside);
}

/** Whether an update sets an attribute only if it had no value. */
function isNew({ set = {}, condition = {} }: UpdatePattern, attribute: string): boolean {
  const [assigned, test] = [set[attribute], condition[attribute]];
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return (
    (isObject(assigned) && 'ifMissing' in assigned) || (isObject(test) && 'exists' in test && test.exists === false)
  );
}

/** A guard that is deleted must belong to the value that the owner has until then. */
function* stale(
  plan: TableBlueprint,
  guard: Guard,
  access: PatternAccess,
  beside: readonly Named[],
): Iterable<Found<Cause>> {
  const { owner, guard: kept, ids, values } = guard;
  const { condition } = stepOf(access) as UpdatePattern;
  if (isHeld(condition, values)) return;
  const loose = beside.find(([name, step]) => {
    if (step.op !== 'delete' || ids.some((id) => Object.hasOwn(step.condition ?? {}, id))) return false;
    return !values.every((value) => value.isKey && isTiedBy(plan, guard, access, [name, step], value));
  });
  if (loose === undefined) return;
  const [value] = values.filter(({ isKey }) => !isKey);
  const { attribute } = value ?? (values[0] as GuardedValue);
  const byOwner = ids.length === 0 ? '' : `, or on the ${kept.name}: { ${ids[0]}: '<${ids[0]}>' }`;
  yield {
    ...atAccess(access, undefined, undefined, { attribute, entities: [kept.name] }),
    cause: 'stale',
    message: `nothing says that the ${owner.name} still has the ${shown(guard)} whose ${kept.name} step '${loose[0]}' deletes: by now it may belong to another`,
    fix: `make sure with a condition on the ${owner.name}: { ${attribute}: '<${attribute}>' }${byOwner}`,
  };
}

function* ofGuard(guard: Guard, access: PatternAccess): Iterable<Found<Cause>> {
  const step = stepOf(access);
  const { owner, guard: kept, ids } = guard;
  const beside = stepsOn(access, owner);
  const about = { entities: [owner.name] };
  const isBlind = !('condition' in step) || step.condition === undefined;
  const isWrittenOver =
    (step.op === 'put' && step.replace === true) ||
    (step.op === 'update' && step.upsert === true && touchedBy(step).some(({ attribute }) => ids.includes(attribute)));
  if (isWrittenOver && isBlind) {
    yield {
      severity: beside.some(([, { op }]) => op === 'put') ? 'error' : 'warning',
      ...atAccess(access, step.op === 'put' ? 'replace' : 'upsert', undefined, about),
      cause: 'guard-replaced',
      message: `${kept.name} keeps the ${shown(guard)} of ${owner.name} unique by refusing a second one, but this overwrites the first`,
      fix: step.op === 'put' ? 'leave out replace' : 'put it instead, without replace',
    };
    return;
  }
  if (beside.length > 0) return;
  if (step.op === 'delete') {
    yield {
      ...atAccess(access, undefined, undefined, about),
      cause: 'guard-deleted-alone',
      message: `this frees a value that ${an(owner.name)} may still have: another can take the same ${shown(guard)}`,
      fix: `delete or change the ${owner.name} in the same transaction, or require there that it has another ${shown(guard)}`,
    };
  }
  if (step.op === 'update' && !isWrittenOver) {
    const given = touchedBy(step).find(({ attribute }) => ids.includes(attribute));
    if (given === undefined) return;
    yield {
      ...atAccess(access, given.field, undefined, { attribute: given.attribute, ...about }),
      cause: 'guard-changed-alone',
      message: `this gives the ${shown(guard)} to another ${owner.name}, but the one that has it keeps it`,
      fix: `change both of them in the same transaction`,
    };
  }
}

function ownerless({ guard, owner, values }: Guard): Found<Cause> {
  return {
    severity: 'note',
    ...atEntity(guard.name, 'attributes', undefined, { entities: [owner.name] }),
    cause: 'ownerless',
    message: `${guard.name} does not say whose ${values.map(({ attribute }) => attribute).join(', ')} it is, so no delete can make sure that it is the owner's`,
    fix: `give it the id of its ${owner.name}`,
  };
}

/** Whether a condition is about one of the guarded values. */
function isHeld(condition: object | undefined, values: readonly GuardedValue[]): boolean {
  return values.some(({ attribute, isKey }) => !isKey && Object.hasOwn(condition ?? {}, attribute));
}

/** Whether a step on the guard has the same values as this one on the owner; unknown values count as the same. */
function isTied(plan: TableBlueprint, guard: Guard, access: PatternAccess, beside: Named): boolean {
  return guard.values.every((value) => isTiedBy(plan, guard, access, beside, value));
}

function isTiedBy(
  plan: TableBlueprint,
  { owner, guard }: Guard,
  access: PatternAccess,
  [name, step]: Named,
  { part, attribute }: GuardedValue,
): boolean {
  const ours = valueIn(plan, owner, access.part ?? '', stepOf(access) as TransactionStep, attribute);
  const theirs = valueIn(plan, guard, name, step, part);
  if (ours === undefined || theirs === undefined || !ours.includes('<') || !theirs.includes('<')) return true;
  return resolved(access, ours) === resolved(access, theirs);
}

/** The value that a step gives an attribute, as text: `<user.email>`; undefined if it does not say. */
function valueIn(
  plan: TableBlueprint,
  entity: EntityBlueprint,
  name: string,
  step: TransactionStep,
  attribute: string,
): string | undefined {
  const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);
  if (step.op === 'put') return step.item ? asText(step.item[attribute]) : `<${step.each ?? name}.${attribute}>`;
  if (step.op === 'update' && step.set !== undefined && Object.hasOwn(step.set, attribute)) {
    return asText(step.set[attribute]);
  }
  for (const source of keysIn(entity, plan.key) ?? []) {
    const hole = partsOf(source.template).find((part) => part.name === attribute);
    const condition = step.where[source.attribute];
    const there =
      hole && condition !== undefined ? counterpartOf(source.template, hole, template(condition)) : undefined;
    if (there !== undefined) return `<${there.name}>`;
  }
  return undefined;
}

/** A value taken from a step, replaced by what that step says it is. */
function resolved({ design }: PatternAccess, text: string): string {
  const hole = loneHole(template(text));
  const [first = '', attribute = '', ...deeper] = hole?.path ?? [];
  if (design.op !== 'transaction' || deeper.length > 0 || !Object.hasOwn(design.steps, first)) return text;
  const step = design.steps[first];
  const given = step?.op === 'put' ? step.item?.[attribute] : undefined;
  return typeof given === 'string' ? given : text;
}

function shown({ values }: Guard): string {
  const own = values.filter(({ isKey }) => !isKey);
  return (own.length > 0 ? own : values).map(({ attribute }) => attribute).join(' and ');
}

function tie(step: string, { values }: Guard): string {
  return values.map(({ part, attribute }) => `${part}: '<${step}.${attribute}>'`).join(', ');
}

function an(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

import { type AttributeFacts, attributeNames } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, type KeySource, keyOf, keysIn } from '../../blueprint/table';
import { partsOf, shownPart } from '../../blueprint/template-parts';
import { inWords, isIdOf } from '../../blueprint/words';
import { shortList } from '../../design/show';
import { headOf, mapParts, type Template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { leftOpen } from '../findings/open-questions';
import { atKey, atTable } from '../findings/place';
import { canCollide } from '../reach/entities-reached';
import { neighbours } from '../reach/strangers';
import { readsSeveral } from '../requests/several';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  'two-entities': 'items of two entities can have the same primary key',
  'nothing-apart': 'within a partition, all items of an entity have the same key (a warning)',
  'only-time-apart': "within a partition, the keys of an entity's items differ only by a time (a warning)",
  'only-listed-apart':
    "within a partition, the keys of an entity's items differ only by one of a few listed values (a warning)",
} as const;

type Cause = keyof typeof causes;

export const keyCollision: TableRule<'key-collision', Cause> = {
  id: 'key-collision',
  severity: 'error',
  why: 'A table stores one item per primary key: a second put is refused, or overwrites the first item if the put has `replace`.',
  causes,
  *check(table) {
    yield* colliding(table);
    for (const entity of table.entities) yield* twoItems(table, entity);
  },
};

/** The maximum number of entity pairs to compare. The limit matters if the keys of many entities share a prefix. */
const PAIRS = 20_000;

/**
 * Reports entities whose items can have the same primary key, with one finding per shared key. If the keys of several
 * entities have the same form, compares only the first of them with entities of other forms.
 */
function* colliding(table: TableUnderCheck): Iterable<Found<Cause>> {
  const kinds = kindsOf(table);
  let pairs = 0;
  for (const kind of kinds.values()) {
    const [entity, ...others] = kind.entities as [EntityBlueprint, ...EntityBlueprint[]];
    const met: EntityBlueprint[] = [];
    for (const other of kinds.size === 1 || pairs > PAIRS ? [] : entitiesNear(table, entity)) {
      const theirs = kinds.get(formOf(table, other) ?? '');
      if (theirs === undefined || theirs.entities[0] !== other || theirs.number >= kind.number) continue;
      if (++pairs > PAIRS) break;
      if (canCollide(table, entity, other)) met.push(...theirs.entities);
    }
    met.push(...others.filter((other) => canCollide(table, entity, other)));
    if (met.length === 0) continue;
    const all = new Set([...met, entity]);
    yield sameKey(
      table,
      met.findLast((other) => others.includes(other)) ?? entity,
      table.entities.filter((candidate) => all.has(candidate)),
    );
  }
  if (pairs > PAIRS)
    leftOpen(table, atTable(table, 'entities'), 'look for more entities that can have the same primary key');
}

interface KeyKind {
  readonly number: number;
  readonly entities: EntityBlueprint[];
}

/** Groups entities by the form of their primary key. */
function kindsOf(table: TableUnderCheck): ReadonlyMap<string, KeyKind> {
  const kinds = new Map<string, KeyKind>();
  for (const entity of table.entities) {
    const form = formOf(table, entity);
    if (form === undefined) continue;
    const kind = kinds.get(form) ?? { number: kinds.size, entities: [] };
    kinds.set(form, kind);
    kind.entities.push(entity);
  }
  return kinds;
}

const forms = new WeakMap<EntityBlueprint, string | undefined>();

/**
 * Returns a string that is the same for all entities whose primary keys have the same form. Returns undefined if the
 * entity lacks a key attribute.
 */
function formOf(table: TableUnderCheck, entity: EntityBlueprint): string | undefined {
  if (forms.has(entity)) return forms.get(entity);
  const sources = keysIn(entity, table.key);
  const form =
    sources && JSON.stringify(sources.map(({ natural, template, facts }) => [natural, partForms(template), facts]));
  forms.set(entity, form);
  return form;
}

/** Returns a template without the names of its parts, because they do not affect the keys. */
function partForms(template: Template): readonly unknown[] {
  return mapParts(
    template,
    (text) => text,
    ({ format }) => [format],
  );
}

function entitiesNear(table: TableUnderCheck, entity: EntityBlueprint): readonly EntityBlueprint[] {
  const [partition = '', sort = ''] = (keysIn(entity, table.key) ?? []).map(({ template }) => headOf(template));
  return neighbours(table, table.key, partition, sort);
}

function sameKey(table: TableUnderCheck, found: EntityBlueprint, all: readonly EntityBlueprint[]): Found<Cause> {
  const show = ({ keys }: EntityBlueprint) =>
    keyOf(table.key)
      .map(({ name }) => `'${keys.get(name)?.template.text}'`)
      .join(', ');
  const last = (table.key.sort ?? table.key.partition).name;
  const { entity, word } = newWord(found, all, last);
  const others = all.filter((other) => other !== entity);
  const named = others.map((other) => `${other.name} (${show(other)})`);
  const source = entity.keys.get(last) as KeySource;
  const { natural, template } = source;
  const proposed = `'${partsOf(template).length === 0 ? word : `${word}${table.separator}${template.text}`}'`;
  return {
    ...atKey(source, { entities: others.map(({ name }) => name) }),
    cause: 'two-entities',
    message: `${entity.name} (${show(entity)}) can have the same primary key as ${shortList(named, 5)}, so the second item is refused, or overwrites the first`,
    fix: natural
      ? `give each entity a template for '${last}', such as ${last}: ${proposed}`
      : `write ${last}: ${proposed}${others.length > 1 ? ', and give each of the other entities a distinct key' : ''}`,
    ...(others.length === 1 &&
      entity.guards === undefined &&
      keyEdits(table, source, template.text, proposed.slice(1, -1))),
  };
}

/**
 * Chooses the entity that gets a new key, and an unused word for that key. For a guard, the word is the name of its
 * unique value.
 */
function newWord(found: EntityBlueprint, all: readonly EntityBlueprint[], key: string) {
  const taken = all.map(({ keys }) => keys.get(key)?.template.text);
  const candidates = [found, ...all.filter((other) => other !== found)];
  const worded = (wordOf: (entity: EntityBlueprint) => string) =>
    candidates
      .map((entity) => ({ entity, word: wordOf(entity).toUpperCase() }))
      .find(({ word }) => !taken.includes(word));
  return (
    worded(({ name, guards }) => guards?.unique ?? name) ??
    worded(({ name, guards }) => (guards === undefined ? `${name}_KEY` : `${guards.entity}_${guards.unique}`)) ?? {
      entity: found,
      word: `${found.name}_${all.length}`.toUpperCase(),
    }
  );
}

/**
 * Reports an entity whose items in a partition all have the same key, or have keys that differ only by a time or a
 * listed value.
 */
function* twoItems(table: TableUnderCheck, entity: EntityBlueprint): Iterable<Found<Cause>> {
  const { key } = table;
  const last = entity.keys.get((key.sort ?? key.partition).name);
  const partition = key.sort && entity.keys.get(key.partition.name);
  if (last === undefined || (key.sort !== undefined && partition === undefined)) return;
  // A listed value divides items into groups, but does not distinguish the items in a group.
  if (!last.facts.every((facts) => isTime(facts) || facts?.values !== undefined)) return;
  const owners = partition === undefined ? [] : partsOf(partition.template).map(({ path }) => path.at(-1) as string);
  if (owners.some((owner) => isIdOf(entity.name, owner))) return;
  // If the partition key is also constant, `constant-key` reports the entity instead.
  if ([last, partition].every((source) => source && partsOf(source.template).length === 0)) return;
  const id = attributeNames(entity.design.attributes).find((attribute) => isIdOf(entity.name, attribute));
  // A pattern that reads a range, a page or a sorted list from an owner's partition expects several items there.
  const several = readsSeveral(table, entity.name);
  const isOwned = several === 'page' || (id !== undefined && owners.every((owner) => inWords(owner).endsWith('id')));
  if (!last.facts.some(isTime) && !(several !== undefined && isOwned)) return;
  const parts = partsOf(last.template);
  const shown = parts.map((part) => shownPart(part)).join(', ');
  const within = partition === undefined ? '' : ' of a partition';
  const differing =
    parts.length === 0
      ? `all items${within} have the same key, so`
      : `items${within} differ only by ${shown}, so if two have the same ${shown},`;
  // If every put overwrites, the second item is meant to replace the first.
  if (isReplaced(table, entity)) return;
  const withId = `${last.template.text}${table.separator}<${id ?? 'id'}>`;
  yield {
    severity: 'warning',
    ...atKey(last, { proposed: withId }),
    cause: parts.length === 0 ? 'nothing-apart' : last.facts.some(isTime) ? 'only-time-apart' : 'only-listed-apart',
    message: `${differing} the second item ${fateOf(table, entity)}`,
    fix: `${id === undefined ? "add an attribute 'id', and " : ''}${last.natural ? `sort by a template that also contains an id, such as '${withId}'` : `add ${id === undefined ? 'the id to the key' : 'an id'}: '${withId}'`}`,
  };
}

function isReplaced(table: TableUnderCheck, entity: EntityBlueprint): boolean {
  const puts = putsOf(table, entity);
  return puts.length > 0 && puts.every(replaces);
}

/** Describes what happens to an item whose key is already taken. A put is refused unless it has `replace`. */
function fateOf(table: TableUnderCheck, entity: EntityBlueprint): string {
  const puts = putsOf(table, entity);
  if (puts.length === 0) return 'is refused, or overwrites the first item if its put has replace: true';
  return puts.some(replaces) ? 'is refused, or overwrites the first item' : 'is refused';
}

function putsOf({ accesses }: TableUnderCheck, { name }: EntityBlueprint): readonly PatternAccess['step'][] {
  return accesses.filter(({ step, entities }) => step.op === 'put' && entities[0] === name).map(({ step }) => step);
}

function replaces(step: PatternAccess['step']): boolean {
  return step.op === 'put' && step.replace === true;
}

function isTime(facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'datetime';
}

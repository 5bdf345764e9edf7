import type { SchemaData } from '../../blueprint/attributes/data';
import { keyOf } from '../../blueprint/outline';
import { storedName } from '../../blueprint/stored';
import { partsOf as templateParts } from '../../blueprint/template-parts';
import { same } from '../canonical';
import { mergedInto, movedTo, partsOf, reasonFor } from '../diff/answers';
import { nestedIn } from '../diff/attributes';
import type { Answers, Change } from '../diff/change';
import { attributeChanges } from '../diff/members';
import { isConditionedOtherwise } from '../diff/membership';
import { pair, storedRenames } from '../diff/pairs';
import { acrossTables, type EntityPair, type Pair, tablesOf } from '../diff/sides';
import { renamedText } from '../diff/texts';
import { guardChanges, lackedGuards } from '../diff/uniques';
import { recomputed } from '../diff/written';
import type { Lock, LockedEntity } from '../lock/lock';
import { included } from '../schema/inclusion';
import { absent } from '../schema/structures';
import type { ItemChange, SplitChange } from './plan';

/**
 * Returns, for each entity, how its stored items change between two locks. Leaves out entities whose items stay
 * unchanged.
 */
export function itemChanges(before: Lock, after: Lock, answers: Answers): readonly ItemChange[] {
  const { both, gone } = pair(before.tables, after.tables, answers);
  const kept = both.flatMap(([was, is]) => inTable(tablesOf(before, after, was, is, answers)));
  const dropped = gone.flatMap((table) =>
    Object.keys(before.tables[table]?.design?.entities ?? {}).map((entity) => ({
      from: { table, entity },
      ...NOTHING,
    })),
  );
  return [...kept, ...dropped].filter(isSomething);
}

const NOTHING = { keys: {}, moves: false, renamed: {}, defaults: [], removed: [], needsUp: [] };

function isSomething(change: ItemChange): boolean {
  const { to, type, keys, moves, nested = {}, defaults, removed, needsUp, missed, splits, guards } = change;
  const renamed = storedRenames(change);
  const named = [...Object.keys({ ...keys, ...renamed, ...nested }), ...defaults, ...removed, ...needsUp];
  return (
    to === undefined || type !== undefined || moves || named.length > 0 || (missed ?? splits ?? guards) !== undefined
  );
}

function inTable(tables: Pair): readonly ItemChange[] {
  const { before, after, answers } = tables;
  const [was, is] = [before.design?.entities ?? {}, after.design?.entities ?? {}];
  const { both, gone } = pair(was, is, answers, before.name);
  const paired = (formerName: string, entity: string): EntityPair => ({
    ...tables,
    entity,
    formerName,
    was: was[formerName] as LockedEntity,
    is: is[entity] as LockedEntity,
  });
  return [
    ...both.map(([formerName, entity]) => inEntity(paired(formerName, entity))),
    ...gone.map((entity): ItemChange => {
      const target = mergedInto(answers, before.name, entity);
      if (target !== undefined && is[target] !== undefined) return mergedFrom(inEntity(paired(entity, target)));
      const across = acrossTables(tables, movedTo(answers, before.name, entity), entity);
      return across === undefined ? { from: { table: before.name, entity }, ...NOTHING } : inEntity(across);
    }),
    ...guardChanges(tables),
  ];
}

/**
 * Marks a change as a merge. No release stores items of the merged entity anymore, so the running release never misses
 * an attribute in them.
 */
function mergedFrom({ missed: _, ...change }: ItemChange): ItemChange {
  return { ...change, merged: true };
}

function inEntity(entityPair: EntityPair): ItemChange {
  const { before, after, answers, was, is, entity, formerName } = entityPair;
  const [shapeBefore, shape] = [was.attributes.shape ?? {}, is.attributes.shape ?? {}];
  const attributes = pair(shapeBefore, shape, answers, before.name, formerName);
  const renamed = Object.fromEntries(attributes.both.filter(([old, now]) => old !== now));
  const names = attributes.both
    .map(([old, now]): [string, string] => [storedName(was, old), storedName(is, now)])
    .filter(([old, now]) => old !== now);
  const stored = Object.fromEntries(names);
  const nested = nestedIn(entityPair);
  const all = [...attributeChanges(entityPair)];
  const own = all.filter(
    ({ rule, verdict }) => verdict === 'plan' || (verdict === 'ask' && rule !== 'attribute-default'),
  );
  const missed = all.flatMap(({ rule, subject: { attribute = '' }, breaks }) =>
    rule === 'attribute-removed' && breaks.some(({ who }) => who === 'old-readers') ? [attribute] : [],
  );
  const named = (rules: ReadonlySet<Change['rule']>) => [
    ...new Set(own.filter(({ rule }) => rules.has(rule)).map(({ subject }) => subject.attribute as string)),
  ];
  const formatted = new Set(
    own
      .filter(({ rule, verdict }) => rule === 'key-format' && verdict === 'plan')
      .map(({ subject }) => subject.attribute),
  );
  const keys = keyChanges(entityPair, formatted);
  const downs = [...new Set([...named(NEEDS_DOWN), ...[...formatted].map(String)])];
  const primary = keyOf(after.physical.key).map(({ name }) => name);
  const [marked, mark] = [before, after].map(({ design }) => design?.typeAttribute);
  const isMarked = marked !== mark || (mark !== undefined && was.type !== is.type);
  const hard = [...named(NEEDS_UP), ...[...formatted].map(String)];
  const computed = recomputed(entityPair);
  const isFilled = (name: string) => computed.includes(name) || hasDefault(shape[name] as SchemaData);
  const splits = splitsOf(entityPair, formerName, shapeBefore);
  const guards = lackedGuards(entityPair);
  const isElsewhere = before.name !== after.name || formerName !== entity;
  return {
    from: { table: before.name, entity: formerName },
    to: { table: after.name, entity },
    ...(isMarked ? { type: { before: marked && was.type, after: mark && is.type } } : {}),
    keys,
    moves: before.name !== after.name || primary.some((name) => Object.hasOwn(keys, name)),
    renamed,
    ...(same(stored, renamed) ? {} : { stored }),
    ...(nested.size === 0 ? {} : { nested: Object.fromEntries(nested) }),
    // Like a default, a computed value needs no `up`.
    defaults: [...attributes.added, ...hard, ...computed].filter(
      (name, i, all) => name in shape && isFilled(name) && all.indexOf(name) === i,
    ),
    removed: [
      ...Object.keys(stored),
      ...[...nested.keys()].map((name) => storedName(was, name)),
      ...(marked !== undefined && marked !== mark ? [marked] : []),
      // An attribute stays in stored items unless the user gives a reason to remove it.
      ...attributes.gone
        .filter(
          (name) =>
            !nested.has(name) &&
            (reasonFor(answers, ['tables', after.name, 'entities', entity, 'attributes', name]) ||
              (isElsewhere && mergedInto(answers, before.name, formerName) === entity)),
        )
        .map((name) => storedName(was, name)),
    ],
    needsUp: [...new Set(hard)].filter((name) => !isFilled(name)),
    ...(downs.length === 0 ? {} : { downs }),
    ...(missed.length === 0 ? {} : { missed }),
    ...(splits.length === 0 ? {} : { splits }),
    ...(guards.length === 0 ? {} : { guards }),
  };
}

/**
 * Returns the entities that an entity is split into, each with the attributes that the original entity's items do not
 * supply.
 */
function splitsOf({ before, after, answers }: Pair, entity: string, shape: Shape): readonly SplitChange[] {
  return partsOf(answers, before.name, entity).map((part) => {
    const wanted = Object.entries(after.design?.entities[part]?.attributes.shape ?? {});
    const missing = wanted.filter(([name, schema]) => {
      const given = shape[name];
      return (given === undefined ? absent(schema) : included(given, schema)).verdict !== 'yes';
    });
    return { entity: part, needsUp: missing.map(([name]) => name) };
  });
}

type Shape = Readonly<Record<string, SchemaData>>;

const NEEDS_UP: ReadonlySet<Change['rule']> = new Set([
  'attribute-required',
  'attribute-narrowed',
  'attribute-type',
  'attribute-former',
  'attribute-default',
  'member-removed',
]);

const NEEDS_DOWN: ReadonlySet<Change['rule']> = new Set(['attribute-type']);

function hasDefault({ type, innerType }: SchemaData): boolean {
  return type === 'default' || type === 'prefault' || (innerType !== undefined && hasDefault(innerType));
}

/** Returns the keys that stored items gain or lose, and the keys whose form changes. */
function keyChanges(entityPair: EntityPair, formatted: ReadonlySet<string | undefined>): ItemChange['keys'] {
  const { before, after, entity, formerName, was } = entityPair;
  const old = before.entities.find(({ name }) => name === formerName)?.keys;
  const now = after.entities.find(({ name }) => name === entity)?.keys;
  const changed: Record<string, { before?: string; after?: string }> = {};
  for (const [attribute, { template, natural }] of now ?? []) {
    const text = old?.get(attribute) && renamedText(entityPair, old.get(attribute)?.template.text as string);
    // If the key is itself an attribute, items that have this attribute already have the key.
    const isThere = natural && (text !== undefined || Object.hasOwn(was.attributes.shape ?? {}, attribute));
    const isMoved = after.physical.indexes.some(
      (index) => keyOf(index).some(({ name }) => name === attribute) && isConditionedOtherwise(entityPair, index.name),
    );
    const isReformatted = templateParts(template).some(({ path: [name] }) => formatted.has(name));
    if (((text === template.text && !isMoved) || isThere) && !isReformatted) continue;
    changed[attribute] = { ...(text === undefined ? {} : { before: text }), after: template.text };
  }
  for (const [attribute, { template, natural }] of old ?? []) {
    if (!natural && now?.has(attribute) !== true)
      changed[attribute] = { before: renamedText(entityPair, template.text) };
  }
  return changed;
}

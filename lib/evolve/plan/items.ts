import type { SchemaData } from '../../blueprint/attributes/data';
import { keyOf } from '../../blueprint/table';
import { same } from '../canonical';
import { partsOf, reasonFor } from '../diff/answers';
import type { EntityPair } from '../diff/attributes';
import type { Answers, Change } from '../diff/change';
import { renamedText } from '../diff/entities';
import { type Pair, pair, tablesOf } from '../diff/sides';
import type { Lock, LockedEntity } from '../lock/lock';
import { included } from '../schema/inclusion';
import { absent } from '../schema/structures';
import type { ItemChange, SplitChange } from './plan';

/** What happens to stored items between two locks, by entity; entities whose items stay as they are are left out. */
export function itemChanges(
  before: Lock,
  after: Lock,
  answers: Answers,
  changes: readonly Change[],
): readonly ItemChange[] {
  const { both, gone } = pair(before.tables, after.tables, answers);
  const kept = both.flatMap(([was, is]) => {
    const tables = tablesOf(before, after, was, is, answers);
    return inTable(tables, changes);
  });
  const dropped = gone.flatMap((table) =>
    Object.keys(before.tables[table]?.design?.entities ?? {}).map((entity) => ({
      from: { table, entity },
      ...NOTHING,
    })),
  );
  return [...kept, ...dropped].filter(isSomething);
}

const NOTHING = { keys: {}, moves: false, renamed: {}, defaults: [], removed: [], needsUp: [] };

function isSomething({ to, type, keys, moves, renamed, defaults, removed, needsUp, splits }: ItemChange): boolean {
  const named = [...Object.keys(keys), ...Object.keys(renamed), ...defaults, ...removed, ...needsUp];
  return to === undefined || type !== undefined || moves || named.length > 0 || splits !== undefined;
}

function inTable(tables: Pair, changes: readonly Change[]): readonly ItemChange[] {
  const [was, is] = [tables.before.design?.entities ?? {}, tables.after.design?.entities ?? {}];
  const { both, gone } = pair(was, is, tables.answers, tables.before.name);
  return [
    ...both.map(([formerName, entity]) => inEntity(tables, formerName, entity, changes)),
    ...gone.map((entity) => ({ from: { table: tables.before.name, entity }, ...NOTHING })),
  ];
}

function inEntity(tables: Pair, formerName: string, entity: string, changes: readonly Change[]): ItemChange {
  const { before, after, answers } = tables;
  const was = before.design?.entities[formerName] as LockedEntity;
  const is = after.design?.entities[entity] as LockedEntity;
  const entityPair = { ...tables, entity, formerName, was, is };
  const [shapeBefore, shape] = [was.attributes.shape ?? {}, is.attributes.shape ?? {}];
  const attributes = pair(shapeBefore, shape, answers, before.name, formerName);
  const renamed = Object.fromEntries(attributes.both.filter(([old, now]) => old !== now));
  const keys = keyChanges(entityPair);
  const primary = keyOf(after.plan.key).map(({ name }) => name);
  const [marked, mark] = [before, after].map(({ design }) => design?.typeAttribute);
  const isMarked = marked !== mark || (mark !== undefined && was.type !== is.type);
  const own = changes.filter(
    ({ subject }) => subject.entity === entity && (subject.table === after.name || subject.table === before.name),
  );
  const hard = own.filter(({ rule }) => NEEDS_UP.has(rule)).map(({ subject }) => subject.attribute as string);
  const isFilled = (name: string) => hasDefault(shape[name] as SchemaData);
  const splits = splitsOf(tables, formerName, shapeBefore);
  return {
    from: { table: before.name, entity: formerName },
    to: { table: after.name, entity },
    ...(isMarked ? { type: { before: marked && was.type, after: mark && is.type } } : {}),
    keys,
    moves: before.name !== after.name || primary.some((name) => Object.hasOwn(keys, name)),
    renamed,
    defaults: [...attributes.added, ...hard].filter(
      (name, i, all) => name in shape && isFilled(name) && all.indexOf(name) === i,
    ),
    removed: [
      ...Object.keys(renamed),
      // Without a reason to remove it, an attribute stays in stored items.
      ...attributes.gone.filter((name) =>
        reasonFor(answers, `tables.${after.name}.entities.${entity}.attributes.${name}`),
      ),
    ],
    needsUp: [...new Set(hard)].filter((name) => !isFilled(name)),
    ...(splits.length === 0 ? {} : { splits }),
  };
}

/** The entities that an entity is split into, with the attributes that its items do not supply. */
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
]);

function hasDefault({ type, innerType }: SchemaData): boolean {
  return type === 'default' || type === 'prefault' || (innerType !== undefined && hasDefault(innerType));
}

/** The keys that stored items get, lose, or get in another form. */
function keyChanges(entityPair: EntityPair): ItemChange['keys'] {
  const { before, after, entity, formerName, was, is } = entityPair;
  const old = before.plan.entities.find(({ name }) => name === formerName)?.keys;
  const now = after.plan.entities.find(({ name }) => name === entity)?.keys;
  const changed: Record<string, { before?: string; after?: string }> = {};
  for (const [attribute, { template, natural }] of now ?? []) {
    const text = old?.get(attribute) && renamedText(entityPair, old.get(attribute)?.template.text as string);
    // A natural key is already there if items have the attribute.
    const isThere = natural && (text !== undefined || Object.hasOwn(was.attributes.shape ?? {}, attribute));
    const isMoved = after.plan.indexes.some(
      (index) =>
        keyOf(index).some(({ name }) => name === attribute) &&
        !same(was.indexes?.[index.name], is.indexes?.[index.name]),
    );
    if ((text === template.text && !isMoved) || isThere) continue;
    changed[attribute] = { ...(text === undefined ? {} : { before: text }), after: template.text };
  }
  for (const [attribute, { template, natural }] of old ?? []) {
    if (!natural && now?.has(attribute) !== true)
      changed[attribute] = { before: renamedText(entityPair, template.text) };
  }
  return changed;
}

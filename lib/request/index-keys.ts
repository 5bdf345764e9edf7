import { counterpartOf } from '../blueprint/keys';
import type { KeyTemplates } from '../design/pattern';
import { type Hole, template } from '../design/template';
import { ItemError, schemaOf } from './item';
import type { EntityPlan, KeyPlan, Plan } from './plan';
import { mayLack } from './schema';

/** A key of an index that an update can write. */
export interface IndexKey extends KeyPlan {
  /** Whether an item can be without what it is made of, and so not be in the index. */
  readonly sparse: boolean;
}

/** What an update does to the attributes that keys are made of. */
export interface Change {
  readonly touched: readonly string[];
  /** Whether a part of a key has a value, and the update knows it. */
  isKnown(hole: Hole): boolean;
  /** Whether a part of a key has no value after it. */
  isGone(hole: Hole): boolean;
}

/** The keys of the indexes that an entity can be in; those of the table are not an update's to write. */
export function indexKeys({ primary }: Plan, entity: EntityPlan): readonly (readonly IndexKey[])[] {
  const schema = schemaOf(entity);
  return entity.indexes.map(({ keys }) =>
    keys
      .filter(({ name }) => !primary.includes(name))
      .map((key) => ({ ...key, sparse: key.template.holes.some(({ path }) => mayLack(schema, path)) })),
  );
}

/** What a change comes to: which index keys are rewritten, and which go. Refuses to leave one half right. */
export function settle(
  pattern: string,
  indexes: readonly (readonly IndexKey[])[],
  change: Change,
  upsert: boolean,
): { readonly rewritten: readonly IndexKey[]; readonly removed: readonly string[] } {
  const left = new Set<readonly IndexKey[]>();
  const rewritten = new Map<string, IndexKey>();
  for (const index of indexes) {
    const touched = index.filter(({ template }) =>
      template.holes.some((hole) => change.touched.some((path) => overlaps(path, hole.name))),
    );
    const unknown = ({ natural, template }: IndexKey) =>
      natural ? [] : template.holes.filter((hole) => !change.isKnown(hole));
    if (touched.some(({ template }) => template.holes.some((hole) => change.isGone(hole)))) left.add(index);
    // A new item gets all of its keys. One that may have left the index needs all of them to be back in it.
    else if ((upsert && !index.some((key) => unknown(key).length > 0)) || touched.some(({ sparse }) => sparse))
      for (const key of index) rewritten.set(key.name, key);
    else for (const key of touched) rewritten.set(key.name, key);
    for (const key of left.has(index) ? [] : index) {
      const missing = rewritten.has(key.name) ? unknown(key) : [];
      if (missing.length > 0) throw halfKey(pattern, key, missing);
    }
  }
  const stays = new Set(indexes.flatMap((index) => (left.has(index) ? [] : index.map(({ name }) => name))));
  return {
    rewritten: [...rewritten.values()].filter(({ natural }) => !natural),
    removed: [...left].flat().flatMap(({ name, natural }) => (natural || stays.has(name) ? [] : [name])),
  };
}

/** The attributes whose values the key condition gives, each with its place among the parameters. */
export function toldBy(entity: EntityPlan, where: KeyTemplates): ReadonlyMap<string, readonly string[]> {
  const told = new Map<string, readonly string[]>();
  for (const key of entity.primary) {
    const asked = template(where[key.name] ?? '');
    for (const hole of asked.holes) {
      const counterpart = counterpartOf(asked, hole, key.template);
      // A date tells nothing of the time that it is a piece of.
      if (counterpart === undefined || counterpart.format !== hole.format || typeof hole.format === 'string') continue;
      told.set(counterpart.name, hole.path);
    }
  }
  return told;
}

/** Whether what is at one path is all inside what is at the other. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** Whether a change at one path can change what is at the other. */
export function overlaps(path: string, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}

function halfKey(pattern: string, { name, template }: KeyPlan, missing: readonly Hole[]): ItemError {
  const names = missing.map((hole) => hole.name);
  const unknown = names.map((attribute) => `<${attribute}>`).join(', ');
  return new ItemError(
    `${pattern}: it changes part of ${name} '${template.text}' and does not know ${unknown}; add ${names.join(', ')} to 'set'`,
  );
}

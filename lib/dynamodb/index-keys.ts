import { mayLack } from '../blueprint/attributes/schema';
import * as blueprint from '../blueprint/updates';
import type { KeyTemplates } from '../design/pattern';
import { ItemError, schemaOf } from '../items/item';
import type { EntityPlan, KeyPlan, Plan } from '../items/plan';

/** A key of an index that an update can write. */
export interface IndexKey extends KeyPlan, blueprint.IndexKey {
  readonly name: string;
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
  change: blueprint.Change,
  upsert: boolean,
): blueprint.Settlement<IndexKey> {
  const settlement = blueprint.settle(indexes, change, upsert);
  if (settlement.half === undefined) return settlement;
  const { key, missing } = settlement.half;
  const names = missing.map((hole) => hole.name);
  const unknown = names.map((attribute) => `<${attribute}>`).join(', ');
  throw new ItemError(
    `${pattern}: it changes part of ${key.name} '${key.template.text}' and does not know ${unknown}; add ${names.join(', ')} to 'set'`,
  );
}

/** The attributes whose values the key condition gives, each with its place among the parameters. */
export function toldBy({ primary }: EntityPlan, where: KeyTemplates): ReadonlyMap<string, readonly string[]> {
  return blueprint.toldBy(
    primary.map(({ name, template }) => [name, template] as const),
    where,
  );
}

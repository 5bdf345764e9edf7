import type { TableDesign } from '../design/table';
import { type AttributeFacts, attributeAt } from './attributes/facts';
import { type EntityOutline, type KeySource as OutlinedKey, outline, type TableOutline } from './outline';

export type {
  IndexBlueprint,
  KeyAttribute,
  KeyBlueprint,
  KeyType,
  PatternBlueprint,
} from './outline';
export { entitiesNamed, entityNamed, isSortKey, keyOf, keysIn, keyTypes } from './outline';

/** All that a table comes to: its outline, and what the schemas say of the values that keys are made of. */
export interface TableBlueprint extends TableOutline {
  readonly entities: readonly EntityBlueprint[];
  /** The keys of all entities, one after the other. */
  readonly sources: readonly KeySource[];
}

export interface EntityBlueprint extends EntityOutline {
  readonly keys: ReadonlyMap<string, KeySource>;
}

export interface KeySource extends OutlinedKey {
  /** What the schema says of each part that a value fills, in the order of the template's holes. */
  readonly facts: readonly (AttributeFacts | undefined)[];
}

const made = new WeakMap<TableDesign, TableBlueprint>();

/** The blueprint of a design; made once. */
export function blueprint(design: TableDesign): TableBlueprint {
  let plan = made.get(design);
  if (plan === undefined) {
    const table = outline(design);
    const entities = table.entities.map(withFacts);
    plan = { ...table, entities, sources: entities.flatMap(({ keys }) => [...keys.values()]) };
    made.set(design, plan);
  }
  return plan;
}

function withFacts(entity: EntityOutline): EntityBlueprint {
  const keys = new Map<string, KeySource>();
  for (const [attribute, source] of entity.keys) {
    const facts = source.template.holes.map(({ path }) => attributeAt(entity.schema, path));
    keys.set(attribute, { ...source, facts });
  }
  return { ...entity, keys };
}

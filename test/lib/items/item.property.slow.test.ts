import { type EntityOutline, keysIn, outline, type TableOutline } from '../../../lib/blueprint/outline';
import type { TableDesign } from '../../../lib/design/table';
import { entityOf, makeItem, readItem } from '../../../lib/items/item';
import { systemsOf } from '../../../lib/systems';
import fc from '../../support/fuzz';
import { valuesOf } from '../dynamodb/arbitrary';
import { library } from '../dynamodb/designs';

const designs: readonly TableDesign[] = [library, ...systemsOf('aws').flatMap(({ tables }) => Object.values(tables))];
const entities = designs.flatMap((design) =>
  Array.from(outline(design).entities, (entity) => [`${design.name} ${entity.name}`, design, entity] as const),
);

/**
 * Generates attribute values that also fit into the entity's keys: a book's number, for example, has at most six
 * digits.
 */
function anyValues(entity: EntityOutline): fc.Arbitrary<object> {
  const values = valuesOf(entity.design.attributes) as fc.Arbitrary<{ readonly number?: number }>;
  const { attributes } = entity.design;
  // Filters the values, because the generator cannot satisfy a refinement across attributes, which is a function.
  return values.filter((some) => (some.number ?? 0) >= 0 && (some.number ?? 0) < 1e6 && isAccepted(attributes, some));
}

function isAccepted(attributes: object, values: object): boolean {
  return (attributes as { safeParse(values: object): { success: boolean } }).safeParse(values).success;
}

function check(design: TableDesign, entity: EntityOutline, test: (values: object, plan: TableOutline) => void): void {
  const plan = outline(design);
  fc.assert(fc.property(anyValues(entity), (values) => test(values, plan)));
}

test.each(entities)('%s: reading an item returns the written values', (_, design, entity) => {
  const type = design.typeAttribute === undefined ? {} : { [design.typeAttribute]: entity.type };
  check(design, entity, (values, plan) => {
    expect(readItem(plan, entity, makeItem(plan, entity, values))).toEqual({ ...values, ...type });
  });
});

test.each(entities)('%s: entityOf identifies an item by its type, and also by its keys alone', (_, design, entity) => {
  const { typeAttribute = '' } = design;
  check(design, entity, (values, plan) => {
    const item = makeItem(plan, entity, values);
    expect(entityOf(plan, item, plan.entities)).toBe(entity);
    const { [typeAttribute]: _, ...untyped } = item;
    expect(entityOf(plan, untyped, [entity])).toBe(entity);
  });
});

test.each(entities)(
  '%s: an item has both keys of an index or neither, and no undefined values',
  (_, design, entity) => {
    check(design, entity, (values, plan) => {
      const item = makeItem(plan, entity, values);
      expect(Object.values(item)).not.toContain(undefined);
      for (const name of entity.design.keyOnly ?? []) expect(item).not.toHaveProperty([name]);
      for (const keys of plan.indexes.map((index) => keysIn(entity, index) ?? [])) {
        // A natural key is also an attribute, so an item may have it without being in the index.
        const there = keys.filter(({ natural }) => !natural).map(({ attribute }) => attribute in item);
        expect(new Set(there).size).toBeLessThan(2);
      }
    });
  },
);

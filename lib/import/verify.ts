import { entityNamed, outline } from '../blueprint/outline';
import { type Item, makeItem, valuesOf } from '../items/item';
import { type Description, designOf, type Evidence, type Remark } from './description';

/**
 * Renders every item in the evidence again, and compares the new keys with the stored keys byte by byte. Marks a key as
 * unsure if its new and stored values differ, or if there is no evidence for the key.
 */
export function verified(description: Description): Description {
  const { tables, evidence = [], remarks } = description;
  const found = tables.flatMap((table) => {
    const { entities, keyAttributes, ...rest } = outline(designOf(table));
    return entities.flatMap((entity): readonly Remark[] => {
      const at = [table.name, 'entities', entity.name];
      if (entity.guards !== undefined) return [];
      const own = evidence.filter((one) => one.table === table.name && one.entity === entity.name);
      if (own.length === 0)
        return entity.design.keys === undefined ? [] : [{ path: [...at, 'keys'], text: NOT_VERIFIED, unsure: true }];
      const differing = new Map<string, number>();
      const faults: string[] = [];
      for (const one of own) {
        const made = remade({ ...rest, entities, keyAttributes }, one);
        if (typeof made === 'string') faults.push(made);
        else
          for (const { name } of keyAttributes)
            if (!sameKey(made[name], one.item[name])) differing.set(name, (differing.get(name) ?? 0) + 1);
      }
      return [
        ...(faults.length > 0
          ? [
              {
                path: at,
                text: `${faults.length} of ${own.length} items do not fit this entity: ${faults[0]}`,
                unsure: true,
              },
            ]
          : []),
        ...[...differing].map(([name, count]) => ({
          path: [...at, entity.design.keys?.[name] === undefined ? 'attributes' : 'keys', name],
          text: `the rendered key differs from the stored key in ${count} of ${own.length} items`,
          unsure: true,
        })),
      ];
    });
  });
  return { ...description, remarks: [...remarks, ...found] };
}

const NOT_VERIFIED = 'there is no item to compare these keys with';

/** Builds the item again from its values. If that fails, returns the error message. */
function remade(table: ReturnType<typeof outline>, { entity: name, item, values }: Evidence): Item | string {
  const entity = entityNamed(table, name);
  if (entity === undefined) return `there is no entity '${name}'`;
  try {
    return makeItem(table, entity, values ?? valuesOf(table, entity, item));
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ');
  }
}

function sameKey(made: unknown, stored: unknown): boolean {
  if (made instanceof Uint8Array && stored instanceof Uint8Array) return Buffer.compare(made, stored) === 0;
  return made === stored;
}

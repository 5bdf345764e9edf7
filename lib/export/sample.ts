import { samplesOf } from '../blueprint/attributes/samples';
import type { EntityOutline, TableOutline } from '../blueprint/outline';
import { type Item, makeItem } from '../items/item';

/** Returns an item that the entity's schema accepts, or undefined if no sample fits. */
export function sampleItem(table: TableOutline, entity: EntityOutline): Item | undefined {
  for (const { given } of samplesOf(entity.schema)) {
    try {
      return makeItem(table, entity, given as object);
    } catch {
      // This sample has no valid key, but the next one might.
    }
  }
  return undefined;
}

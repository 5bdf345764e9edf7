import { type EntityOutline, entitiesNamed, type TableOutline } from '../blueprint/outline';
import { entityOf, type Item, ItemError, showKey } from './item';
import type { OnUnknown } from './result';

/** What a read pattern says of what it returns. */
interface Returning {
  readonly returns: readonly string[];
  readonly select?: readonly string[];
}

/** Reads items back. What the design does not know, or the pattern does not return, goes to `onUnknown` or is thrown. */
export function readItems(
  table: TableOutline,
  { returns, select }: Returning,
  items: Iterable<Item>,
  read: (entity: EntityOutline, item: Item, select: readonly string[] | undefined) => Item,
  onUnknown?: OnUnknown,
): readonly Item[] {
  const entities = entitiesNamed(table, returns);
  const found: Item[] = [];
  for (const item of items) {
    try {
      const entity = entityOf(table, item, entities);
      if (entity === undefined) throw unknownItem(table, item, returns);
      found.push(read(entity, item, select));
    } catch (error) {
      if (!(error instanceof ItemError) || onUnknown === undefined) throw error;
      onUnknown(item, error);
    }
  }
  return found;
}

function unknownItem(table: TableOutline, item: Item, returns: readonly string[]): ItemError {
  const known = entityOf(table, item, table.entities);
  const what = known === undefined ? 'is not one that the design knows' : `is a ${known.name}`;
  return new ItemError(`the item ${showKey(table, item)} ${what}, and the pattern returns ${returns.join(', ')}`);
}

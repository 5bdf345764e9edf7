import { type KeyAttribute, keyOf } from '../../blueprint/outline';
import type { IndexBlueprint } from '../../blueprint/table';
import { withArticle } from '../../design/show';
import { KEY_BYTES } from '../../design/template';
import type { Item } from '../../items/item';

/** Returns the name of the first index that would reject an item, with the reason. */
export function firstViolation(indexes: readonly IndexBlueprint[], item: Item): string | undefined {
  for (const index of indexes) {
    const why = violationOf(index, item);
    if (why !== undefined) return `index ${index.name}: ${why}`;
  }
  return undefined;
}

/**
 * Returns the reason why an index would reject an item; undefined if there is none. A missing key attribute is not a
 * reason: DynamoDB then only leaves the item out of the index.
 */
export function violationOf(index: IndexBlueprint, item: Item): string | undefined {
  for (const key of keyOf(index)) {
    const most = index.partitionBy.includes(key) ? KEY_BYTES.partition : KEY_BYTES.sort;
    const why = faultOf(key, item[key.name], most);
    if (why !== undefined) return why;
  }
  return undefined;
}

function faultOf({ name, type }: KeyAttribute, value: unknown, most: number): string | undefined {
  if (value === undefined) return undefined;
  const got = typeOf(value);
  if (got !== type) return `${name} must be ${withArticle(type)}, but is ${value === null ? got : withArticle(got)}`;
  const { length } = Buffer.from(typeof value === 'string' ? value : value instanceof Uint8Array ? value : '1');
  if (length === 0) return `${name} is empty`;
  return length > most ? `${name} has ${length} bytes, but a key is limited to ${most}` : undefined;
}

function typeOf(value: unknown): string {
  if (typeof value === 'bigint') return 'number';
  return value instanceof Uint8Array ? 'binary' : value === null ? 'null' : typeof value;
}

import { outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import type { Send } from '../../dynamodb/sending';
import { entityOf, type Item, makeItem, readItem, showKey } from '../../items/item';

export interface SampledItems {
  readonly read: number;
  /** The keys of the faulty items, each with the reason. */
  readonly faults: readonly { readonly key: string; readonly why: string }[];
}

/**
 * The number of segments to read, so that the sample spans several partitions, and the number of items to read in each.
 */
const SEGMENTS = 4;
const ITEMS = 25;

/**
 * Reads a sample of a table's items, and checks that each item fits one of the designs and has exactly the keys that
 * this design would give it. While a plan is under way, the table holds items of both the old and the new design.
 */
export async function sampleOf(send: Send, tableName: string, designs: readonly TableDesign[]): Promise<SampledItems> {
  const pages = await Promise.all(
    Array.from({ length: SEGMENTS }, (_, Segment) =>
      send('Scan', { TableName: tableName, Limit: ITEMS, Segment, TotalSegments: SEGMENTS }),
    ),
  );
  const items = pages.flatMap(({ Items = [] }) => Items as Item[]);
  const faults = items.flatMap((item) => {
    const found = designs.map((design) => faultIn(design, item));
    const [first] = designs;
    const [why] = found;
    if (first === undefined || why === undefined || found.includes(undefined)) return [];
    return [{ key: showKey(outline(first), item), why }];
  });
  return { read: items.length, faults };
}

/**
 * Why a stored item does not fit a design, or why its keys differ from those that the design would give it; undefined
 * if the item matches.
 */
export function faultIn(design: TableDesign, item: Item): string | undefined {
  const table = outline(design);
  const entity = entityOf(table, item, table.entities);
  if (entity === undefined) return 'the item belongs to no entity of the design';
  try {
    const { [table.typeAttribute ?? '']: _, ...values } = readItem(table, entity, item);
    const made = makeItem(table, entity, values);
    const keys = table.keyAttributes.filter(({ name }) => made[name] !== item[name]);
    if (keys.length === 0) return undefined;
    return keys
      .map(
        ({ name }) =>
          `${entity.name}: ${name} is ${shown(item[name])}, but the item's values produce ${shown(made[name])}`,
      )
      .join('; ');
  } catch (error) {
    return `${entity.name}: ${(error as Error).message}`;
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

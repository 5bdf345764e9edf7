import type { DatabaseOf } from '../../../lib/engine/database';
import type { Item } from '../../../lib/items/item';

type AnyCloud = Pick<DatabaseOf<never, unknown>, 'scan' | 'get' | 'put' | 'remove' | 'restore'>;

/**
 * What every database does with stored items, on whichever cloud. The caller makes the table anew for each test.
 * @param itemOf an item that has a number as its key, and a text
 */
export function describeItems(
  table: string,
  database: () => AnyCloud,
  itemOf: (n: number, text: string) => Item,
): void {
  describe('as to stored items', () => {
    const some = (count: number, text = 'x') => Array.from({ length: count }, (_, n) => itemOf(n, text));
    /** How many items the table holds with each text. */
    const texts = async () => {
      const counts: Record<string, number> = {};
      for await (const item of database().scan(table)) {
        const text = String((Object(item.text) as { value?: unknown }).value ?? item.text);
        counts[text] = (counts[text] ?? 0) + 1;
      }
      return counts;
    };

    test('puts more of them than one request takes, and reads them all', async () => {
      await database().put(table, some(110));
      expect(await texts()).toEqual({ x: 110 });
    });

    test('replaces an item by another with the same key, and accepts an empty list', async () => {
      await database().put(table, some(3));
      await database().put(table, [itemOf(1, 'y')]);
      await database().put(table, []);
      expect(await texts()).toEqual({ x: 2, y: 1 });
    });

    test('reads one by its key, whatever else is given', async () => {
      await database().put(table, some(2));
      expect(await database().get(table, itemOf(1, 'other'))).toMatchObject({ text: expect.anything() });
      expect(await database().get(table, itemOf(2, 'x'))).toBeUndefined();
    });

    test('removes items by their keys, whether they are there or not', async () => {
      await database().put(table, some(30));
      await database().remove(
        table,
        [...some(28), itemOf(99, 'x')].map((item) => ({ ...item, text: 'other' })),
      );
      expect(await texts()).toEqual({ x: 2 });
    });

    test('restores what a table held: puts back what is gone or changed, and removes what came', async () => {
      await database().put(table, some(30));
      const before: Item[] = [];
      for await (const item of database().scan(table)) before.push(item);
      await database().remove(table, some(2));
      await database().put(table, [itemOf(5, 'changed'), itemOf(40, 'new')]);
      await database().restore(table, before);
      expect(await texts()).toEqual({ x: 30 });
      await database().restore(table, []);
      expect(await texts()).toEqual({});
    });

    test('names the error for a table that is not there', async () => {
      await expect(database().put(`${table}missing`, some(1))).rejects.toThrow();
      await expect(database().restore(`${table}missing`, some(1))).rejects.toThrow();
    });
  });
}

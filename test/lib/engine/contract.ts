import type { DatabaseOf } from '../../../lib/engine/database';
import type { Item } from '../../../lib/items/item';

type AnyCloud = Pick<DatabaseOf<never, unknown>, 'scan' | 'get' | 'put' | 'remove' | 'restore'>;

/**
 * Tests how a database stores items, on any cloud. The caller recreates the table for each test.
 * @param itemOf creates an item from its key (a number) and its text
 */
export function describeItems(
  table: string,
  database: () => AnyCloud,
  itemOf: (n: number, text: string) => Item,
): void {
  describe('stored items', () => {
    const some = (count: number, text = 'x') => Array.from({ length: count }, (_, n) => itemOf(n, text));
    /** Returns the number of stored items for each text. */
    const texts = async () => {
      const counts: Record<string, number> = {};
      for await (const item of database().scan(table)) {
        const text = String((Object(item.text) as { value?: unknown }).value ?? item.text);
        counts[text] = (counts[text] ?? 0) + 1;
      }
      return counts;
    };

    test('puts more items than fit in one request, and reads all of them', async () => {
      await database().put(table, some(110));
      expect(await texts()).toEqual({ x: 110 });
    });

    test('replaces an item with the same key, and accepts an empty list', async () => {
      await database().put(table, some(3));
      await database().put(table, [itemOf(1, 'y')]);
      await database().put(table, []);
      expect(await texts()).toEqual({ x: 2, y: 1 });
    });

    test('reads an item by its key, and ignores other attributes in the argument', async () => {
      await database().put(table, some(2));
      expect(await database().get(table, itemOf(1, 'other'))).toMatchObject({ text: expect.anything() });
      expect(await database().get(table, itemOf(2, 'x'))).toBeUndefined();
    });

    test('removes items by key, and ignores missing items', async () => {
      await database().put(table, some(30));
      await database().remove(
        table,
        [...some(28), itemOf(99, 'x')].map((item) => ({ ...item, text: 'other' })),
      );
      expect(await texts()).toEqual({ x: 2 });
    });

    test('restores missing and changed items of a table, and removes new ones', async () => {
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

    test('rejects access to a missing table', async () => {
      await expect(database().put(`${table}missing`, some(1))).rejects.toThrow();
      await expect(database().restore(`${table}missing`, some(1))).rejects.toThrow();
    });
  });
}

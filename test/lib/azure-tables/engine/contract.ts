import type { AzureCall } from '../../../../lib/azure-tables';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { stackOf } from '../../../support/azurite';
import { describeItems } from '../../engine/contract';

/** Tests the behavior that every Azure Tables database must have, whichever engine serves the tables. */
export function describeAzureDatabase(name: string, start: () => Promise<AzureDatabase>): void {
  describe(`the database ${name}`, () => {
    const table = `contract${process.pid}x${Date.now().toString(36)}`;
    let database: AzureDatabase;

    beforeAll(async () => {
      database = await start();
    });
    afterAll(() => database.stop());
    beforeEach(() => database.provision(stackOf(table)));
    afterEach(() => database.drop(table));

    const send = (call: AzureCall) => database.send(table, call);
    const entity = (rowKey: string, more: object = {}) => ({ partitionKey: 'P', rowKey, ...more }) as never;
    const create = (rowKey: string, more?: object) => send({ method: 'createEntity', args: [entity(rowKey, more)] });
    const get = (rowKey: string) => send({ method: 'getEntity', args: ['P', rowKey, { disableTypeConversion: true }] });
    const list = (filter: string, page: object = {}) =>
      send({ method: 'listEntities', args: [{ queryOptions: { filter }, disableTypeConversion: true }], page });
    const rows = async (filter: string, page?: object) =>
      ((await list(filter, page)).entities ?? []).map(({ rowKey }) => rowKey);
    const code = (statusCode: number) => expect.objectContaining({ statusCode });

    describeItems(
      table,
      () => database,
      (n, text) => ({ partitionKey: 'P', rowKey: String(n), text }),
    );

    describe('the tables of a stack', () => {
      test('provisions the tables of a stack, and returns their names', async () => {
        const names = [`${table}a`, `${table}b`];
        expect(await database.provision(stackOf(...names))).toEqual(names);
        expect(await database.tables()).toEqual(expect.arrayContaining(names));
        for (const one of names) await database.drop(one);
        expect(await database.tables()).not.toEqual(expect.arrayContaining([names[0]]));
      });

      test('provisions no tables if any of the names is taken, even in a different case', async () => {
        await create('kept');
        await expect(database.provision(stackOf(`${table}a`, table.toUpperCase()))).rejects.toThrow('already');
        expect(await database.tables()).not.toContain(`${table}a`);
        expect(await get('kept')).toMatchObject({ entity: { rowKey: 'kept' } });
      });

      test('provisions no tables if one name is illegal', async () => {
        await expect(database.provision(stackOf(`${table}a`, 'a-b'))).rejects.toThrow(
          'must be a legal Azure table name',
        );
        expect(await database.tables()).not.toContain(`${table}a`);
      });

      test('drops the tables of a stack, and silently skips a missing table', async () => {
        await database.drop(`${table}nowhere`);
      });
    });

    test('refuses to create an existing entity', async () => {
      const { etag } = await create('a', { n: 1 });
      expect(etag).toEqual(expect.any(String));
      await expect(create('a', { n: 2 })).rejects.toEqual(code(409));
      expect(await get('a')).toMatchObject({ entity: { etag, n: { type: 'Int32', value: '1' } } });
      expect(await get('b')).toEqual({});
    });

    test('changes an entity only if its ETag matches', async () => {
      const { etag = '' } = await create('a', { n: 1, m: 1 });
      const update = (mode: 'Merge' | 'Replace', tag: string) =>
        send({ method: 'updateEntity', args: [entity('a', { n: 2 }), mode, { etag: tag }] });
      const { etag: second = '' } = await update('Merge', etag);
      expect(second).not.toBe(etag);
      await expect(update('Merge', etag)).rejects.toEqual(code(412));
      await expect(update('Replace', etag)).rejects.toEqual(code(412));
      await expect(send({ method: 'deleteEntity', args: ['P', 'a', { etag }] })).rejects.toEqual(code(412));
      expect(await get('a')).toMatchObject({ entity: { n: { value: '2' }, m: { value: '1' } } });
      await update('Replace', second);
      expect((await get('a')).entity).not.toHaveProperty('m');
      await send({ method: 'deleteEntity', args: ['P', 'a', { etag: '*' }] });
      await expect(update('Merge', '*')).rejects.toEqual(code(404));
      await send({ method: 'deleteEntity', args: ['P', 'a', { etag: '*' }] });
    });

    test('upserts an existing entity and a missing entity', async () => {
      const upsert = (mode: 'Merge' | 'Replace', more: object) =>
        send({ method: 'upsertEntity', args: [entity('a', more), mode] });
      await upsert('Merge', { n: 1 });
      await upsert('Merge', { m: 1 });
      expect(await get('a')).toMatchObject({ entity: { n: { value: '1' }, m: { value: '1' } } });
      await upsert('Replace', { m: 2 });
      expect((await get('a')).entity).not.toHaveProperty('n');
    });

    test('stores and returns properties of every type', async () => {
      const typed = {
        s: "a 'quoted' text",
        e: '',
        b: true,
        i: { type: 'Int32', value: '-5' },
        l: { type: 'Int64', value: '9007199254740993' },
        d: { type: 'Double', value: '0.1' },
        t: { type: 'DateTime', value: '2025-01-15T10:30:00.123Z' },
        g: { type: 'Guid', value: '550e8400-e29b-41d4-a716-446655440000' },
        x: { type: 'Binary', value: 'AP8=' },
      };
      await create('a', typed);
      const { entity: read = {} } = await get('a');
      expect(read).toMatchObject({
        ...typed,
        s: { type: 'String' },
        e: { value: '' },
        b: { type: 'Boolean', value: 'true' },
      });
    });

    test('reads a partition page by page, in row order', async () => {
      for (const row of ['b', 'a', 'B', 'c', '10', '9']) await create(row);
      await send({ method: 'createEntity', args: [{ ...(entity('a') as object), partitionKey: 'Q' } as never] });
      const filter = "PartitionKey eq 'P'";
      expect(await rows(filter)).toEqual(['10', '9', 'B', 'a', 'b', 'c']);
      const first = await list(filter, { maxPageSize: 4 });
      expect(first).toMatchObject({ entities: { length: 4 }, continuationToken: expect.any(String) });
      const second = await list(filter, { maxPageSize: 4, continuationToken: first.continuationToken });
      expect(second.entities?.map(({ rowKey }) => rowKey)).toEqual(['b', 'c']);
      expect(second.continuationToken).toBeUndefined();
    });

    test('filters by properties of every type, and treats a doubled quote as one quote', async () => {
      await create('a', {
        s: "d'avila",
        n: 5,
        l: { type: 'Int64', value: '5' },
        r: { type: 'Double', value: '5.5' },
        f: true,
        t: { type: 'DateTime', value: '2025-01-15T10:30:00Z' },
      });
      await create('b', { s: 'avila', n: 6 });
      for (const test of [
        "s eq 'd''avila'",
        'n eq 5',
        'l eq 5L',
        'r eq 5.5',
        'r lt 6.0',
        'f eq true',
        "t eq datetime'2025-01-15T10:30:00Z'",
        "RowKey ge 'a' and RowKey lt 'b'",
      ]) {
        expect({ test, rows: await rows(`PartitionKey eq 'P' and ${test}`) }).toEqual({ test, rows: ['a'] });
      }
      expect(await rows("PartitionKey eq 'P' and (s eq 'avila' or n eq 5)")).toEqual(['a', 'b']);
    });

    test('applies a batch atomically', async () => {
      await create('a');
      const batch = (...actions: unknown[]) => send({ method: 'submitTransaction', args: [actions as never] });
      await batch(['create', entity('b')], ['update', entity('a', { n: 1 }), 'Merge', { etag: '*' }]);
      await expect(batch(['create', entity('c')], ['create', entity('a')])).rejects.toEqual(code(409));
      await expect(
        batch(['create', entity('c')], ['update', entity('a'), 'Merge', { etag: 'W/"datetime\'2020\'"' }]),
      ).rejects.toEqual(code(412));
      await batch(['delete', entity('b')], ['upsert', entity('d'), 'Replace']);
      expect(await rows("PartitionKey eq 'P'")).toEqual(['a', 'd']);
    });
  });
}

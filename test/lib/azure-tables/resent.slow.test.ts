import { client, EntityChanged, EntityExists, EntityMissing, etagOf } from '../../../lib/azure-tables';
import { azureEngine } from '../../../lib/azure-tables/engine/azure-tables';
import type { AzureDatabase } from '../../../lib/azure-tables/engine/database';
import { defineSystem } from '../../../lib/design/system';
import { azurite } from '../../support/azurite';
import { lossyWay } from '../../support/lossy';
import { things } from './designs';

const { engine, send } = azurite(defineSystem({ name: 'things', cloud: 'azure', tables: { Things: things } }));
const way = lossyWay();
const store = client(things, 'Things', send);
let lossy: AzureDatabase;
beforeAll(async () => {
  lossy = await azureEngine({ endpoint: await way.to(engine().endpoint) });
});
const far = client(things, 'Things', (table, call) => lossy.send(table, call));

const key = { shelf: 'a', id: '1' };
const thing: Parameters<typeof store.addThing>[0] = {
  ...{ ...key, text: "it's", small: 1, large: 2 ** 40, huge: 2n ** 62n, real: 3, flag: false, rank: 3, colour: 'blue' },
  ...{ second: '2025-01-01T00:00:00Z', milli: '2025-01-01T00:00:00.100Z', loose: '2025-01-01T00:00:00.10Z' },
  ...{ local: '2025-01-01T00:00:00-03:00', day: '2025-01-01', bytes: new Uint8Array([0, 255]), tags: ['x', 'é'] },
  ...{ place: { city: 'Itajaí' }, maybe: null },
};
const isWrite = ({ method }: { readonly method: string }) => method !== 'GET';
const writes = (passed: readonly { readonly method: string }[]) => passed.filter(isWrite).length;

describe('writes that the SDK retries after a lost response', () => {
  test('accepts a retried insert with values of every type', async () => {
    const passed = way.losing(isWrite);
    const { etag } = await far.addThing(thing);
    expect(writes(passed)).toBe(2);
    const there = await store.getThing(key);
    expect(there).toMatchObject({ ...key, text: "it's" });
    expect(etag).toBe(etagOf(there));
  });

  test('accepts a retried replace with an ETag', async () => {
    await store.addThing(thing);
    const etag = etagOf(await store.getThing(key)) as string;
    const passed = way.losing(isWrite);
    await far.saveThing({ ...key, text: 'new' }, { etag });
    expect(writes(passed)).toBe(2);
    expect(await store.getThing(key)).toEqual({ ...key, text: 'new', maybe: null });
  });

  test('accepts a retried merge', async () => {
    await store.addThing(thing);
    const etag = etagOf(await store.getThing(key)) as string;
    const passed = way.losing(isWrite);
    await far.labelThing({ ...key, text: 'new' }, { etag });
    expect(writes(passed)).toBe(2);
    expect(await store.getThing(key)).toMatchObject({ text: 'new', large: 2 ** 40 });
  });

  test('accepts a retried delete with an ETag', async () => {
    await store.addThing(thing);
    const etag = etagOf(await store.getThing(key)) as string;
    const passed = way.losing(isWrite);
    await far.removeThing(key, { etag });
    expect(writes(passed)).toBe(2);
    expect(await store.getThing(key)).toBeUndefined();
  });

  test('accepts a retried transaction', async () => {
    const passed = way.losing(isWrite);
    await far.addWithNote({ thing, note: 'n' });
    expect(writes(passed)).toBe(2);
    expect((await store.everythingOnShelf({ shelf: 'a' })).items).toHaveLength(2);
  });
});

describe("retries that find another writer's entity", () => {
  /** Loses the response to the first attempt, and lets another writer act before the retry. */
  const meanwhile = (act: () => Promise<unknown>) => {
    let acted: Promise<unknown> | undefined;
    way.losing((passing) => {
      if (!isWrite(passing)) return false;
      acted = act();
      return true;
    });
    return () => acted;
  };

  test('rejects a retry if an equal entity existed before the first attempt', async () => {
    await store.addThing(thing);
    way.losing(() => false);
    await expect(far.addThing(thing)).rejects.toThrow(EntityExists);
  });

  test('rejects a retry if another writer has changed the entity', async () => {
    const acted = meanwhile(() => store.replaceThing({ ...key, text: 'of another' }));
    await expect(far.addThing(thing)).rejects.toThrow(EntityExists);
    await acted();
    expect(await store.getThing(key)).toMatchObject({ text: 'of another' });
  });

  test('rejects a retry if the stored entity has additional properties', async () => {
    await store.addThing({ ...key, text: 'old', day: '2025-01-01' });
    const etag = etagOf(await store.getThing(key)) as string;
    const acted = meanwhile(() => store.replaceThing({ ...key, text: 'new', day: '2025-01-01' }));
    await expect(far.saveThing({ ...key, text: 'new' }, { etag })).rejects.toThrow(EntityChanged);
    await acted();
  });

  test('rejects a retry with EntityMissing if another writer has deleted the entity', async () => {
    await store.addThing(thing);
    const etag = etagOf(await store.getThing(key)) as string;
    const acted = meanwhile(() => store.removeThing(key));
    await expect(far.saveThing({ ...key, text: 'new' }, { etag })).rejects.toThrow(EntityMissing);
    await acted();
  });
});

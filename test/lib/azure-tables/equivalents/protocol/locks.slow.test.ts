import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { touchedBy } from '../../../../../lib/permissions/azure-tables';
import { bazaar } from './bazaar';
import { CALLS, stocked } from './calls';
import { heldAt, killedAt } from './crashes';
import { account, emptied, faultsIn, isWrite, itemsIn, onAzure, order, type Runs, swept, type Way } from './sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(() => database.stop());

/** Responds like Azure to an identity that has only the roles that the given patterns grant. */
const grantedBy = (...names: readonly string[]): Way => {
  const touched = new Map(touchedBy(bazaar, names).map(({ table, writes }) => [table, writes]));
  return (send) => (table, call) => {
    const mayWrite = touched.get(table);
    if (mayWrite === undefined || (isWrite(call) && !mayWrite))
      throw Object.assign(new Error(`${call.method} ${table} is denied`), { name: 'RestError', statusCode: 403 });
    return send(table, call);
  };
};

describe('the roles of a pattern', () => {
  beforeAll(() => stocked(database));
  test.each(Object.entries(CALLS))('%s succeeds with only its own roles', async (name, values) => {
    await (onAzure(database, grantedBy(name))[name] as Runs[string])(values);
  });
});

/** The calls are, in order, two reads, the record, two locks, the commit and the rows. */
const COMMIT = 5;
const placing = { order: order('a', '5'), amount: 5, sponsor: 'b' };

describe("a client that finds another client's transaction", () => {
  beforeEach(async () => {
    await emptied(database);
    for (const id of ['a', 'b']) await onAzure(database).openAccount?.(account(id));
  });

  test("finishes another client's transaction even without permission for some indexes; the sweeper updates those indexes later", async () => {
    await expect(onAzure(database, killedAt(COMMIT, true)).placeOrder?.(placing)).rejects.toThrow();
    const depositor = onAzure(database, grantedBy('deposit'));
    expect(await depositor.deposit?.({ accountId: 'a', amount: 1, percent: 0.1 })).toMatchObject({ balance: 106 });
    expect((await itemsIn(database)).has('ACCOUNT#a ORDER#5')).toBe(true);
    await swept(database);
    expect(await faultsIn(database)).toEqual([]);
  });

  test("leaves a transaction's index rows to the transaction's own client if that client is slow but not dead", async () => {
    const { way, arrived, letGo } = heldAt(COMMIT + 1);
    const slow = onAzure(database, way).placeOrder?.(placing);
    await arrived;
    await onAzure(database, grantedBy('deposit')).deposit?.({ accountId: 'a', amount: 1, percent: 0.1 });
    letGo();
    await slow;
    expect(await faultsIn(database)).toEqual([]);
  });

  test('waits for the other transaction only until the timeout, and then fails with a conflict', async () => {
    const { way, arrived, letGo } = heldAt(COMMIT);
    const slow = onAzure(database, way).placeOrder?.(placing);
    await arrived;
    const hasty = onAzure(database, undefined, { patience: 50 });
    await expect(hasty.deposit?.({ accountId: 'a', amount: 1, percent: 0.1 })).rejects.toMatchObject({
      kind: 'conflict',
    });
    await expect(hasty.transfer?.({ from: 'a', to: 'b', amount: 1 })).rejects.toMatchObject({ kind: 'conflict' });
    letGo();
    await slow;
  });
});

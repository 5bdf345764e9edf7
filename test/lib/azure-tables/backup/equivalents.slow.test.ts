import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportTables } from '../../../../lib/azure-tables/backup/export';
import { importTables } from '../../../../lib/azure-tables/backup/import';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import type { Send } from '../../../../lib/azure-tables/sender';
import { systems } from '../../../../lib/systems';
import { bazaar } from '../equivalents/protocol/bazaar';
import { killedAt } from '../equivalents/protocol/crashes';
import { account, emptied, faultsIn, itemsIn, onAzure, order } from '../equivalents/protocol/sides';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
const file = join(folder, 'bazaar.jsonl');
let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
  await emptied(database);
});
afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true });
});

const balances = async () => {
  const items = await itemsIn(database);
  return ['a', 'b', 'c', 'd'].map((id) => items.get(`ACCOUNT#${id} ACCOUNT`)?.balance);
};

test('exports a transaction as a whole even if some of its rows were read before the commit, and rebuilds indexes on import', async () => {
  const runs = onAzure(database);
  for (const id of ['a', 'b', 'c', 'd']) await runs.openAccount?.(account(id));
  await runs.createOrder?.(order('a', '1'));
  // The client dies right after its sixth call, the commit, which follows two reads, the record and two locks.
  const dying = onAzure(database, killedAt(5, true));
  await expect(dying.transfer?.({ from: 'c', to: 'd', amount: 20 })).rejects.toThrow();
  const send: Send = async (table, call) => {
    const output = await database.send(table, call);
    if (table === 'shop' && call.method === 'listEntities') await runs.transfer?.({ from: 'a', to: 'b', amount: 30 });
    return output;
  };
  await exportTables({ send }, bazaar, file);
  await emptied(database);
  await importTables(database, file, { system: bazaar });
  expect(await balances()).toEqual([70, 130, 80, 120]);
  expect(await faultsIn(database)).toEqual([]);
  expect(await onAzure(database).openOrders?.({ accountId: 'a' })).toMatchObject({ items: [{ orderId: '1' }] });
});

test('refuses to restore the items of a DynamoDB system with a different design', async () => {
  await emptied(database);
  await exportTables(database, bazaar, join(folder, 'again.jsonl'));
  const again = (system?: never) => importTables(database, join(folder, 'again.jsonl'), { system });
  await expect(again()).rejects.toThrow(
    "the file contains the items of 'bazaar', but the import was given no design; pass the system",
  );
  await expect(again(systems.blog as never)).rejects.toThrow("but the import was given the design of 'blog'");
});

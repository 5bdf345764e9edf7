import { deepStrictEqual } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { client } from 'tablewright/azure-tables';
import { type Local, startLocal } from 'tablewright/local';
import type { AzureDatabase } from 'tablewright/proof';
import { registerCases } from './cases';
import { documents } from './design';

let local: Local<AzureDatabase>;
before(async () => {
  local = await startLocal(registerCases);
});
beforeEach(() => local.reset());
after(() => local.stop());

test('a department sees only its own documents', async () => {
  const db = client(documents, local.tableName('Documents'), local.send);
  const { items } = await db.documentsOfDepartment({ department: 'sales' });
  deepStrictEqual(
    items.map(({ number }) => number),
    [1],
  );
});

import { deepStrictEqual } from 'node:assert';
import { after, before, test } from 'node:test';
import { client } from 'tablewright/dynamodb';
import { type Local, startLocal } from 'tablewright/local';
import type { Database } from 'tablewright/proof';
import { app } from './design';
import { notesWith } from './handler';

let local: Local<Database>;
before(async () => {
  local = await startLocal(app);
});
after(() => local.stop());

const acme = '0b0cbd14-6f1c-4a4f-9f3e-2f5d2a0a7c11';
const globex = '5d7a0c9e-43a1-4a53-8a86-0f4b6a3b9d22';

test("lists the notes of the token's tenant through that tenant's connection", async () => {
  const db = client(app.tables.notes, local.tableName('notes'), local.send);
  await db.addNote({ tenantId: acme, noteId: '01JZ8K5V3T2Q4W6Y8A0C2E4G6J', text: 'from Acme' });
  await db.addNote({ tenantId: globex, noteId: '01JZ8K5V3T2Q4W6Y8A0C2E4G6K', text: 'from Globex' });
  const connections: string[] = [];
  const handler = notesWith((tenantId) => {
    connections.push(tenantId);
    return local.send;
  });
  const { items } = await handler({ requestContext: { authorizer: { jwt: { claims: { tenantId: globex } } } } });
  deepStrictEqual(
    items.map(({ text }) => text),
    ['from Globex'],
  );
  deepStrictEqual(connections, [globex]);
});

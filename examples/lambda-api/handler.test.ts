import { deepStrictEqual, strictEqual } from 'node:assert';
import { after, before, test } from 'node:test';
import { client } from 'tablewright/dynamodb';
import { type Local, startLocal } from 'tablewright/local';
import type { Database } from 'tablewright/proof';
import { api, tasks } from './design';
import { apiOf } from './handler';

let local: Local<Database>;
before(async () => {
  local = await startLocal(api);
});
after(() => local.stop());

const list = '/lists/0b0cbd14-6f1c-4a4f-9f3e-2f5d2a0a7c11';
const task = `${list}/01JZ8K5V3T2Q4W6Y8A0C2E4G6J`;
const call = (method: string, rawPath: string, body?: object) =>
  apiOf(client(tasks, local.tableName('tasks'), local.send))({
    requestContext: { http: { method } },
    rawPath,
    ...(body && { body: JSON.stringify(body) }),
  });

test('adds, finishes and lists a task', async () => {
  strictEqual((await call('PUT', task, { text: 'buy milk' })).statusCode, 204);
  strictEqual((await call('POST', task)).statusCode, 204);
  const { items } = JSON.parse((await call('GET', list)).body ?? '');
  deepStrictEqual([items.length, items[0].text, items[0].done], [1, 'buy milk', true]);
});

test('responds with 400, 404 or 409 to an invalid, missing or duplicate task', async () => {
  await call('PUT', `${list}/01JZ8K5V3T2Q4W6Y8A0C2E4G6K`, { text: 'call Ana' });
  strictEqual((await call('PUT', `${list}/01JZ8K5V3T2Q4W6Y8A0C2E4G6K`, { text: 'again' })).statusCode, 409);
  strictEqual((await call('POST', `${list}/01JZ8K5V3T2Q4W6Y8A0C2E4G6M`)).statusCode, 404);
  strictEqual((await call('PUT', `${list}/1`, { text: 'no ULID' })).statusCode, 400);
});

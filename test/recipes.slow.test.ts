import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from '@swc/core';
import { physicalTable } from '../lib/blueprint/physical-table';
import { check } from '../lib/check';
import type { SystemDesign } from '../lib/design/system';
import type { TableDesign } from '../lib/design/table';
import { client, type Send, unique } from '../lib/dynamodb';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { templateOf } from '../lib/dynamodb/template/make';
import { type StreamHandler, startLocal } from '../lib/local';
import { ROOT } from './support/compile';
import { codeOf } from './support/documents';

const SOURCES: Readonly<Record<string, string>> = {
  tablewright: 'lib/index',
  'tablewright/dynamodb': 'lib/dynamodb/index',
  'tablewright/dynamodb/sdk': 'lib/dynamodb/sdk',
};

/** Runs a recipe from the document, unchanged. */
function recipe<Exports>(file: string): Exports {
  const { code } = transformSync(codeOf('docs/guides/recipes.md').get(file) as string, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const exports = {};
  const load = (name: string) =>
    name.startsWith('./')
      ? recipe(`${name.slice(2)}.ts`)
      : require(join(...(SOURCES[name] ? [ROOT, SOURCES[name]] : [name])));
  new Function('require', 'exports', code)(load, exports);
  return exports as Exports;
}

type StreamEvent = Parameters<StreamHandler>[0];

interface Recipes {
  readonly app: TableDesign;
  readonly recipes: SystemDesign;
}

type Call = (values: object) => Promise<Readonly<Record<string, unknown>> | undefined>;

/**
 * Creates the recipes' tables on an engine, points the SDK at it through environment variables, and passes the patterns
 * to `work`.
 */
async function withRecipes(
  work: (db: Readonly<Record<string, Call>>) => Promise<void>,
  onChange?: StreamHandler,
): Promise<void> {
  const { app, recipes } = recipe<Recipes>('recipes.ts');
  const local = await startLocal(recipes, { environment: 'prod', ...(onChange && { onChange }) });
  const before = { ...process.env };
  Object.assign(process.env, local.env);
  try {
    await work(client(app, local.tableName('app'), local.send as Send, { unique }) as never);
  } finally {
    process.env = before;
    await local.stop();
  }
}

const document = { docId: 'd1', folderId: 'f1', title: 'old', state: 'live' };

test('the counting recipe counts an event only once, even if the stream delivers it twice, and keeps the latest title', async () => {
  const events: StreamEvent[] = [];
  const read = async (db: Readonly<Record<string, Call>>) => [
    (await db.folder?.({ folderId: 'f1' }))?.deleted,
    (await db.copy?.({ docId: 'd1' }))?.title,
  ];
  await withRecipes(
    async (db) => {
      await db.addDocument?.(document);
      await db.retitle?.({ docId: 'd1', title: 'newer' });
      await db.retitle?.({ docId: 'd1', title: 'newest' });
      await db.deleteDocument?.({ docId: 'd1', at: '2026-05-06T07:08:09.000Z', entryId: 'e1', by: 'ana' });
      while (events.flatMap(({ Records }) => Records).length < 5) await sleep(50);
      const { handler } = recipe<{ handler(event: StreamEvent): Promise<object> }>('consumer.ts');
      for (const event of events) expect(await handler(event)).toEqual({ batchItemFailures: [] });
      expect(await read(db)).toEqual([1, 'newest']);
      for (const event of events) expect(await handler(event)).toEqual({ batchItemFailures: [] });
      expect(await read(db)).toEqual([1, 'newest']);
    },
    (event) => void events.push(event),
  );
});

test('the multi-region recipe claims an e-mail address in the home region, and reads the user in the local region', async () => {
  await withRecipes(async () => {
    const { signUp, user } = recipe<Record<'signUp' | 'user', (...given: unknown[]) => Promise<unknown>>>('regions.ts');
    const ana = { userId: 'u1', email: 'ana@example.com', name: 'Ana' };
    await signUp('eu', ana);
    expect(await user('u1')).toMatchObject(ana);
    await expect(signUp('eu', { ...ana, userId: 'u2' })).rejects.toMatchObject({ kind: 'exists' });
  });
});

interface Page {
  readonly items: readonly { readonly number: number }[];
}

interface Invoices {
  readonly invoices: TableDesign;
  issue(db: object, tenantId: string, total: number): Promise<number>;
}

test("the invoice recipe numbers each tenant's invoices without gaps, even if many invoices are issued at once", async () => {
  const { invoices, issue } = recipe<Invoices>('invoices.ts');
  expect(check(invoices)).toEqual([]);
  const engine = await embeddedEngine();
  try {
    await engine.provision(templateOf({ invoices: { ...physicalTable(invoices), name: 'invoices' } }));
    let refused = 0;
    const db = client(invoices, 'invoices', async (command, input) => {
      try {
        return await engine.send(command, input);
      } catch (error) {
        refused++;
        throw error;
      }
    });
    const issued = Array.from({ length: 12 }, (_, i) => issue(db, i % 2 === 0 ? 'a' : 'b', i));
    const numbers = await Promise.all(issued);
    expect(refused).toBeGreaterThan(0);
    for (const parity of [0, 1]) expect(numbers.filter((_, i) => i % 2 === parity).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const { invoices: read } = db as unknown as Readonly<Record<string, (values: object) => Promise<Page>>>;
    expect((await read?.({ tenantId: 'a' }))?.items.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  } finally {
    await engine.stop();
  }
});

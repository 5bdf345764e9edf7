import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { physicalTable } from '../lib/blueprint/physical-table';
import { check } from '../lib/check';
import type { TableDesign } from '../lib/design/table';
import { client } from '../lib/dynamodb';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { templateOf } from '../lib/dynamodb/template/make';
import { ROOT } from './support/compile';
import { codeOf } from './support/documents';

const SOURCES: Readonly<Record<string, string>> = {
  tablewright: 'lib/index',
  'tablewright/dynamodb': 'lib/dynamodb/index',
};

/** Runs a recipe unchanged from the document. */
function recipe<Exports>(file: string): Exports {
  const { code } = transformSync(codeOf('docs/guides/recipes.md').get(file) as string, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const exports = {};
  const load = (name: string) => require(SOURCES[name] === undefined ? name : join(ROOT, SOURCES[name]));
  new Function('require', 'exports', code)(load, exports);
  return exports as Exports;
}

interface Page {
  readonly items: readonly { readonly number: number }[];
}

interface Invoices {
  readonly invoices: TableDesign;
  issue(db: object, tenantId: string, total: number): Promise<number>;
}

test('numbers the invoices of each tenant without gaps, even if many are issued at once', async () => {
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

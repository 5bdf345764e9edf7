import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { azureTableNames, equivalents } from '../../../../lib/azure-tables/equivalents';
import { physicalTable } from '../../../../lib/blueprint/physical-table';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import { client, type Observation, type Send } from '../../../../lib/dynamodb';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { templateOf } from '../../../../lib/dynamodb/template/make';
import { stackOf } from '../../../support/azurite';
import { ROOT } from '../../../support/compile';
import { codeOf, textOf } from '../../../support/documents';
import type { Runs } from './protocol/sides';

const NAME = 'notes-dev-notes';
const DOCUMENT = 'docs/guides/azure-equivalents.md';

interface App {
  readonly app: SystemDesign;
  readonly tour: (send: Send) => Promise<object>;
}

/** Loads the app from exactly the code that the document shows. */
function appInDocument(): App {
  const { code } = transformSync(codeOf(DOCUMENT).get('app.ts') as string, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const sources = { tablewright: 'lib/index', 'tablewright/dynamodb': 'lib/dynamodb/index' };
  const exports = {};
  const load = (name: string) => require(name in sources ? join(ROOT, sources[name as keyof typeof sources]) : name);
  new Function('require', 'exports', code)(load, exports);
  return exports as App;
}

const { app, tour } = appInDocument();
let [aws, azure] = [] as unknown as [Database, AzureDatabase];
beforeAll(async () => {
  [aws, azure] = await Promise.all([embeddedEngine(), azuriteEngine()]);
  const notes = { ...physicalTable(app.tables.notes as never), name: NAME };
  await aws.provision(templateOf({ notes }));
  await azure.provision(stackOf(...azureTableNames(app)));
});
afterAll(() => Promise.all([aws?.stop(), azure?.stop()]));

test('the app in the document behaves as documented on both clouds', async () => {
  const [there, here] = [await tour(aws.send), await tour(equivalents(app, azure.send))];
  expect(here).toEqual({ likes: 1, refused: 'condition', latest: ['3', '2', '1'], likesOfDay: [3, 3, 0, 0] });
  expect(there).toEqual(here);
  expect(textOf(DOCUMENT)).toContain("latest: ['3', '2', '1'], likesOfDay: [3, 3, 0, 0]");
});

test('reports the same calls and errors to the observer on both clouds, and capacity only on DynamoDB', async () => {
  const seenOn = async (send: Send) => {
    const seen: object[] = [];
    const observe = ({ milliseconds, capacity: _, error, ...rest }: Observation) =>
      seen.push({ ...rest, isTimed: milliseconds >= 0, error: error instanceof Error ? error.message : error });
    const options = { observe, context: { tenant: 't' } };
    const runs = client(app.tables.notes as TableDesign, NAME, send, options) as unknown as Runs;
    const calls: readonly (readonly [string, object])[] = [
      ['addNote', { author: 'eve', noteId: '1', day: '2026-03-02', likes: 0 }],
      ['addNote', { author: 'eve', noteId: '1', day: '2026-03-02', likes: 0 }],
      ['addNote', { author: 'eve', noteId: '2', day: 'never', likes: 0 }],
      ['likeNote', { author: 'eve', noteId: '9', more: 1 }],
      ['exchange', { a: 'eve', b: 'ada', noteId: '1', likes: 9 }],
      ['latestNotes', { author: 'eve' }],
      ['notesOfDay', { day: '2026-03-02' }],
    ];
    for (const [name, values] of calls) await runs[name]?.(values).catch(() => undefined);
    return seen;
  };
  const [there, here] = [await seenOn(aws.send), await seenOn(equivalents(app, azure.send))];
  expect(there.length).toBe(7);
  expect(here).toEqual(there);
});

import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import { azureTableNames, equivalents } from '../../../../lib/azure-tables/equivalents';
import { physicalTable } from '../../../../lib/blueprint/physical-table';
import type { SystemDesign } from '../../../../lib/design/system';
import type { Send } from '../../../../lib/dynamodb';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { templateOf } from '../../../../lib/dynamodb/template/make';
import { stackOf } from '../../../support/azurite';
import { ROOT } from '../../../support/compile';
import { codeOf, textOf } from '../../../support/documents';

const DOCUMENT = 'docs/guides/azure-equivalents.md';

interface App {
  readonly app: SystemDesign;
  readonly tour: (send: Send) => Promise<object>;
}

/** Runs the app exactly as the document shows it. */
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

test('the documented app behaves the same on both clouds, as the document says', async () => {
  const { app, tour } = appInDocument();
  const [aws, azure] = await Promise.all([embeddedEngine(), azuriteEngine()]);
  try {
    const notes = { ...physicalTable(app.tables.notes as never), name: 'notes-dev-notes' };
    await aws.provision(templateOf({ notes }));
    await azure.provision(stackOf(...azureTableNames(app)));
    const [there, here] = [await tour(aws.send), await tour(equivalents(app, azure.send))];
    expect(here).toEqual({ likes: 1, refused: 'condition', latest: ['3', '2', '1'], likesOfDay: [3, 3, 0, 0] });
    expect(there).toEqual(here);
    expect(textOf(DOCUMENT)).toContain("latest: ['3', '2', '1'], likesOfDay: [3, 3, 0, 0]");
  } finally {
    await Promise.all([aws.stop(), azure.stop()]);
  }
});

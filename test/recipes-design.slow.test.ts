import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablewrightIn } from './support/command';
import { codeOf } from './support/documents';

const root = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'recipes-design-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/tablewright'));
symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
writeFileSync(join(folder, 'recipes.ts'), codeOf('docs/guides/recipes.md').get('recipes.ts') ?? '');

test("the check reports no errors or warnings for the recipes' design", async () => {
  expect(await tablewrightIn(folder, ['check', './recipes.ts'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 design checked: 0 errors, 0 warnings,'),
  });
});

test('the proof with generated cases covers every pattern in the recipes', async () => {
  const { stdout } = await tablewrightIn(folder, ['cases', './recipes.ts', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, findings: [] });
  expect(await tablewrightIn(folder, ['prove', './cases.ts'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('20 patterns, 9 entities: all proved'),
  });
});

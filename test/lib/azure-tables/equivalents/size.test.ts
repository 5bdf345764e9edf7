import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../support/compile';

test('the equivalents have fewer than 2,500 lines of code, so that one person can read them', () => {
  const folder = join(ROOT, 'lib/azure-tables/equivalents');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const lines = files.reduce((sum, file) => sum + readFileSync(join(folder, file), 'utf8').split('\n').length - 1, 0);
  console.info(`equivalents: ${lines} lines in ${files.length} files`);
  expect(lines).toBeLessThan(2_500);
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ofDist, projectOf, root } from './support/book';
import { codeOf } from './support/documents';

const pages = readdirSync(join(root, 'docs/learn')).filter((page) => page !== 'README.md');

test('every learn page has a design', () => {
  expect(pages.map((page) => codeOf(`docs/learn/${page}`).size)).toEqual(pages.map(() => 1));
});

test.each(pages)('the design of %s has only the findings that the page mentions', async (page) => {
  const { write, tablewright } = projectOf();
  const [[file, code] = ['', '']] = codeOf(`docs/learn/${page}`);
  write(file, ofDist(code));
  const printed = await tablewright(['check', `./${file}`]);
  const rules = [...printed.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule);
  expect(rules).toEqual(page === 'rules.md' ? ['imprecise-time'] : []);
  expect(printed).toContain('1 design checked');
});

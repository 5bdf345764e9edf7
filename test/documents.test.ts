import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rules } from '../lib/check/rules';
import { templateRules } from '../lib/dynamodb/template/review/review';
import { documents, linksIn } from './support/documents';

const root = join(__dirname, '..');

test.each(documents)('every link in %s leads somewhere', (document) => {
  expect(linksIn(document).filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file and folder that %s names is there', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  // One with `*` or `<name>` stands for several, or for one that is still to be made.
  const named = [...text.matchAll(/`((?:lib|constructs|bin|test|docs)\/[^`<*]*)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every rule of the check is in its document', () => {
  const text = readFileSync(join(root, 'docs/checks.md'), 'utf8');
  expect(rules.filter(({ id }) => !text.includes(`| \`${id}\` |`))).toEqual([]);
});

test('every rule of the review of templates is in its document, with its severity', () => {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  expect(templateRules.filter(({ id, severity }) => !text.includes(`| \`${id}\` | ${severity} |`))).toEqual([]);
});

test('the test command of the README is the one that CI runs', () => {
  const command = 'npm ci && npm test';
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`${command}\``);
  expect(readFileSync(join(root, '.ci/run'), 'utf8').split('\n')).toContain(command);
});

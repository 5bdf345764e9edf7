import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rules } from '../lib/check/rules';
import { templateRules } from '../lib/dynamodb/template/review/review';
import { anchorsIn, documents, headingsOf, linksIn } from './support/documents';

const root = join(__dirname, '..');

test.each(documents)('every link in %s has a target', (document) => {
  expect(linksIn(document).filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([]);
});

test.each(documents)('in %s, every link to a heading points to an existing heading', (document) => {
  const missing = anchorsIn(document).filter(({ file, anchor }) => !headingsOf(file).includes(anchor));
  expect(missing).toEqual([]);
});

test.each(['docs/learn', 'docs/guides', 'docs/reference'])('the index of %s lists all of its pages', (folder) => {
  const pages = readdirSync(join(root, folder)).filter((page) => page.endsWith('.md') && page !== 'README.md');
  expect(pages.filter((page) => !linksIn(`${folder}/README.md`).includes(page))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])(
  'every file and folder that is mentioned in %s exists',
  (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    // A path with `*` or `<name>` is a placeholder.
    const named = [...text.matchAll(/`((?:lib|constructs|bin|test|docs)\/[^`<*]*)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

// The package contains these documents, but not the source files that they mention.
test.each(documents.filter((document) => document.startsWith('docs/')))(
  '%s mentions the repository on every line that names a source file',
  (document) => {
    const lines = readFileSync(join(root, document), 'utf8').split('\n');
    const named = lines.filter((line) => /`(?:lib|constructs|bin|test)\/[^`]*`/.test(line));
    expect(named.filter((line) => !line.includes('repository'))).toEqual([]);
  },
);

/**
 * Returns one section per rule, errors first. `UPDATE_DOCS=1 npx jest test/documents.test.ts` writes the sections to the
 * document.
 */
function sectionsOfRules(): string {
  return (['error', 'warning', 'note'] as const)
    .flatMap((severity) => [
      `## ${severity[0]?.toUpperCase()}${severity.slice(1)}s`,
      ...rules
        .filter((rule) => rule.severity === severity)
        .map(({ id, why, causes }) => {
          const reported = Object.values(causes).map((cause) => `- ${cause}`);
          return [`### \`${id}\``, why, reported.join('\n')].join('\n\n');
        }),
    ])
    .join('\n\n');
}

test('docs/reference/checks.md lists the current rules', () => {
  const file = join(root, 'docs/reference/checks.md');
  const text = readFileSync(file, 'utf8');
  const listed = /(?<=<!-- the rules -->\n\n)[\s\S]*(?=\n\n<!-- end of the rules -->)/;
  const renewed = text.replace(listed, sectionsOfRules);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, renewed);
  expect(listed.exec(text)?.[0]).toBeDefined();
  expect(process.env.UPDATE_DOCS === '1' ? renewed : text).toBe(renewed);
});

test('the guide to template reviews lists every review rule with its severity', () => {
  const text = readFileSync(join(root, 'docs/guides/operations.md'), 'utf8');
  expect(templateRules.filter(({ id, severity }) => !text.includes(`| \`${id}\` | ${severity} |`))).toEqual([]);
});

test('the test command in the README is the command that CI runs', () => {
  const command = 'npm ci && npm test';
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`${command}\``);
  expect(readFileSync(join(root, '.ci/run'), 'utf8').split('\n')).toContain(command);
});

test.each([
  ['ci.yml', '.ci/run'],
  ['nightly.yml', '.ci/nightly'],
  ['release.yml', '.ci/run'],
])('the workflow %s runs %s', (workflow, script) => {
  expect(readFileSync(join(root, '.github/workflows', workflow), 'utf8')).toContain(`- run: ${script}\n`);
  expect(existsSync(join(root, script))).toBe(true);
});

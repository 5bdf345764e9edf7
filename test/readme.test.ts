import * as z from 'zod';
import { check } from '../lib/check';
import { defineTable, type TableDesign } from '../lib/design/table';
import { reads } from '../lib/dynamodb';
import { grantOf } from '../lib/permissions/grant';
import { policyOf } from '../lib/permissions/policy';
import { codeOf, textOf } from './support/documents';

const readme = textOf('README.md');
const code = codeOf('README.md').get('blog.ts') ?? '';
const body = code.slice(code.indexOf('const time'));

/** Evaluates the README's design. */
function designOf(text: string): TableDesign {
  const make = new Function('defineTable', 'z', `${text.replace('export ', '')}; return blog;`);
  return make(defineTable, z);
}

/** Returns the README's only code block in the given language. */
function shown(language: string): string {
  return new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';
}

test("the README's design has twelve lines and no findings", () => {
  expect(body.slice(body.indexOf('export')).trim().split('\n')).toHaveLength(12);
  expect(check(designOf(body))).toEqual([]);
});

test("the README's IAM statement equals the statement that grants the pattern", () => {
  const grants = grantOf({ of: designOf(body), names: ['postsByCategory'] });
  const { Statement } = policyOf(grants, { tableArn: (table) => `arn:…/${table}`, region: 'eu-west-1' });
  expect([JSON.parse(shown('json'))]).toEqual(Statement);
});

test("the README's SDK input equals the input that the pattern builds", () => {
  const { postsByCategory } = reads(designOf(body), 'blog') as Record<string, (values: object) => object>;
  expect(new Function(`return ${shown('js').replace(/;$/, '')}`)()).toEqual(postsByCategory?.({ category: 'tech' }));
});

test("the README's finding equals the finding that the check reports for times without a precision", () => {
  const [finding] = check(designOf(body.replace('{ precision: 3 }', '')));
  const { severity, path, message, fix, rule } = finding ?? {};
  const expected = `${severity} ${path}: ${message} fix: ${fix} [${rule}]`;
  expect(shown('text').replace(/\s+/g, '')).toBe(expected.replace(/\s+/g, ''));
});

test('the README shows the same failed proof as docs/start.md', () => {
  const [, pattern = '', failure = ''] = /`(\w+): (expected \[.*?\], got \[.*?\])`/.exec(readme) ?? [];
  expect(textOf('docs/start.md')).toMatch(
    new RegExp(`  FAIL ${pattern} .*\n       ${failure.replace(/[[\]]/g, '\\$&')}\n`),
  );
});

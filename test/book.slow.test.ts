import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly } from '../lib/dynamodb/template/assembly';
import { tablesIn } from '../lib/dynamodb/template/tables';
import { edited, ofDist, projectOf, root } from './support/book';

const file = join(root, 'docs/guides/evolve.md');

const text = readFileSync(file, 'utf8');
const [, base = ''] = /```ts\n\/\/ designs\.ts\n([\s\S]*?)```/.exec(text) ?? [];
const chapters = text
  .slice(text.indexOf('## The book of changes'))
  .split(/^### /m)
  .slice(1)
  .filter((chapter) => chapter.includes('```console'))
  .map((chapter) => ({ name: chapter.slice(0, chapter.indexOf('\n')), chapter }));

/** A chapter with what its commands really print. */
async function carriedOut(chapter: string): Promise<string> {
  const { write, design, cases, tablewright, synthesize } = projectOf();
  // One that is about another cloud begins with a design of its own.
  const [, deployed = base] = /```ts\n\/\/ diary\.ts\n([\s\S]*?)```/.exec(chapter) ?? [];
  design(deployed);
  for (const [, module = '', stack = ''] of chapter.matchAll(/```ts\n\/\/ (\w+-stack)\.ts\n([\s\S]*?)```/g)) {
    write(`${module}.ts`, ofDist(stack));
    assertImported(chapter, module, synthesize(module));
  }
  const [, edit] = /```diff\n([\s\S]*?)```/.exec(chapter) ?? [];
  if (edit !== undefined) {
    await tablewright(['record']);
    design(edited(deployed, edit));
  }
  let printed = '';
  let end = 0;
  for (const { 0: block, 1: kind, 2: content = '', index } of chapter.matchAll(
    /```(json answers\.json|ts cases\.ts|console)\n([\s\S]*?)```/g,
  )) {
    printed += chapter.slice(end, index);
    end = index + block.length;
    if (kind === 'console') {
      printed += '```console\n';
      for (const [, line = ''] of content.matchAll(/^\$ npx tablewright (.*)$/gm))
        printed += `$ npx tablewright ${line}\n${await tablewright(line.split(' '))}`;
      printed += '```';
      continue;
    }
    if (kind === 'ts cases.ts') cases(content);
    else write('answers.json', content);
    printed += block;
  }
  return printed + chapter.slice(end);
}

/** What `cdk import` needs: the table under the id that the file has, with its name, and kept whatever a deployment does. */
function assertImported(chapter: string, module: string, assembly: string): void {
  const [, mapping = '{}'] = /```json resources\.json\n([\s\S]*?)```/.exec(chapter) ?? [];
  const [[id = '', { TableName = '' }] = ['', {}]] = Object.entries<{ TableName?: string }>(JSON.parse(mapping));
  const template = readAssembly(assembly)[0]?.template ?? {};
  const [table] = tablesIn(template);
  expect(table).toMatchObject({ name: TableName, ttl: 'expires', indexes: [{ name: 'GSI1' }] });
  const resource = template.Resources?.[table?.logicalId ?? ''];
  expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  const isAfter = module === 'after-stack';
  expect(resource?.Type).toBe(isAfter ? 'AWS::DynamoDB::GlobalTable' : 'AWS::DynamoDB::Table');
  if (isAfter) expect(table?.logicalId).toBe(id);
}

test('there are twelve changes or more', () => {
  expect(chapters.length).toBeGreaterThanOrEqual(12);
});

test.each(chapters)('$name: the commands print what the book says', async ({ chapter }) => {
  const printed = await carriedOut(chapter);
  if (process.env.UPDATE_BOOK === '1')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(chapter, () => printed),
    );
  else expect(printed).toBe(chapter);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly } from '../lib/dynamodb/template/assembly';
import { tablesIn } from '../lib/dynamodb/template/tables';
import { edited, ofDist, projectOf, root } from './support/book';

const file = join(root, 'docs/evolve.md');

const text = readFileSync(file, 'utf8');
const [, base = ''] = /```ts\n\/\/ designs\.ts\n([\s\S]*?)```/.exec(text) ?? [];
const chapters = text
  .slice(text.indexOf('## The book of changes'))
  .split(/^### /m)
  .slice(1)
  .filter((chapter) => chapter.includes('```console'))
  .map((chapter) => ({ name: chapter.slice(0, chapter.indexOf('\n')), chapter }));

/** A chapter with what its commands really print. */
function carriedOut(chapter: string): string {
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
    tablewright(['record']);
    design(edited(deployed, edit));
  }
  return chapter.replace(
    /```(json answers\.json|ts cases\.ts|console)\n([\s\S]*?)```/g,
    (block, kind: string, content: string) => {
      if (kind !== 'console') {
        if (kind === 'ts cases.ts') cases(content);
        else write('answers.json', content);
        return block;
      }
      const commands = [...content.matchAll(/^\$ npx tablewright (.*)$/gm)].map(([, line = '']) => line);
      const shown = commands.map((line) => `$ npx tablewright ${line}\n${tablewright(line.split(' '))}`);
      return `\`\`\`console\n${shown.join('')}\`\`\``;
    },
  );
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

test.each(chapters)('$name: the commands print what the book says', ({ chapter }) => {
  const printed = carriedOut(chapter);
  if (process.env.UPDATE_BOOK === '1')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(chapter, () => printed),
    );
  else expect(printed).toBe(chapter);
});

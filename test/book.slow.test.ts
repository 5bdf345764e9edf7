import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssembly } from '../lib/dynamodb/template/assembly';
import { tablesIn } from '../lib/dynamodb/template/tables';
import { edited, ofDist, projectOf, root } from './support/book';

const folder = join(root, 'docs/guides/evolve');

const [, base = ''] =
  /```ts\n\/\/ designs\.ts\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'first-change.md'), 'utf8')) ?? [];
const changes = readdirSync(folder).flatMap((page) =>
  readFileSync(join(folder, page), 'utf8')
    .split(/^##? /m)
    .filter((change) => change.includes('```console'))
    .map((change) => ({ page, name: change.slice(0, change.indexOf('\n')), change })),
);

/** Applies the change that a chapter describes, and returns the chapter with the actual output of its commands. */
async function carriedOut(change: string): Promise<string> {
  const { write, design, cases, tablewright, synthesize } = projectOf();
  // A chapter about Azure contains its own starting design.
  const [, deployed = base] = /```ts\n\/\/ diary\.ts\n([\s\S]*?)```/.exec(change) ?? [];
  design(deployed);
  for (const [, module = '', stack = ''] of change.matchAll(/```ts\n\/\/ (\w+-stack)\.ts\n([\s\S]*?)```/g)) {
    write(`${module}.ts`, ofDist(stack));
    assertImported(change, module, synthesize(module));
  }
  const [, edit] = /```diff\n([\s\S]*?)```/.exec(change) ?? [];
  if (edit !== undefined) {
    await tablewright(['record']);
    design(edited(deployed, edit));
  }
  let printed = '';
  let end = 0;
  for (const { 0: block, 1: kind, 2: content = '', index } of change.matchAll(
    /```(json answers\.json|ts cases\.ts|console)\n([\s\S]*?)```/g,
  )) {
    printed += change.slice(end, index);
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
  return printed + change.slice(end);
}

/**
 * Checks what `cdk import` needs: a table with the name and logical id from resources.json, and with a retain policy.
 */
function assertImported(change: string, module: string, assembly: string): void {
  const [, mapping = '{}'] = /```json resources\.json\n([\s\S]*?)```/.exec(change) ?? [];
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

test('the chapters show at least twelve changes', () => {
  expect(changes.length).toBeGreaterThanOrEqual(12);
});

test.each(changes)('$page, $name: the commands print the output that the chapter shows', async ({ page, change }) => {
  const printed = await carriedOut(change);
  const file = join(folder, page);
  if (process.env.UPDATE_BOOK === '1')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(change, () => printed),
    );
  else expect(printed).toBe(change);
});

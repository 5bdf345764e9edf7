import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, ROOT } from '../../support/compile';

describe('compiler messages', () => {
  const table = (rest: string) => `defineTable({ name: 't', key: { partition: 'PK' }, ${rest} });`;
  const entity = (rest: string) => table(`entities: { Thing: { attributes, ${rest} } }`);
  const pattern = (rest: string) => table(`entities: { Thing: { attributes } }, patterns: { p: { ${rest} } }`);
  const system = (rest: string) =>
    `const t = ${table('entities: {}')} defineSystem({ name: 's', cloud: 'aws', ${rest} });`;

  const mistakes: readonly (readonly [reason: string, design: string])[] = [
    ['<nope> is not an attribute of this entity', entity(`keys: { PK: '<nope>' }`)],
    ['<id.x> is not an attribute of this entity', entity(`keys: { PK: '<id.x>' }`)],
    ['<nope:4> is not an attribute of this entity', entity(`keys: { PK: '<nope:4>' }`)],
    ["'GSI9PK' is not a key attribute of this table", entity(`keys: { GSI9PK: 'A' }`)],
    ["'nope' is not an attribute of this entity", entity(`keyOnly: ['nope']`)],
    ["'tll' is not a field of a design", table(`tll: 'at', entities: {}`)],
    ["'GSI9' is not an index of this table", pattern(`op: 'query', index: 'GSI9', where: {}, returns: ['Thing']`)],
    [
      "'GSI9' is not an index of this table",
      pattern(`op: 'query', index: 'GSI9', where: { G: '<id>', S: { beginsWith: 'A' } }, returns: ['Thing']`),
    ],
    ["'Nope' is not an entity of this table", pattern(`op: 'get', where: {}, returns: ['Nope']`)],
    [
      "'Nope' is not an entity of this table",
      pattern(`op: 'query', where: { PK: '<id>' }, returns: ['Nope'], select: ['id', 'at']`),
    ],
    ["'Gone' is not an entity of this table", pattern(`op: 'put', entity: 'Gone'`)],
    [
      "'SK' is not a key attribute of the table or index that this pattern reads",
      pattern(`op: 'get', where: { SK: 'A' }, returns: ['Thing']`),
    ],
    [
      `Type '"desc"' is not assignable to type '"ascending" | "descending"`,
      `const t = ${pattern("op: 'query', where: { PK: '<id>' }, returns: ['Thing'], order: 'desc'")}
       requests(t, 't').p({ id: '1' });`,
    ],
    ["Property 'returns' is missing", `const t = ${pattern("op: 'get', where: { PK: '<id>' }")} requests(t, 't');`],
    [
      `Type '"gte"' is not assignable`,
      `const t = ${pattern("op: 'gte', where: { PK: '<id>' }, returns: ['Thing']")} requests(t, 't').p({ id: '1' });`,
    ],
    [
      "Type 'string' is not assignable to type 'boolean",
      `const t = ${pattern("op: 'transaction', steps: { a: { op: 'put', entity: 'Thing', replace: 'yes' } }")}
       requests(t, 't').p({ a: { id: '1' } });`,
    ],
    ["'overwrite' is not a field of this operation", pattern(`op: 'put', entity: 'Thing', overwrite: true`)],
    ["'tenants' is not a field of a system", system(`tenants: 'id', tables: { t }`)],
    ["the table is named 't'; list it under that name", system('tables: { u: t }')],
    ["'purpos' is not a field of a procedure", system(`tables: { t }, procedures: { p: { uses: [], purpos: '' } }`)],
  ];
  const good = pattern(`op: 'get', where: { PK: '<id>' }, returns: ['Thing']`);

  // The compiler runs only once, with each mistake in a separate file.
  let messages: readonly string[];
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'tablewright-types-'));
    const head = [
      `import { z } from '${ROOT}/node_modules/zod';`,
      `import { defineSystem, defineTable } from '${ROOT}/lib';`,
      `import { requests } from '${ROOT}/lib/dynamodb';`,
      'const attributes = z.object({ id: z.string() });',
      'void [defineSystem, attributes, requests];',
    ];
    const files = [...mistakes.map(([, design]) => design), good].map((design, i) => {
      const file = join(folder, `design-${i}-.ts`);
      writeFileSync(file, [...head, design].join('\n'));
      return file;
    });
    messages = compile(files).split(/\n(?=\S)/);
    rmSync(folder, { recursive: true });
  }, 60_000);

  const messagesOf = (i: number) => messages.filter((message) => message.includes(`design-${i}-.ts`));

  test.each(mistakes.map(([reason], i) => [reason, i] as const))('%s', (reason, i) => {
    expect(messagesOf(i)).toEqual([expect.stringContaining(reason)]);
  });

  test('the compiler reports no errors in a correct design', () => {
    expect(messagesOf(mistakes.length)).toEqual([]);
  });
});

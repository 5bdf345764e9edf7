import { join } from 'node:path';
import { run } from '../../support/run';

const root = join(__dirname, '../../..');

/** Prints how many hidden classes each part has across a hundred blueprints. */
const script = `
  const { defineTable } = require('tablewright');
  const { check } = require('tablewright/check');
  const { blueprint } = require('./dist/lib/blueprint/table.js');
  const { z } = require('zod');
  const parts = {
    table: (plan) => plan,
    key: ({ key }) => key,
    index: ({ indexes }) => indexes[0],
    entity: ({ entities }) => entities[0],
    source: ({ sources }) => sources[0],
    facts: ({ sources }) => sources[0].facts[0],
    pattern: ({ patterns }) => patterns[0],
    access: ({ patterns }) => patterns[0].accesses[0],
  };
  const seen = Object.fromEntries(Object.keys(parts).map((name) => [name, []]));
  for (let i = 0; i < 100; i++) {
    const design = defineTable({
      name: 'table' + i,
      key: { partition: 'PK', sort: 'SK' },
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
      entities: {
        Post: {
          attributes: z.object({ at: z.iso.datetime({ precision: 3 }), id: z.string() }),
          keys: { PK: 'POST#<at>', SK: 'POST#<id>', GSI1PK: 'POST#<id>', GSI1SK: 'POST#<at>' },
        },
      },
      patterns: { post: { op: 'get', where: { PK: 'POST#<at>', SK: 'POST#<id>' }, returns: ['Post'] } },
    });
    check(design);
    const plan = blueprint(design);
    for (const [name, part] of Object.entries(parts)) {
      if (!seen[name].some((other) => %HaveSameMap(other, part(plan)))) seen[name].push(part(plan));
    }
  }
  console.log(JSON.stringify(Object.fromEntries(Object.entries(seen).map(([name, { length }]) => [name, length]))));
`;

// An object that is spread and then overwritten gets a separate hidden class. For each table, V8 then
// recompiles the code that reads the object, which once doubled the time that the check of a thousand tables took.
test('all blueprints share the same hidden classes', () => {
  const { code, output } = run(root, process.execPath, '--allow-natives-syntax', '-e', script);
  expect(code).toBe(0);
  expect(JSON.parse(output)).toEqual({
    table: 1,
    key: 1,
    index: 1,
    entity: 1,
    source: 1,
    facts: 1,
    pattern: 1,
    access: 1,
  });
});

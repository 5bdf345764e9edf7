import { z } from 'zod';
import { templateSyntax } from '../../../../lib/check/rules/template-syntax';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, orders, tableOf } from '../../../fixtures/designs';

const things = (keys: Record<string, string>) => tableOf({ attributes: z.object({ id: z.string() }), keys });
const found = (design: TableDesign) => findings(templateSyntax, design);
const fix = "write literal text and attributes, such as 'POST#<postId>'";

test('finds nothing in templates that can be read, nor where there are none', () => {
  expect(found(orders)).toEqual([]);
  expect(found(tableOf({ attributes: z.object({ PK: z.string(), SK: z.string() }) }))).toEqual([]);
});

test.each([
  ['', 'it is empty'],
  ['THING#<id', "a '<' without its '>'"],
  ['THING#id>', "a '>' without its '<'"],
  ['<>', '<> is no attribute name; write it as <name>, <map.name>, <number:4> or <timestamp:date>'],
  ['<id:day>', '<id:day> has no such format; write a width from 1 to 99, date, year or month after the colon'],
])('%j cannot be read: %s', (SK, fault) => {
  expect(found(things({ PK: 'THING', SK }))).toEqual([
    { path: 'entities.Thing.keys.SK', message: `'${SK}': ${fault}`, fix },
  ]);
});

test('finds every fault of every template at once', () => {
  expect(found(things({ PK: '', SK: '>a<b' })).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    "entities.Thing.keys.PK: '': it is empty",
    "entities.Thing.keys.SK: '>a<b': a '>' without its '<'",
    "entities.Thing.keys.SK: '>a<b': a '<' without its '>'",
  ]);
});

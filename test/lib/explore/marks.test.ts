import { z } from 'zod';
import { outline } from '../../../lib/blueprint/outline';
import { template } from '../../../lib/design/template';
import { renderedMarks } from '../../../lib/explore/marks';
import { makeItem } from '../../../lib/items/item';

test.each([
  ['A#<name>#<n:4>', [2, 3, 1, 4]],
  ['A#<name:upper>#<n:down:7>', [2, 3, 1, 7]],
  ['<at:date>#<at:bucket(15m)>#<name>', [0, 10, 1, 16, 1, 3]],
  ['A#<shard(name, 16)>', [2, 2]],
  ['<text:encoded>#<name>', [0, 4, 1, 3]],
] as const)('marks the literals and the rendered parts of a key from %s', (text, lengths) => {
  const attributes = z.object({
    id: z.string(),
    name: z.string(),
    n: z.int(),
    at: z.iso.datetime({ precision: 3 }),
    text: z.string(),
  });
  const table = outline({ name: 't', key: { partition: 'PK' }, entities: { T: { attributes, keys: { PK: text } } } });
  const values = { id: 'x', name: 'Ann', n: 12, at: '2026-01-31T12:34:56.000Z', text: 'a#b' };
  const { PK } = makeItem(table, table.entities[0] as never, values);
  expect(renderedMarks(template(text), PK, '#')).toEqual(lengths);
});

import { z } from 'zod';
import { unstorable } from '../../../../lib/check/rules/unstorable';
import type { EntityDesign } from '../../../../lib/design/table';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({
  id: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  number: z.int().min(0).max(99),
  place: z.object({ city: z.string() }),
});
const found = (keys: EntityDesign['keys'], keyOnly: readonly string[]) =>
  findings(unstorable, tableOf({ attributes, keys, keyOnly }, { indexes: { byTime: { partition: 'GPK' } } }));

describe('an attribute that exists only in keys', () => {
  test('requires every attribute in `keyOnly` to be in a key', () => {
    expect(found({ PK: '<id>', SK: '<number:2>' }, ['at'])).toEqual([
      { path: 'entities.Thing.keyOnly', cause: 'in-no-key', attribute: 'at' },
    ]);
  });

  test.each([
    ['<at:date>', 'at'],
    ['<place.city>', 'place'],
  ])('rejects an attribute in `keyOnly` if a key contains only a piece of it: %s', (part, attribute) => {
    expect(found({ PK: '<id>', SK: part }, [attribute])).toEqual([
      { path: 'entities.Thing.keyOnly', cause: 'in-pieces', attribute },
    ]);
  });

  test('accepts an attribute in `keyOnly` if a key of the table or of an index contains its whole value, padded or not', () => {
    expect(found({ PK: '<id>', SK: '<number:2>', GPK: '<at:year>#<at>' }, ['id', 'number', 'at'])).toEqual([]);
  });

  test('ignores an unknown attribute in `keyOnly`, because `unknown-name` reports it', () => {
    expect(found({ PK: '<id>', SK: 'X' }, ['nothing'])).toEqual([]);
  });
});

import { z } from 'zod';
import { defineTable, type PatternItem, type PatternValues } from '../../../lib';
import { type Equal, expectTypes, type Flat } from '../../support/types';

test('an open entity accepts and returns undeclared attributes, and its parameters come from its declared attributes', () => {
  const open = defineTable({
    name: 'open',
    key: { partition: 'PK', sort: 'SK' },
    typeAttribute: 'kind',
    entities: {
      Note: {
        attributes: z.looseObject({ id: z.string(), n: z.int(), at: z.object({ city: z.string() }) }),
        keys: { PK: 'NOTE#<id>', SK: '<n:4>#<at.city>' },
      },
    },
    patterns: {
      getNote: { op: 'get', where: { PK: 'NOTE#<id>', SK: '<n:4>#<at.city>' }, returns: ['Note'] },
      writeNote: { op: 'put', entity: 'Note' },
      changeNote: {
        op: 'update',
        entity: 'Note',
        where: { PK: 'NOTE#<noteId>', SK: '<n:4>#<city>' },
        set: { colour: '<colour>', n: '<count>', 'at.city': '<town?>' },
      },
    },
  });
  type Get = Flat<PatternValues<typeof open, 'getNote'>>;
  type Change = Flat<PatternValues<typeof open, 'changeNote'>>;
  type Read = PatternItem<typeof open, 'getNote'>;
  expectTypes<
    [
      Equal<Get, { readonly id: string; readonly n: number; readonly at: { readonly city: string } }>,
      Equal<Change['noteId' | 'city'], string>,
      Equal<Change['count'], number>,
      Equal<Change['colour'], unknown>,
      Equal<Change['town'], string | undefined>,
      Equal<Read['id'], string>,
      Equal<Read['kind'], 'Note'>,
      Equal<Read['colour'], unknown>,
    ]
  >();
  const written: PatternValues<typeof open, 'writeNote'> = { id: 'a', n: 1, at: { city: 'Lima' }, colour: 'red' };
  expect(written.colour).toBe('red');
});

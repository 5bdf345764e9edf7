import { z } from 'zod';
import { constantKey } from '../../../../lib/check/rules/constant-key';
import { findings, orders, tableOf } from '../../../fixtures/designs';

const found = (attributes: z.ZodObject, keys: Record<string, string>) =>
  findings(constantKey, tableOf({ attributes, keys }));

describe('a primary key without parameters', () => {
  test('notes that a primary key has no parameters, and proposes adding the id', () => {
    expect(found(z.object({ thingId: z.string() }), { PK: 'THING', SK: 'META' })).toEqual([
      {
        path: 'entities.Thing.keys.PK',
        cause: 'one-item',
        part: 'thingId',
        proposed: 'THING#<thingId>',
        severity: 'note',
      },
    ]);
    expect(found(z.object({ userId: z.string() }), { PK: 'USER', SK: 'USER' })).toHaveLength(1);
  });

  test.each([
    ['no id of its own, such as settings', z.object({ theme: z.string(), ownerId: z.string() })],
    ['an id that has a single value', z.object({ id: z.literal('settings') })],
  ])('returns no findings for a constant primary key of an entity with %s', (_, attributes) => {
    expect(found(attributes, { PK: 'SETTINGS', SK: 'SETTINGS' })).toEqual([]);
  });
});

test('reports a constant primary key if a pattern or an index suggests several items', () => {
  const design = tableOf({
    attributes: z.object({ at: z.iso.date() }),
    keys: { PK: 'LOG', SK: 'LOG', GSI1PK: '<at>' },
  });
  const read = { op: 'query', where: { PK: 'LOG' }, returns: ['Thing'], order: 'descending' } as const;
  expect(findings(constantKey, { ...design, patterns: { read } })).toMatchObject([{ cause: 'one-item' }]);
  expect(findings(constantKey, { ...design, indexes: { GSI1: { partition: 'GSI1PK' } } })).toMatchObject([
    { cause: 'one-item' },
  ]);
  expect(findings(constantKey, design)).toEqual([]);
});

test('accepts a primary key with a parameter that distinguishes items', () => {
  expect(found(z.object({ id: z.string() }), { PK: 'THING', SK: '<id>' })).toEqual([]);
  expect(findings(constantKey, orders)).toEqual([]);
});

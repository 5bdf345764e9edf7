import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { orders } from '../../../fixtures/designs';

const table = (entity: EntityDesign): TableDesign => ({
  name: 'things',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  separator: '|',
  entities: { Thing: entity },
});
const system = (entity: EntityDesign): SystemDesign => ({
  name: 'system',
  cloud: 'azure',
  tables: { things: table(entity) },
});
const found = (entity: EntityDesign) => check(system(entity)).filter(({ rule }) => rule === 'azure-keys');
const keyed = (value: z.ZodType, RowKey = '<value>|<id>') =>
  found({ attributes: z.object({ id: z.uuid(), value }), keys: { PartitionKey: '<id>', RowKey } });

describe('a key of an Azure table', () => {
  test('is a text', () => {
    expect(found({ attributes: z.object({ id: z.uuid(), RowKey: z.int() }), keys: { PartitionKey: '<id>' } })).toEqual([
      {
        rule: 'azure-keys',
        severity: 'error',
        path: 'tables.things.entities.Thing.attributes.RowKey',
        message: "'RowKey' is a number, and the keys of an Azure table are texts",
        fix: "make it a text, or pad a number into one by a template: '<number:10>'",
      },
    ]);
  });

  test.each([
    ['a listed value', z.enum(['a', 'b?']), "<value> can be 'b?', which holds '?', and an Azure key may not"],
    [
      'a beginning',
      z.string().startsWith('a/'),
      "<value> always begins with 'a/', which holds '/', and an Azure key may not",
    ],
  ])('has no character that is refused in %s', (_, value, message) => {
    expect(keyed(value)).toEqual([
      {
        rule: 'azure-keys',
        severity: 'error',
        path: 'tables.things.entities.Thing.keys.RowKey',
        message,
        fix: "use another character, such as '_'",
      },
    ]);
  });

  test.each([
    ['any text', z.string(), '<value>'],
    ['a legal list', z.enum(['a', 'b']), '<value>'],
    ['a padded number', z.int().min(0).max(99), '<value:2>'],
    ['a legal beginning', z.string().startsWith('a_'), 'x|<value>'],
  ])('can be made of %s', (_, value, text) => {
    expect(keyed(value, text)).toEqual([]);
  });
});

test('a table of another cloud is warned on request', () => {
  const design: TableDesign = {
    ...table({ attributes: z.object({ id: z.string(), value: z.enum(['a', 'b?']) }) }),
    key: { partition: 'id', sort: 'value' },
  };
  const told = check(design, { portability: 'azure' }).filter(({ rule }) => rule === 'azure-keys');
  expect(told.map(({ severity, path }) => `${severity} ${path}`)).toEqual(['warning entities.Thing.attributes.value']);
  expect(check(design).filter(({ rule }) => rule === 'azure-keys')).toEqual([]);
});

test('an acknowledgement is looked at only where the rule speaks', () => {
  const acknowledge = { 'azure-keys': { 'entities.Order': 'it stays where it is' } };
  const idle = (options: object) =>
    check({ ...orders, acknowledge: { ...orders.acknowledge, ...acknowledge } }, options).filter(
      ({ rule }) => rule === 'acknowledgement',
    );
  expect(idle({})).toEqual([]);
  expect(idle({ portability: 'azure' })).toHaveLength(1);
});

import { z } from 'zod';
import { requests } from '../../../lib/azure-tables';
import type { PatternDesign } from '../../../lib/design/pattern';
import { defineTable, type TableDesign } from '../../../lib/design/table';

/** A table design with an attribute of every type. */
export const things = defineTable({
  name: 'Things',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  separator: '_',
  entities: {
    Thing: {
      attributes: z.object({
        shelf: z.string(),
        id: z.string(),
        text: z.string().optional(),
        small: z.int().min(0).max(1000).optional(),
        large: z.int().optional(),
        huge: z.bigint().optional(),
        real: z.number().optional(),
        flag: z.boolean().optional(),
        second: z.iso.datetime({ precision: 0 }).optional(),
        milli: z.iso.datetime({ precision: 3 }).optional(),
        loose: z.iso.datetime().optional(),
        local: z.iso.datetime({ offset: true }).optional(),
        day: z.iso.date().optional(),
        rank: z.literal([1, 2, 3]).optional(),
        colour: z.enum(['red', 'blue']).optional(),
        bytes: z.instanceof(Uint8Array).optional(),
        tags: z.array(z.string()).optional(),
        place: z.object({ city: z.string() }).optional(),
        maybe: z.string().nullable().default(null),
      }),
      keys: { PartitionKey: 'SHELF_<shelf>', RowKey: 'THING_<id>' },
      keyOnly: ['shelf', 'id'],
    },
    Note: {
      attributes: z.object({ shelf: z.string(), note: z.string() }),
      keys: { PartitionKey: 'SHELF_<shelf>', RowKey: 'NOTE' },
      keyOnly: ['shelf'],
    },
  },
  patterns: {
    getThing: { op: 'get', where: { PartitionKey: 'SHELF_<shelf>', RowKey: 'THING_<id>' }, returns: ['Thing'] },
    thingsOnShelf: {
      op: 'query',
      where: { PartitionKey: 'SHELF_<shelf>', RowKey: { beginsWith: 'THING_' } },
      returns: ['Thing'],
    },
    everythingOnShelf: { op: 'query', where: { PartitionKey: 'SHELF_<shelf>' }, returns: ['Thing', 'Note'] },
    pagesOfShelf: {
      op: 'query',
      where: { PartitionKey: 'SHELF_<shelf>', RowKey: { beginsWith: 'THING_' } },
      returns: ['Thing'],
      pageSize: 2,
    },
    thingsByText: {
      op: 'query',
      where: { PartitionKey: 'SHELF_<shelf>', RowKey: { beginsWith: 'THING_' } },
      filter: { text: '<text>' },
      returns: ['Thing'],
    },
    addThing: { op: 'put', entity: 'Thing' },
    replaceThing: { op: 'put', entity: 'Thing', replace: true },
    saveThing: { op: 'put', entity: 'Thing', replace: true, unchanged: true },
    labelThing: {
      op: 'update',
      entity: 'Thing',
      where: { PartitionKey: 'SHELF_<shelf>', RowKey: 'THING_<id>' },
      set: { text: '<text>', small: '<small?>' },
    },
    removeThing: {
      op: 'delete',
      entity: 'Thing',
      where: { PartitionKey: 'SHELF_<shelf>', RowKey: 'THING_<id>' },
    },
    addWithNote: {
      op: 'transaction',
      steps: {
        thing: { op: 'put', entity: 'Thing' },
        note: { op: 'put', entity: 'Note', item: { shelf: '<thing.shelf>', note: '<note>' }, replace: true },
      },
    },
  },
});

type AnyPattern = (values: object, options?: object) => unknown;

/** Builds the call for a pattern that a test adds to `things`. */
export function callOf(pattern: PatternDesign, values: object, options?: object): unknown {
  const design: TableDesign = { ...things, patterns: { it: pattern } };
  const { it } = requests(design, 'Things') as Readonly<Record<string, AnyPattern>>;
  return (it as AnyPattern)(values, options);
}

export const shelf = { PartitionKey: 'SHELF_<shelf>' };
export const one = { ...shelf, RowKey: 'THING_<id>' };

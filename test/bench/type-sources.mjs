/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates of the other libraries use `${…}` */
// The same table for every side, as TypeScript source. Each entity has a primary key, one index, and four string
// attributes with unique names. For each entity, the code builds a put, a get and a query, and uses an item that it has
// read.

const each = (size, lines) => Array.from({ length: size }, (_, i) => lines(i)).join('\n');

const tablewright = (zod) => (size) =>
  `
    import { defineTable, type PatternItem } from 'tablewright';
    import { entities, requests } from 'tablewright/dynamodb';
    import * as z from '${zod}';
    const design = defineTable({
      name: 'large',
      key: { partition: 'PK', sort: 'SK' },
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
      entities: {
        ${each(
          size,
          (i) => `E${i}: {
            attributes: z.object({ a${i}: z.string(), b${i}: z.string(), c${i}: z.string(), d${i}: z.string() }),
            keys: { PK: 'A${i}#<a${i}>', SK: 'B#<b${i}>', GSI1PK: 'C${i}#<c${i}>', GSI1SK: 'D#<d${i}>' },
          },`,
        )}
      },
      patterns: {
        ${each(
          size,
          (i) => `
          get${i}: { op: 'get', where: { PK: 'A${i}#<a${i}>', SK: 'B#<b${i}>' }, returns: ['E${i}'] },
          query${i}: { op: 'query', index: 'GSI1', where: { GSI1PK: 'C${i}#<c${i}>' }, returns: ['E${i}'] },`,
        )}
      },
    });
    const patterns = requests(design, 'large');
const { put } = entities(design, 'large');
    ${each(
      size,
      (i) => `
      export const put${i} = () => put('E${i}', { a${i}: 'a', b${i}: 'b', c${i}: 'c', d${i}: 'd' });
      export const get${i} = () => patterns.get${i}({ a${i}: 'a', b${i}: 'b' });
      export const query${i} = () => patterns.query${i}({ c${i}: 'c' });
      export const use${i} = (item: PatternItem<typeof design, 'get${i}'>): string => item.d${i};`,
    )}`;

export const sources = {
  'tablewright, zod': tablewright('zod'),
  'tablewright, zod/mini': tablewright('zod/mini'),

  ElectroDB: (size) => `
    import { Entity, type EntityItem } from 'electrodb';
    ${each(
      size,
      (i) => `
      const E${i} = new Entity({
        model: { entity: 'E${i}', version: '1', service: 'large' },
        attributes: {
          a${i}: { type: 'string', required: true }, b${i}: { type: 'string', required: true },
          c${i}: { type: 'string', required: true }, d${i}: { type: 'string', required: true },
        },
        indexes: {
          own: { pk: { field: 'PK', composite: ['a${i}'] }, sk: { field: 'SK', composite: ['b${i}'] } },
          other: { index: 'GSI1', pk: { field: 'GSI1PK', composite: ['c${i}'] }, sk: { field: 'GSI1SK', composite: ['d${i}'] } },
        },
      }, { table: 'large' });
      export const put${i} = () => E${i}.create({ a${i}: 'a', b${i}: 'b', c${i}: 'c', d${i}: 'd' }).params();
      export const get${i} = () => E${i}.get({ a${i}: 'a', b${i}: 'b' }).params();
      export const query${i} = () => E${i}.query.other({ c${i}: 'c' }).params();
      export const use${i} = (item: EntityItem<typeof E${i}>): string => item.d${i};`,
    )}`,

  'dynamodb-toolbox': (size) => `
    import { Entity, type FormattedItem, GetItemCommand, item, PutItemCommand, QueryCommand, string, Table } from 'dynamodb-toolbox';
    const table = new Table({
      name: 'large',
      partitionKey: { name: 'PK', type: 'string' },
      sortKey: { name: 'SK', type: 'string' },
      indexes: { GSI1: { type: 'global', partitionKey: { name: 'GSI1PK', type: 'string' }, sortKey: { name: 'GSI1SK', type: 'string' } } },
    });
    ${each(
      size,
      (i) => `
      const E${i} = new Entity({
        name: 'E${i}',
        table,
        schema: item({ a${i}: string().key(), b${i}: string().key(), c${i}: string(), d${i}: string() }).and((own) => ({
          GSI1PK: string().link<typeof own>(({ c${i} }) => 'C${i}#' + c${i}),
          GSI1SK: string().link<typeof own>(({ d${i} }) => 'D#' + d${i}),
        })),
        computeKey: ({ a${i}, b${i} }) => ({ PK: 'A${i}#' + a${i}, SK: 'B#' + b${i} }),
      });
      export const put${i} = () => E${i}.build(PutItemCommand).item({ a${i}: 'a', b${i}: 'b', c${i}: 'c', d${i}: 'd' }).params();
      export const get${i} = () => E${i}.build(GetItemCommand).key({ a${i}: 'a', b${i}: 'b' }).params();
      export const query${i} = () => table.build(QueryCommand).query({ index: 'GSI1', partition: 'C${i}#c' }).entities(E${i}).params();
      export const use${i} = (item: FormattedItem<typeof E${i}>): string => item.d${i};`,
    )}`,

  OneTable: (size) => `
    import { type Entity, Table } from 'dynamodb-onetable';
    const schema = {
      format: 'onetable:1.1.0',
      version: '0.0.1',
      indexes: { primary: { hash: 'PK', sort: 'SK' }, GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' } },
      models: {
        ${each(
          size,
          (i) => `E${i}: {
            PK: { type: String, value: 'A${i}#\${a${i}}' }, SK: { type: String, value: 'B#\${b${i}}' },
            GSI1PK: { type: String, value: 'C${i}#\${c${i}}' }, GSI1SK: { type: String, value: 'D#\${d${i}}' },
            a${i}: { type: String, required: true }, b${i}: { type: String, required: true },
            c${i}: { type: String, required: true }, d${i}: { type: String, required: true },
          },`,
        )}
      },
    } as const;
    const table = new Table({ name: 'large', client: {} as never, schema, partial: false });
    ${each(
      size,
      (i) => `
      const E${i} = table.getModel('E${i}');
      export const put${i} = () => E${i}.create({ a${i}: 'a', b${i}: 'b', c${i}: 'c', d${i}: 'd' }, { execute: false });
      export const get${i} = () => E${i}.get({ a${i}: 'a', b${i}: 'b' }, { execute: false });
      export const query${i} = () => E${i}.find({ c${i}: 'c' }, { index: 'GSI1', execute: false });
      export const use${i} = (item: Entity<typeof schema.models.E${i}>): string => item.d${i};`,
    )}`,
};

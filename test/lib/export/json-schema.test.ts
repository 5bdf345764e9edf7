import { toAwsModel } from '../../../lib/export/aws-model';
import { toJsonSchema } from '../../../lib/export/json-schema';
import { toWorkbench } from '../../../lib/export/workbench';
import { catalogueTable } from '../../fixtures/catalogue';

test('a union becomes one schema per member, and the discriminator tells them apart', () => {
  const { $defs } = toJsonSchema(catalogueTable) as {
    $defs: { Product: { oneOf: { properties: object; required: string[] }[] } };
  };
  expect($defs.Product.oneOf.map(({ properties }) => properties)).toEqual([
    expect.objectContaining({ kind: { type: 'string', const: 'book' }, pages: expect.anything() }),
    expect.objectContaining({ kind: { type: 'string', const: 'film' }, minutes: expect.anything() }),
    expect.objectContaining({ kind: { type: 'string', const: 'bundle' }, parts: expect.anything() }),
  ]);
  const [book, film] = $defs.Product.oneOf;
  expect(book?.required).toContain('author');
  expect(film?.required).not.toContain('rating');
});

test('formats that do not support unions list the attributes of all members', () => {
  const model = toAwsModel(catalogueTable) as { tables: { entities: { attributes: object[] }[] }[] };
  const bench = toWorkbench(catalogueTable) as { DataModel: { NonKeyAttributes: object[] }[] };
  const all = [
    ['kind', 'S'],
    ['author', 'S'],
    ['pages', 'N'],
    ['minutes', 'N'],
    ['parts', 'L'],
  ] as const;
  const attributes = model.tables[0]?.entities[0]?.attributes;
  for (const [name, type] of all) {
    expect(attributes).toContainEqual({ name, type });
    expect(bench.DataModel[0]?.NonKeyAttributes).toContainEqual({ AttributeName: name, AttributeType: type });
  }
});

import { marked, unmarked, withMarkedNames, withoutMarks } from '../../../../lib/azure-tables/engine/names';
import fc from '../../../support/fuzz';

const NAMES = [
  'timestamp',
  'etag',
  'partitionKey',
  'rowKey',
  '__proto__',
  'odata.mine',
  'a@odata.typeb',
  'stored:x',
  'a"b',
];

test('renames only response properties whose names the SDK reserves', () => {
  const answer =
    '{"odata.metadata":"m","value":[{"odata.etag":"e","PartitionKey":"p","Timestamp":"t","timestamp":"mine"}]}';
  expect(withMarkedNames(answer)).toBe(answer.replace('"timestamp"', '"stored:timestamp"'));
});

test("renames a property's type annotation along with the property", () => {
  expect(withMarkedNames('{"etag@odata.type":"Edm.Int64","etag":"5"}')).toBe(
    '{"stored:etag@odata.type":"Edm.Int64","stored:etag":"5"}',
  );
});

test('leaves a service error unchanged', () => {
  const error = '{"odata.error":{"code":"X","message":{"value":"timestamp: etag"}}}';
  expect(withMarkedNames(error)).toBe(error);
});

test('leaves values unchanged, even if they look like names', () => {
  const values = ['timestamp', '"etag":', 'stored:etag', '{"stored:etag":1}', '\\"etag\\": "x"'];
  const json = JSON.stringify({ values, one: values[1] });
  expect(withMarkedNames(json)).toBe(json);
  expect(withoutMarks(json)).toBe(json);
});

test('round-trips any property name and value from a response back to a request', () => {
  const name = fc
    .oneof(fc.string({ minLength: 1 }), fc.constantFrom(...NAMES))
    .filter((text) => !text.endsWith('@odata.type'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
      const json = JSON.stringify(Object.fromEntries(pairs));
      expect(withoutMarks(withMarkedNames(json))).toBe(json);
      for (const [each] of pairs) expect(unmarked(marked(each))).toBe(each);
    }),
  );
});

test('renames properties only in the entity lines of a batch', () => {
  const batch = ['--changeset', 'If-Match: W/"stored:etag":', '', '{"stored:etag":"1"}', '--changeset--'].join('\r\n');
  expect(withoutMarks(batch)).toBe(batch.replace('{"stored:etag"', '{"etag"'));
});

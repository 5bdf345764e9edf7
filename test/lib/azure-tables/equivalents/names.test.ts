import { azureNames, hashOf } from '../../../../lib/azure-tables/equivalents/names';
import { AZURE_TABLES } from '../../../../lib/blueprint/clouds';
import fc from '../../../support/fuzz';

test('keeps a legal name, and appends the index name', () => {
  expect(azureNames([['blog'], ['blog', 'GSI1'], ['NumberLogs']])).toEqual(['blog', 'blogGSI1', 'NumberLogs']);
});

test('drops characters that Azure rejects, and appends a hash of the original name to keep names distinct', () => {
  const names = azureNames([['my-table'], ['my.table'], ['1st'], ['tables'], ['a'.repeat(70)], ['--'], ['ab']]);
  expect(names).toEqual([
    expect.stringMatching(/^mytable[a-z2-7]{8}$/),
    expect.stringMatching(/^mytable[a-z2-7]{8}$/),
    expect.stringMatching(/^t1st[a-z2-7]{8}$/),
    expect.stringMatching(/^tables[a-z2-7]{8}$/),
    expect.stringMatching(/^a{55}[a-z2-7]{8}$/),
    expect.stringMatching(/^t[a-z2-7]{8}$/),
    expect.stringMatching(/^ab[a-z2-7]{8}$/),
  ]);
  expect(new Set(names).size).toBe(names.length);
});

test("creates distinct names for tables that differ only in case, and for a table that is named like another table's index", () => {
  const names = azureNames([['Orders'], ['orders'], ['blogGSI1'], ['blog', 'GSI1'], ['other']]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
  expect(names[4]).toBe('other');
});

test('maps any DynamoDB names to legal names that are distinct even when case is ignored', () => {
  const part = fc.string({ unit: fc.constantFrom(...'aAbB1_.-'), minLength: 3, maxLength: 80 });
  const names = fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 2 }), {
    selector: (parts) => parts.join('/'),
  });
  fc.assert(
    fc.property(names, (given) => {
      const made = azureNames(given);
      expect(made.filter((name) => !AZURE_TABLES.name.form.test(name))).toEqual([]);
      expect(new Set(made.map((name) => name.toLowerCase())).size).toBe(given.length);
    }),
  );
});

test('computes the same hash on every machine', () => {
  expect(hashOf('blog/prod')).toBe('jya3oats');
});

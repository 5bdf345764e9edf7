import fc from 'fast-check';
import { encodeKey } from '../../../../lib/azure-tables/equivalents/key-text';
import { mirrored, mirroredPrefix, unmirrored } from '../../../../lib/azure-tables/equivalents/mirror';
import { AZURE_TABLES } from '../../../../lib/blueprint/clouds';

const texts = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('a', 'z', '{', '~', ' ', '!', '#', '/', 'é', '漢', '\uffff'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  .map((text) => encodeKey([text]));
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

test('reverses the order of strings, so that a prefix sorts after the longer string', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(compare(mirrored(a), mirrored(b))).toBe(-compare(a, b) + 0);
    }),
  );
  expect(['POST!1', 'POST!10', 'POST!2'].map(mirrored).sort().map(unmirrored)).toEqual(['POST!2', 'POST!10', 'POST!1']);
});

test('creates a legal mirror that decodes to the original, and mirrors each prefix as a prefix', () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(unmirrored(mirrored(a))).toBe(a);
      expect(AZURE_TABLES.illegalInKeys.test(mirrored(a))).toBe(false);
      expect(mirrored(a + b).startsWith(mirroredPrefix(a))).toBe(true);
    }),
  );
});

test('the mirror of a key of plain characters is only one character longer than the key', () => {
  expect(mirrored('POST!2026-01-31T12:00:00..000Z!1  POST!1').length).toBe(
    'POST!2026-01-31T12:00:00..000Z!1  POST!1'.length + 1,
  );
});

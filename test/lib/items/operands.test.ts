import { KeyError } from '../../../lib/design/template';
import { ItemError } from '../../../lib/items/item';
import { comparisonOf, isAttribute, itemValues, operandValue } from '../../../lib/items/operands';

describe('a test', () => {
  test('of a bare value is for equality', () => {
    for (const operand of ['<x>', 7, true, null, { attribute: 'a' }]) {
      expect(comparisonOf(operand)).toEqual(['equals', [operand]]);
    }
  });

  test('names how it compares, and with what', () => {
    expect(comparisonOf({ atLeast: '<x>' })).toEqual(['atLeast', ['<x>']]);
    expect(comparisonOf({ not: null })).toEqual(['not', [null]]);
    expect(comparisonOf({ between: [1, '<x>'] })).toEqual(['between', [1, '<x>']]);
    expect(comparisonOf({ in: ['a', 'b', 'c'] })).toEqual(['in', ['a', 'b', 'c']]);
    expect(comparisonOf({ exists: false })).toEqual(['exists', [false]]);
    expect(comparisonOf({ lessThan: { attribute: 'a' } })).toEqual(['lessThan', [{ attribute: 'a' }]]);
  });

  test('is of another attribute, or it is not', () => {
    expect(isAttribute({ attribute: 'a' })).toBe(true);
    for (const test of [null, 'attribute', { not: 'a' }]) expect(isAttribute(test)).toBe(false);
  });
});

describe('an operand', () => {
  test('is a constant as it is', () => {
    for (const constant of [7, true, null, 'OPEN', '']) expect(operandValue(constant, {})).toBe(constant);
  });

  test('is a parameter with its own type', () => {
    const map = { a: 1 };
    for (const x of [7, 7n, false, null, map, 'a#b', '']) expect(operandValue('<x>', { x })).toBe(x);
    expect(operandValue('<map.a>', { map })).toBe(1);
  });

  test('is text with parameters in it, in which anything may be', () => {
    expect(operandValue('by <who> on <at:date>', { who: 'a#b', at: '2026-01-31T12:00:00Z' })).toBe(
      'by a#b on 2026-01-31',
    );
    expect(operandValue('<n:4>', { n: 7 })).toBe('0007');
    expect(() => operandValue('by <who>', { who: { a: 1 } })).toThrow(KeyError);
  });

  test('is nothing where a part is not given that need not be', () => {
    expect(operandValue('<x?>', {})).toBeUndefined();
    expect(operandValue('by <who> for <whom?>', { who: 'a' })).toBeUndefined();
    expect(operandValue('<x?>', { x: null })).toBeNull();
  });

  test.each(['<x>', 'by <x>', '<map.x>'])('of %p that is not given is refused, and named', (operand) => {
    const attempt = () => operandValue(operand, { map: {} });
    expect(attempt).toThrow(KeyError);
    expect(attempt).toThrow(/^<(map\.)?x> is missing; give it a value$/);
  });

  test('is never what every object has by birth', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(() => operandValue(`<${name}>`, {})).toThrow('is missing');
      expect(operandValue(`<${name}?>`, {})).toBeUndefined();
    }
  });
});

describe('an item that a pattern spells out', () => {
  test('has constants, parameters and text', () => {
    const item = { id: '<a>-<b>', size: '<size?>', note: 'new', isOpen: true };
    expect(itemValues(item, { a: 1, b: 2 })).toEqual({ id: '1-2', size: undefined, note: 'new', isOpen: true });
  });

  test('has no other attribute to copy', () => {
    expect(() => itemValues({ size: { attribute: 'note' } }, {})).toThrow(ItemError);
  });
});

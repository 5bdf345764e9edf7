import { comparisonOf, isAttribute } from '../../../lib/blueprint/conditions';
import { KeyError } from '../../../lib/design/template';
import { ItemError } from '../../../lib/items/item';
import { itemValues, operandValue } from '../../../lib/items/operands';

describe('a test', () => {
  test('comparisonOf treats a bare value as an equality', () => {
    for (const operand of ['<x>', 7, true, null, { attribute: 'a' }]) {
      expect(comparisonOf(operand)).toEqual(['equals', [operand]]);
    }
  });

  test('comparisonOf returns the comparison and its operands', () => {
    expect(comparisonOf({ atLeast: '<x>' })).toEqual(['atLeast', ['<x>']]);
    expect(comparisonOf({ not: null })).toEqual(['not', [null]]);
    expect(comparisonOf({ between: [1, '<x>'] })).toEqual(['between', [1, '<x>']]);
    expect(comparisonOf({ in: ['a', 'b', 'c'] })).toEqual(['in', ['a', 'b', 'c']]);
    expect(comparisonOf({ exists: false })).toEqual(['exists', [false]]);
    expect(comparisonOf({ lessThan: { attribute: 'a' } })).toEqual(['lessThan', [{ attribute: 'a' }]]);
  });

  test('isAttribute recognizes a comparison with another attribute', () => {
    expect(isAttribute({ attribute: 'a' })).toBe(true);
    for (const test of [null, 'attribute', { not: 'a' }]) expect(isAttribute(test)).toBe(false);
  });
});

describe('an operand', () => {
  test('an operand may be a constant', () => {
    for (const constant of [7, true, null, 'OPEN', '']) expect(operandValue(constant, {})).toBe(constant);
  });

  test("an operand may be a parameter, and the parameter's value keeps its type", () => {
    const map = { a: 1 };
    for (const x of [7, 7n, false, null, map, 'a#b', '']) expect(operandValue('<x>', { x })).toBe(x);
    expect(operandValue('<map.a>', { map })).toBe(1);
  });

  test('an operand may be a string with parameters, whose values may contain any text', () => {
    expect(operandValue('by <who> on <at:date>', { who: 'a#b', at: '2026-01-31T12:00:00Z' })).toBe(
      'by a#b on 2026-01-31',
    );
    expect(operandValue('<n:4>', { n: 7 })).toBe('0007');
    expect(() => operandValue('by <who>', { who: { a: 1 } })).toThrow(KeyError);
  });

  test('an operand is undefined if the caller omits the value of an optional parameter', () => {
    expect(operandValue('<x?>', {})).toBeUndefined();
    expect(operandValue('by <who> for <whom?>', { who: 'a' })).toBeUndefined();
    expect(operandValue('<x?>', { x: null })).toBeNull();
  });

  test.each(['<x>', 'by <x>', '<map.x>'])(
    'a missing value for the operand %p causes an error that names the parameter',
    (operand) => {
      const attempt = () => operandValue(operand, { map: {} });
      expect(attempt).toThrow(KeyError);
      expect(attempt).toThrow(/^<(map\.)?x> is missing; give it a value$/);
    },
  );

  test("an operand never takes its value from an object's built-in property", () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(() => operandValue(`<${name}>`, {})).toThrow('is missing');
      expect(operandValue(`<${name}?>`, {})).toBeUndefined();
    }
  });
});

describe('itemValues', () => {
  test('itemValues returns constants unchanged, and fills in parameters, also within strings', () => {
    const item = { id: '<a>-<b>', size: '<size?>', note: 'new', isOpen: true };
    expect(itemValues(item, { a: 1, b: 2 })).toEqual({ id: '1-2', size: undefined, note: 'new', isOpen: true });
  });

  test('itemValues refuses to copy another attribute', () => {
    expect(() => itemValues({ size: { attribute: 'note' } }, {})).toThrow(ItemError);
  });
});

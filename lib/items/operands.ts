import { hasParts, partsOf } from '../blueprint/template-parts';
import type { Operand, PutPattern, Test } from '../design/pattern';
import { KeyError, lonePart, mapParts, renderText, template, valueAt } from '../design/template';
import { type Item, ItemError } from './item';

/** The kind of a test, what it compares with, and whether it compares a length instead of the value. */
export function comparisonOf(test: Test): readonly [string, readonly Operand[], isSize?: boolean] {
  if (typeof test !== 'object' || test === null || isAttribute(test)) return ['equals', [test]];
  const [comparison, operands] = Object.entries(test)[0] as [string, Operand | readonly Operand[]];
  if (comparison === 'size') return [...(comparisonOf(operands as Operand) as [string, readonly Operand[]]), true];
  return [comparison, Array.isArray(operands) ? operands : [operands as Operand]];
}

export function isAttribute(operand: Test): operand is { readonly attribute: string } {
  return typeof operand === 'object' && operand !== null && 'attribute' in operand;
}

/**
 * The value of an operand: a constant, a parameter with its own type, or text with parameters in it; undefined if the
 * caller does not give a `<part?>`.
 */
export function operandValue(operand: Exclude<Operand, object>, parameters: object): unknown {
  if (typeof operand !== 'string') return operand;
  const read = template(operand);
  if (!hasParts(read)) return operand;
  for (const { name, path, optional } of partsOf(read)) {
    if (valueAt(parameters, path) !== undefined) continue;
    if (optional) return undefined;
    throw new KeyError(name, `<${name}> is missing; give it a value`);
  }
  const lone = lonePart(read);
  if (lone !== undefined) return valueAt(parameters, lone.path);
  return mapParts(
    read,
    (text) => text,
    (part) => renderText(read, part, valueAt(parameters, part.path)),
  ).join('');
}

/** The values of the item that a pattern spells out. */
export function itemValues(item: NonNullable<PutPattern['item']>, values: object): Item {
  const entries = Object.entries(item).map(([name, operand]) => {
    if (typeof operand === 'object' && operand !== null)
      throw new ItemError(`${name}: a new item has no attribute to copy`);
    return [name, operandValue(operand, values)];
  });
  return Object.fromEntries(entries);
}

import { isCopy } from '../blueprint/index-keys';
import { hasParts, partsOf } from '../blueprint/template-parts';
import type { Operand, PutPattern } from '../design/pattern';
import { KeyError, lonePart, mapParts, renderText, template, valueAt } from '../design/template';
import { type Item, ItemError } from './item';

/**
 * The value of an operand: a constant, a parameter in its own type, or a string with its parameters filled in;
 * undefined if the caller omits a `<part?>`.
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

/** Returns the values of a new item from the attributes that the put pattern lists. */
export function itemValues(item: NonNullable<PutPattern['item']>, values: object): Item {
  const entries = Object.entries(item).map(([name, operand]) => {
    if (isCopy(operand)) throw new ItemError(`${name}: a new item has no attribute to copy`);
    return [name, operandValue(operand, values)];
  });
  return Object.fromEntries(entries);
}

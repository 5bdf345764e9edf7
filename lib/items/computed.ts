import { partsOf } from '../blueprint/template-parts';
import type { ComputedAttribute } from '../blueprint/written';
import { lonePart, mapParts, renderText, shownValue, template, valueAt } from '../design/template';
import { ItemError } from './item';

/** The value of a computed attribute; undefined if a source attribute is missing. */
export function computedValue({ texts, separator, parts, name }: ComputedAttribute, values: object): unknown {
  if (parts.some(({ path }) => (valueAt(values, path) ?? undefined) === undefined)) return undefined;
  if (separator === undefined) return textOf(texts[0] ?? '', values);
  const all = texts.map((text) => String(textOf(text, values)));
  const wrong = all.find((text) => text.includes(separator));
  if (wrong !== undefined)
    throw new ItemError(`${name}: ${shownValue(wrong)} contains '${separator}', which separates the sorted values`);
  return all.sort().join(separator);
}

function textOf(text: string, values: object): unknown {
  const read = template(text);
  const lone = lonePart(read);
  if (lone !== undefined) return valueAt(values, lone.path);
  if (partsOf(read).length === 0) return text;
  return mapParts(
    read,
    (literal) => literal,
    (part) => renderText(read, part, valueAt(values, part.path)),
  ).join('');
}

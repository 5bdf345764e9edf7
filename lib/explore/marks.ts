import { shownPart } from '../blueprint/template-parts';
import { holdsWhole, mapParts, match, renderText, type Template } from '../design/template';
import type { Mark } from './view';

/** A key template in which the parts are marked. */
export function templateMarks(template: Template): readonly Mark[] {
  return mapParts<Mark, Mark>(
    template,
    (text) => ({ text }),
    (part) => ({ text: shownPart(part), part: part.name }),
  );
}

/**
 * The lengths of the literal and the rendered pieces of a key, alternating; undefined if the key does not match the
 * template.
 */
export function renderedMarks(template: Template, key: unknown, separator: string): readonly number[] | undefined {
  if (typeof key !== 'string') return undefined;
  const values = match(template, key, separator);
  if (values === undefined) return undefined;
  const lengths = [0];
  let isRendered = false;
  const add = (length: number, rendered: boolean) => {
    if (rendered !== isRendered) lengths.push(0);
    // Separates two adjacent parts.
    else if (rendered) lengths.push(0, 0);
    isRendered = rendered;
    lengths[lengths.length - 1] = (lengths.at(-1) as number) + length;
  };
  mapParts(
    template,
    (text) => add(text.length, false),
    (part) => {
      // A piece of a value, such as a date or a shard, is in the key as text, and cannot be rendered again.
      const text = holdsWhole(part)
        ? renderText(template, part, values[part.name], separator)
        : String(values[`${part.name}:${part.format}`]);
      add(text.length, true);
    },
  );
  return lengths;
}

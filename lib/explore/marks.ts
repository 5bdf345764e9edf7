import { shownPart } from '../blueprint/template-parts';
import { holdsWhole, mapParts, match, renderText, type Template } from '../design/template';
import type { Mark } from './view';

/** Splits a key template into literal text and marked parts. */
export function templateMarks(template: Template): readonly Mark[] {
  return mapParts<Mark, Mark>(
    template,
    (text) => ({ text }),
    (part) => ({ text: shownPart(part), part: part.name }),
  );
}

/**
 * Returns the lengths of a key's pieces, which are alternately literal text and rendered values. Returns undefined if
 * the key does not match the template.
 */
export function renderedMarks(template: Template, key: unknown, separator: string): readonly number[] | undefined {
  if (typeof key !== 'string') return undefined;
  const values = match(template, key, separator);
  if (values === undefined) return undefined;
  const lengths = [0];
  let isRendered = false;
  const add = (length: number, rendered: boolean) => {
    if (rendered !== isRendered) lengths.push(0);
    // Put an empty literal between two adjacent parts.
    else if (rendered) lengths.push(0, 0);
    isRendered = rendered;
    lengths[lengths.length - 1] = (lengths.at(-1) as number) + length;
  };
  mapParts(
    template,
    (text) => add(text.length, false),
    (part) => {
      // If the key contains only a piece of a value, such as a date or a shard, the piece is already text and cannot be
      // rendered again.
      const text = holdsWhole(part)
        ? renderText(template, part, values[part.name], separator)
        : String(values[`${part.name}:${part.format}`]);
      add(text.length, true);
    },
  );
  return lengths;
}

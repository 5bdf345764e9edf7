import { bare, defOf, formOf, kindOf, listedValues, type Schema } from '../blueprint/attributes/schema';
import { type Part, widthOf } from '../design/template';

/** Any prefix of an ISO date or timestamp. */
const MOMENT =
  /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3])?(:[0-5]\d?(:[0-5]\d?(\.\d*)?Z?)?)?)?)?)?-?$/;

const MOMENTS: ReadonlySet<string> = new Set(['date', 'datetime']);

/**
 * Whether the schema may accept a value that begins with the given string. For example, a query may use the prefix
 * `2026-01`, but not `2026-1`.
 */
export function isBeginning(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || kindOf(schema) !== 'string') return false;
  const def = defOf(bare(schema));
  const values = listedValues(def);
  if (values !== undefined) return values.some((listed) => String(listed).startsWith(value));
  const form = formOf(def)?.format;
  return form === undefined || !MOMENTS.has(form) || MOMENT.test(value);
}

/** Like `isBeginning`, but for a part with a format, such as padded digits or a piece of a timestamp. */
export function isBeginningOfPart(part: Part, value: string): boolean {
  const { format } = part;
  if (typeof format === 'number') return /^\d+$/.test(value) && value.length < format;
  return /^(date|bucket)/.test(`${format}`) && value.length < (widthOf(part) as number) && MOMENT.test(value);
}

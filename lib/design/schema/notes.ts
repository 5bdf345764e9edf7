import { z } from 'zod';

/** Details for messages about a field of the language. The schema itself only defines which values are valid. */
export interface Note {
  /** The expected value in words, such as `a string`. */
  readonly what?: string;
  /** An example of a valid value. */
  readonly example?: string;
  /** The example to show if the whole field is missing; omitted if it is the same as `example`. */
  readonly added?: string;
  /** The advice to give if the value is a list. */
  readonly insteadOfList?: string;
  /** The advice to give if the value is an object. */
  readonly insteadOfObject?: string;
  /**
   * The reason why the value must not be empty, or `true` if an empty value is reported like a value of the wrong type.
   */
  readonly notEmpty?: true | { readonly cause: string; readonly message: string; readonly fix: string };
  /** Terms from other systems, in lower case, mapped to this language's terms. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /**
   * The operators of a condition. A schema with operators is a union that includes one single-field object per
   * operator.
   */
  readonly operators?: readonly string[];
  /** Whether a message describes the value as a whole, rather than a fault inside the value. */
  readonly whole?: boolean;
  /** Whether a message's path includes the element's position in the list. */
  readonly numbered?: boolean;
}

/** The notes on the language's schemas. A derived schema inherits the note of its original. */
export const notes = z.registry<Note>();

export function text(example: string) {
  return z.string().register(notes, { what: 'a string', example: `'${example}'` });
}

export function flag() {
  return z.boolean().register(notes, { what: 'true or false', example: 'true' });
}

export function listOf<S extends z.ZodType>(element: S, example: string) {
  return z.array(element).register(notes, { what: 'a list', example });
}

/** An object with arbitrary field names, whose values all have the same schema. */
export function byName<S extends z.ZodType>(element: S, example: string, added = example) {
  return z.record(z.string(), element).register(notes, { what: 'an object', example, added });
}

/** An object with exactly the given fields, so that the check reports a misspelled field. */
export function fields<S extends z.core.$ZodLooseShape>(what: string, shape: S, added?: string) {
  return z.strictObject(shape).register(notes, { what, added });
}

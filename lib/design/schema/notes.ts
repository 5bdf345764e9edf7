import { z } from 'zod';

/** What a message adds about a place of the language; the schema itself only defines what is accepted. */
export interface Note {
  /** What must be there: `a string`. */
  readonly what?: string;
  /** How to write it. */
  readonly example?: string;
  /** How to write it if the whole field is missing, if that differs from the example. */
  readonly added?: string;
  /** What to write instead of a list. */
  readonly insteadOfList?: string;
  /** What to do instead of writing an object. */
  readonly insteadOfObject?: string;
  /** Why the value must not be empty; `true` if an empty value simply has the wrong type. */
  readonly notEmpty?: true | { readonly cause: string; readonly message: string; readonly fix: string };
  /** Foreign words, in lower case, each with the equivalent word of the language. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The operators of a condition. The union has an object with this one field for each. */
  readonly operators?: readonly string[];
  /** Whether a message is about the value as a whole, rather than about what is wrong inside. */
  readonly whole?: boolean;
  /** Whether the path of a message has the place in the list. */
  readonly numbered?: boolean;
}

/** The notes on the schemas of the language. A schema that is derived from another inherits its note. */
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

/** An object whose members all have the same form, and any names. */
export function byName<S extends z.ZodType>(element: S, example: string, added = example) {
  return z.record(z.string(), element).register(notes, { what: 'an object', example, added });
}

/** An object with these fields and no others, so that a misspelt field is reported. */
export function fields<S extends z.core.$ZodLooseShape>(what: string, shape: S, added?: string) {
  return z.strictObject(shape).register(notes, { what, added });
}

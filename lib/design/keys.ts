import { formats } from './formats';
import * as templates from './template';

/** Like `render` from `template.ts`, but always supports the rarely used formats. */
export function render(...given: Parameters<typeof templates.render>): string {
  templates.useFormats(formats);
  return templates.render(...given);
}

/**
 * Returns the values in a key, keyed by name, or undefined if the key does not match the template. For a piece of a
 * timestamp, the name consists of the part and the piece, such as `at:date`.
 */
export function match(...given: Parameters<typeof templates.match>): ReturnType<typeof templates.match> {
  templates.useFormats(formats);
  return templates.match(...given);
}

import { formats } from './formats';
import * as templates from './template';

/** Like `render` of `template.ts`, which renders the keys in requests, but always supports the rarely used formats. */
export function render(...given: Parameters<typeof templates.render>): string {
  templates.useFormats(formats);
  return templates.render(...given);
}

/**
 * The values in a key, by name; undefined if the key does not match the template. A piece of a timestamp has the
 * name of its part and piece, such as `at:date`.
 */
export function match(...given: Parameters<typeof templates.match>): ReturnType<typeof templates.match> {
  templates.useFormats(formats);
  return templates.match(...given);
}

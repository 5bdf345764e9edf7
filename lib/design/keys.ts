import { formats } from './formats';
import * as templates from './template';

/** Renders a key like `render` in the requests of a table, but supports every format of a part. */
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

import { formats } from './formats';
import * as templates from './template';

/** Like `render` in a table's requests, but for any format of a part. */
export function render(...given: Parameters<typeof templates.render>): string {
  templates.useFormats(formats);
  return templates.render(...given);
}

/**
 * The values that `key` was rendered from, by name (pieces of a timestamp by their part, such as `at:date`), or undefined
 * if the key does not match.
 */
export function match(...given: Parameters<typeof templates.match>): ReturnType<typeof templates.match> {
  templates.useFormats(formats);
  return templates.match(...given);
}

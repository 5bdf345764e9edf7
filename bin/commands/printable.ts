/** What moves a cursor, changes a terminal, or makes text read in another order than it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text that is only read, wherever it is from: controls are written as JSON writes them. Lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** The same as one line, so that what is in it cannot pass for another. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escaped);
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

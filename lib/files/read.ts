import { readFileSync, type Stats, statSync } from 'node:fs';
import { jsonProblem } from './json';
import { FileProblem, fileProblem } from './problem';

/**
 * Throws a FileProblem if the path is not a regular file, because reading a FIFO, a device or a socket could block
 * forever.
 */
export function assertRegular(file: string): void {
  let stats: Stats;
  try {
    stats = statSync(file);
  } catch (error) {
    throw fileProblem(error, file, 'read');
  }
  const kind = kindOf(stats);
  if (kind === 'a file') return;
  throw new FileProblem(file, 'unusable', `'${file}' cannot be read: it is ${kind}; pass the path of a file`);
}

/** The name of a file's type, for messages. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Reads a JSON file; throws a FileProblem if the file is missing, unreadable or not JSON. */
export function readJson(file: string): unknown {
  assertRegular(file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fileProblem(error, file, 'read');
  }
  return parsedJson(text, file);
}

/** Parses a JSON file's text; throws a FileProblem with the place of the first mistake if the text is not JSON. */
export function parsedJson(withMark: string, file: string): unknown {
  // Some editors put a byte order mark at the beginning of a file.
  const text = withMark.replace(/^\uFEFF/, '');
  if (isTooDeep(text)) throw new FileProblem(file, 'damaged', `'${file}' is nested more deeply than any valid file`);
  try {
    return JSON.parse(text);
  } catch {
    throw new FileProblem(file, 'damaged', `'${file}' is not JSON: ${jsonProblem(text)}`);
  }
}

/**
 * The maximum nesting depth of a JSON file: more than any template, lock or plan needs, but too little for a recursive
 * function to overflow the stack.
 */
const DEEPEST = 1000;

/** Whether the brackets outside strings are nested too deeply. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === BRACKET || code === BRACE) {
      if (++depth > DEEPEST) return true;
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b];

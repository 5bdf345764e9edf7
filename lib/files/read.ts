import { readFileSync } from 'node:fs';
import { FileProblem, fileProblem } from './problem';

/** A file of JSON; one that is missing, unreadable or no JSON is a FileProblem that says so. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fileProblem(error, file, 'read');
  }
  if (isTooDeep(text)) throw new FileProblem(file, 'damaged', `'${file}' is nested deeper than any file of this kind`);
  try {
    // Some editors begin a file with a mark of its encoding.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own words quote the file, which is none of a log's business.
    throw new FileProblem(file, 'damaged', `'${file}' is not JSON: it is damaged or truncated; write it again`);
  }
}

/** Far deeper than any template, lock or plan, and far less than what exhausts whoever walks through it. */
const DEEPEST = 1000;

/** Counts brackets that are not in strings. */
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

/** Whether something that was read is an object with names, so that they can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
  try {
    // Some editors begin a file with a mark of its encoding.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own words quote the file, which is none of a log's business.
    throw new FileProblem(file, 'damaged', `'${file}' is not JSON: it is damaged or cut off; write it anew`);
  }
}

/** Whether something that was read is an object with names, so that they can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

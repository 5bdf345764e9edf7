import { createReadStream } from 'node:fs';
import { FileProblem, fileProblem } from '../../files/problem';
import { assertRegular } from '../../files/read';

/**
 * An upper bound for the length of an exported line: a stored entity takes at most 1 MiB, and escapes make its line
 * longer.
 */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** Reads a file line by line without loading the whole file; each line keeps its line break. */
export async function* linesOf(file: string): AsyncIterable<Buffer> {
  // The pieces of the current line, joined once its line break is found.
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end + 1)]);
      [pieces, length, start] = [[], 0, end + 1];
      number++;
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LONGEST_LINE) {
      const message = `'${file}' is not an export: line ${number} is longer than any entity can be; make another copy of the file`;
      throw new FileProblem(file, 'damaged', message);
    }
  }
  if (length > 0) yield Buffer.concat(pieces);
}

async function* chunksOf(file: string): AsyncIterable<Buffer> {
  assertRegular(file);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) yield chunk as Buffer;
  } catch (error) {
    throw fileProblem(error, file, 'read');
  }
}

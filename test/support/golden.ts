import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares a value with a file in test/golden. `UPDATE_GOLDEN=1 npx jest test/golden` rewrites the files for review.
 * Golden data is in files, not in jest snapshots, because other tools read, compare and deploy the files. Jest would
 * write all stacks as escaped strings into a single source file.
 */
export function expectGolden(name: string, value: unknown): void {
  expect(value).toEqual(JSON.parse(golden(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`)));
}

/** Like `expectGolden`, but compares text. */
export function expectGoldenText(name: string, text: string): void {
  expect(text).toBe(golden(`${name}.txt`, text));
}

/** Returns the names of the JSON files in a subfolder of test/golden, without their extension. */
export function goldensIn(folder: string): readonly string[] {
  const files = readdirSync(join(__dirname, '..', 'golden', folder));
  return files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).sort();
}

/** Returns the content of a golden file. If UPDATE_GOLDEN=1 is set, first overwrites the file with the given text. */
function golden(name: string, text: string): string {
  const file = join(__dirname, '..', 'golden', name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`${file} is missing; write it with UPDATE_GOLDEN=1`);
  return readFileSync(file, 'utf8');
}

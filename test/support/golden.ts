import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares with a file of test/golden; `UPDATE_GOLDEN=1 npx jest test/golden` rewrites the files for review. Golden data is in files instead of jest
 * snapshots, because other tools read, compare and deploy the files. A snapshot would escape each stack inside one file of code.
 */
export function expectGolden(name: string, value: unknown): void {
  expect(value).toEqual(JSON.parse(golden(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`)));
}

/** Like `expectGolden`, but compares text exactly. */
export function expectGoldenText(name: string, text: string): void {
  expect(text).toBe(golden(`${name}.txt`, text));
}

/** The names of the JSON files in test/golden, or in a subfolder. */
export function goldensIn(folder: string): readonly string[] {
  const files = readdirSync(join(__dirname, '..', 'golden', folder));
  return files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).sort();
}

/** The content of the file, which UPDATE_GOLDEN=1 first overwrites. */
function golden(name: string, text: string): string {
  const file = join(__dirname, '..', 'golden', name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`${file} is missing; write it with UPDATE_GOLDEN=1`);
  return readFileSync(file, 'utf8');
}

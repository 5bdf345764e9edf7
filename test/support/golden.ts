import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares with a file of test/golden; `UPDATE_GOLDEN=1 npx jest test/golden` writes them anew for review. These are files, not
 * jest snapshots, because other tools read, compare and deploy them: a snapshot escapes each stack inside one file of code.
 */
export function expectGolden(name: string, value: unknown): void {
  expect(value).toEqual(JSON.parse(golden(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`)));
}

/** The same for text, to the letter. */
export function expectGoldenText(name: string, text: string): void {
  expect(text).toBe(golden(`${name}.txt`, text));
}

/** The names of the files of JSON in test/golden, or in a folder of it. */
export function goldensIn(folder: string): readonly string[] {
  const files = readdirSync(join(__dirname, '..', 'golden', folder));
  return files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).sort();
}

/** What the file holds, or is made to hold. */
function golden(name: string, text: string): string {
  const file = join(__dirname, '..', 'golden', name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`${file} is missing; write it with UPDATE_GOLDEN=1`);
  return readFileSync(file, 'utf8');
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares with a file of test/golden; `UPDATE_GOLDEN=1 npx jest test/golden` writes them anew for review. */
export function expectGolden(name: string, value: unknown): void {
  const file = join(__dirname, '..', 'golden', `${name}.json`);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
  if (!existsSync(file)) throw new Error(`${file} is missing; write it with UPDATE_GOLDEN=1`);
  expect(value).toEqual(JSON.parse(readFileSync(file, 'utf8')));
}

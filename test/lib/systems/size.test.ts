import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../lib/systems');

/** Matches the files with cases and examples, which do not count toward the limit. */
const EVIDENCE = /(^|\/)((cases|lives)(\/|\.ts$)|(examples|items|written|looks|stored)\.ts$)/;

test('the designs and procedures of the five systems take at most 3,500 lines', () => {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const sources = names.filter((name) => name.endsWith('.ts') && !EVIDENCE.test(name));
  expect(sources).toEqual(expect.arrayContaining(['documented.ts', 'blog/design.ts', 'booking/procedures.ts']));
  const lines = sources.map((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3500);
});

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONGEST_LINE, linesOf } from '../../../../lib/azure-tables/backup/lines';
import fc from '../../../support/fuzz';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
const file = join(folder, 'lines');
afterAll(() => rmSync(folder, { recursive: true }));

async function read(): Promise<readonly Buffer[]> {
  const lines: Buffer[] = [];
  for await (const line of linesOf(file)) lines.push(line);
  return lines;
}

test('yields every line with its line break, wherever the chunks of the file end', async () => {
  // Some lines are about as long as a chunk.
  const size = fc.oneof(fc.nat(5), fc.integer({ min: 256 * 1024 - 3, max: 256 * 1024 + 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(size, { maxLength: 4 }), fc.nat(5), async (sizes, rest) => {
      const lines = [...sizes.map((length) => `${'é'.repeat(length)}\n`), 'x'.repeat(rest)].filter(Boolean);
      writeFileSync(file, lines.join(''));
      expect((await read()).map(String)).toEqual(lines);
    }),
    { numRuns: 50 },
  );
});

test('reads the longest possible line of an entity in linear time', async () => {
  const took = async (bytes: number) => {
    writeFileSync(file, 'x'.repeat(bytes));
    const start = process.cpuUsage();
    expect(await read()).toHaveLength(1);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  await took(LONGEST_LINE);
  // The line arrives in 64 chunks. Joining all chunks again after each new chunk would copy the line 32 times.
  const [short, long] = [await took(LONGEST_LINE / 16), await took(LONGEST_LINE)];
  expect(long).toBeLessThan(Math.max(short, 5) * 16 * 3);
});

test('rejects an overlong line without reading the whole line', async () => {
  writeFileSync(file, '{}\n');
  // A sparse file of 64 GB takes no space on disk.
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, 'x', 64 * 1024 ** 3);
  closeSync(descriptor);
  const before = process.memoryUsage.rss();
  await expect(read()).rejects.toThrow(
    expect.objectContaining({ kind: 'damaged', message: expect.stringContaining('line 2 is longer than any entity') }),
  );
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
});

test.each([
  ['nowhere', 'there is no '],
  ['', 'cannot be read: it is a folder; pass the path of a file'],
])('explains in one sentence why a file cannot be read: %j', async (name, message) => {
  const none = async () => {
    for await (const _ of linesOf(join(folder, name))) break;
  };
  await expect(none()).rejects.toThrow(message);
});

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectOf, root } from '../support/book';

const { folder, write } = projectOf();
const LOCK = 'tablewright/notes.prod.lock.json';
const PLAN = 'tablewright/notes.prod.plan.json';
// No server listens at this address, so a test fails if the command sends a request before it rejects its arguments.
const NOWHERE = ['--endpoint', 'http://127.0.0.1:1'];

const design = (attributes: string) =>
  write(
    'design.js',
    `const { z } = require('zod');
     const notes = { name: 'notes', key: { partition: 'PK' }, entities: { Note: {
       attributes: z.object({ id: z.string(), ${attributes} }), keys: { PK: 'NOTE#<id>' } } },
       patterns: { putNote: { op: 'put', entity: 'Note' } } };
     exports.system = { name: 'notes', cloud: 'aws', tables: { notes } };`,
  );
const tablewright = (...args: readonly string[]) => {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/bin/tablewright.js'), ...args],
    options,
  );
  return { status, stdout, said: stderr.split('\n')[0] };
};
const migrate = (...args: readonly string[]) => tablewright('migrate', ...args, './design.js', ...NOWHERE);
const edit = (name: string, change: (data: Record<string, unknown>) => void) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const data = JSON.parse(text);
  change(data);
  writeFileSync(join(folder, name), JSON.stringify(data));
  return () => writeFileSync(join(folder, name), text);
};

beforeAll(() => {
  write('tablewright.config.ts', `export default { designs: './design.js' };`);
  design('text: z.string()');
  expect(tablewright('record', './design.js').status).toBe(0);
  design('text: z.string(), more: z.string()');
  expect(tablewright('plan', './design.js').status).toBe(1);
});

test('`migrate` refuses invalid arguments before it sends a request, and names the valid ones', () => {
  const wrong = (...args: readonly string[]) => {
    const { status, said } = migrate(...args);
    expect(status).toBe(2);
    return said;
  };
  expect(wrong('rum')).toBe("tablewright: 'rum' is not an action of migrate; did you mean run?");
  expect(wrong('verify', '--write')).toBe(
    'tablewright: --write belongs to migrate run; verify does not write to any table',
  );
  expect(wrong('run', '--capacity', 'fast')).toBe(
    "tablewright: --capacity must be a number of capacity units per second, 1 or more, got: 'fast'",
  );
  expect(wrong('run', '--step', 'backfil')).toBe(
    "tablewright: step 'backfil' does not change stored items; did you mean backfill?",
  );
  expect(wrong('run', '--table', 'notes')).toMatch(
    /--table must be a table of the design and its deployed name, such as --table notes=/,
  );
  expect(wrong('run', '--table', 'nots=x')).toBe(
    "tablewright: --table: the plan has no table 'nots'; did you mean notes?",
  );
  expect(wrong('run', '--migration', 'design.js')).toMatch(/'design.js' must export the result of defineMigration/);
  expect(wrong('run', '--plan', 'none.json')).toMatch(
    /there is no plan 'none.json'; write one first: npx tablewright plan/,
  );
});

test('`migrate` refuses an edited lock, an edited plan, a plan for another lock, and a step out of order', () => {
  expect(migrate('run', '--write', '--because', 'the test asks for it')).toMatchObject({
    status: 2,
    said: "tablewright: step 'backfill' is out of order: 'expand-1' is next; when it is done, record it: npx tablewright record --plan <file> --step expand-1",
  });
  for (const name of [LOCK, PLAN]) {
    const back = edit(name, (data) => {
      data.environment = 'dev';
    });
    expect(migrate('run')).toMatchObject({
      status: 2,
      said: expect.stringContaining('was edited after it was written'),
    });
    back();
  }
  design('text: z.string(), more: z.string(), most: z.string()');
  expect(migrate('run')).toMatchObject({
    status: 2,
    said: expect.stringContaining("the plan leads to a different design of 'notes'"),
  });
  design('text: z.string(), other: z.string().optional()');
  expect(tablewright('record', './design.js', '--lock', 'other.json').status).toBe(0);
  design('text: z.string(), more: z.string()');
  expect(migrate('run', '--lock', 'other.json')).toMatchObject({
    status: 2,
    said: expect.stringContaining("the plan starts from a different lock of 'notes'"),
  });
});

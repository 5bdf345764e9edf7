import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';
import { projectOf } from '../support/book';
import { tablewrightIn } from '../support/command';
import { shareCredentials } from '../support/credentials';

const { folder, write } = projectOf();
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);
const live = () => ['--endpoint', engine.endpoint as string];
let engine: Database;

function design(attributes: string): void {
  write(
    'design.js',
    `const { z } = require('zod');
     const notes = { name: 'notes', key: { partition: 'PK' }, entities: { Note: {
       attributes: z.object({ id: z.string(), ${attributes} }), keys: { PK: 'NOTE#<id>' } } },
       patterns: { putNote: { op: 'put', entity: 'Note' } } };
     exports.notes = { name: 'notes', cloud: 'aws', tables: { notes } };`,
  );
}
const next = () => design('text: z.string(), first: z.string()');

beforeAll(async () => {
  engine = await embeddedEngine();
  shareCredentials(engine);
  design('text: z.string()');
});
afterAll(() => engine.stop());

describe('recreate', () => {
  const recreate = (...args: readonly string[]) => tablewright('recreate', './design.js', ...args);

  test('`recreate` deletes nothing if the data is protected, was not declared disposable, or belongs to a stack', async () => {
    next();
    expect(
      await recreate('--environment', 'prod', ...live(), '--write', '--because', 'the test asks for it'),
    ).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("environment 'prod' protects its data"),
    });
    expect(
      await recreate('--environment', 'mine', ...live(), '--write', '--because', 'the test asks for it'),
    ).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('add --disposable'),
    });
    expect(await recreate('--write', '--because', 'the test asks for it')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('tables on AWS belong to a stack'),
    });
  });

  test('`recreate` handles a key change in a single run: it recreates the tables, fills them from the cases and records them', async () => {
    write('tablewright.config.ts', `export default { designs: './design.js', cases: './cases.js' };`);
    write(
      'cases.js',
      `const { notes: system } = require('./design.js');
       exports.cases = { system, tables: { notes: { items: { one: ['Note', { id: '1', text: 'a b', first: 'a' }] } } } };`,
    );
    const at = (...args: readonly string[]) => tablewright('recreate', 'notes', ...live(), ...args);
    expect(await at()).toMatchObject({ status: 0, stdout: expect.stringContaining('would delete notes-dev-notes') });
    expect(await at('--write', '--because', 'the test asks for it')).toMatchObject({ status: 0 });
    write('design.js', read('design.js').replaceAll("'PK'", "'pk'").replaceAll('PK:', 'pk:'));
    expect(await at('--write', '--because', 'the test asks for it')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 table recreated, filled'),
    });
    expect(await engine.get('notes-dev-notes', { pk: 'NOTE#1' })).toMatchObject({ first: 'a' });
    expect(await tablewright('diff', 'notes', '--environment', 'dev')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing differs'),
    });
  });

  test('`recreate` keeps the lock if the deployment fails or creates no tables', async () => {
    const dev = 'tablewright/notes.dev.lock.json';
    const before = read(dev);
    next();
    for (const command of ['exit 3', 'true']) {
      const { status, stderr } = await tablewright(
        'recreate',
        'notes',
        ...live(),
        '--deploy',
        command,
        '--write',
        '--because',
        'the test asks for it',
      );
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/exit code 3|after --deploy, the tables differ from the design/);
      expect(read(dev)).toBe(before);
    }
  });
});

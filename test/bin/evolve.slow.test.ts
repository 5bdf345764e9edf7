import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablewrightIn } from '../support/command';

const root = join(__dirname, '../..');
// The folder is inside node_modules, so that a user's module can resolve zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'tablewright-evolve-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LOCK = 'tablewright/notes.prod.lock.json';
const PLAN = 'tablewright/notes.prod.plan.json';
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

function design(attributes: string, name = 'notes'): void {
  write(
    'design.js',
    `const { z } = require('zod');
     const notes = { name: 'notes', key: { partition: 'PK' }, entities: { Note: {
       attributes: z.object({ id: z.string(), ${attributes} }), keys: { PK: 'NOTE#<id>' } } },
       patterns: { putNote: { op: 'put', entity: 'Note' } } };
     exports.system = { name: '${name}', cloud: 'aws', tables: { notes } };`,
  );
}

const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);

beforeEach(async () => {
  rmSync(join(folder, 'tablewright'), { recursive: true, force: true });
  write('package.json', '{}');
  design('text: z.string()');
  expect((await tablewright('record', './design.js')).status).toBe(0);
});

test('`diff` exits with 0 if the change can be deployed, with 1 if it cannot, and with 2 if an argument is invalid', async () => {
  expect((await tablewright('diff', './design.js')).status).toBe(0);
  design('text: z.string(), more: z.string()');
  expect((await tablewright('diff', './design.js')).status).toBe(1);
  expect((await tablewright('diff', './design.js', '--format', 'xml')).status).toBe(2);
});

test('`diff` lists every change as JSON, and names the file in GitHub annotations', async () => {
  design('text: z.string(), more: z.string()');
  expect(JSON.parse((await tablewright('diff', './design.js', '--json')).stdout)).toMatchObject({
    findings: [{ code: 'attribute-required', severity: 'warning', file: 'design.js', line: 3 }],
    result: { verdict: 'plan', changes: [{ rule: 'attribute-required', breaks: [{ who: 'new-readers' }] }] },
  });
  expect((await tablewright('diff', './design.js', '--format', 'github')).stdout).toMatch(
    /^::warning file=design\.js,line=3,col=65,title=attribute-required::/,
  );
});

test('`record` refuses a change that needs a plan, and leaves the lock unchanged', async () => {
  const before = read(LOCK);
  design('text: z.string(), more: z.string()');
  expect(await tablewright('record', './design.js')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('is unchanged'),
  });
  expect(read(LOCK)).toBe(before);
});

test('`diff` reports what a change costs if a load is configured', async () => {
  write(
    'tablewright.config.js',
    `module.exports = { designs: ['./design.js'], load: { putNote: { perSecond: 100 } } };`,
  );
  try {
    expect((await tablewright('diff')).stdout).toContain('the load costs $164.25 a month on demand, as before');
    const text = read('design.js');
    const indexed = text
      .replace("key: { partition: 'PK' },", "key: { partition: 'PK' }, indexes: { byText: { partition: 'text' } },")
      .replace(
        'patterns: {',
        "patterns: { byText: { op: 'query', index: 'byText', where: { text: '<text>' }, returns: ['Note'] },",
      );
    write('design.js', indexed);
    const more = 'the load costs $328.50 a month on demand, +$164.25 (byText of notes +$164.25)';
    expect((await tablewright('diff')).stdout).toContain(more);
    expect((await tablewright('diff', '--format', 'markdown')).stdout).toContain(`**Costs**: ${more}`);
    expect(JSON.parse((await tablewright('diff', '--json')).stdout).result.costs).toMatchObject({
      after: 328.5,
      places: [{ place: 'byText of notes', before: 0, after: 164.25 }],
    });
  } finally {
    rmSync(join(folder, 'tablewright.config.js'));
  }
});

test('`diff --format markdown` writes one pull request comment with the changes, the phases, the cost and the grants', async () => {
  design('text: z.string(), more: z.string()');
  const { status, stdout } = await tablewright('diff', './design.js', '--format', 'markdown');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^### notes \(prod\): 1 change; a plan is needed/);
  expect(stdout).toMatch(
    /\| plan \| <code>tables\.notes\.entities\.Note\.attributes\.more<\/code> \| .* \| \*\*new readers\*\*: /,
  );
  expect(stdout).toMatch(/\| <code>backfill<\/code> \|/);
  expect(stdout).toMatch(/\nold release +┄/);
  expect(stdout).toMatch(/\| <code>notes\.Note<\/code> \| 0\.5 million \| 1 million \| \$0\.69 \|/);
  expect(stdout).toContain('**IAM**: no grants change.');
});

test('`plan` exits with 1 if no change needs a plan, and with 2 if the lock or the answers do not fit', async () => {
  expect(await tablewright('plan', './design.js')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no change needs a plan'),
  });
  const file = join(folder, 'answers.json');
  writeFileSync(file, '{"renamed":{"txt":"body"}}');
  expect(await tablewright('plan', './design.js', '--answers', file)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("'txt' is not deployed"),
  });
  expect(await tablewright('plan', './design.js', '--environment', 'dev', '--lock', LOCK)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("lock is for environment 'prod'"),
  });
});

describe('`plan` proves the plans that it writes', () => {
  /**
   * Writes the design of a `notes` table with the given keys and constraints, and cases for notes with the given
   * titles.
   */
  const proved = (keys: string, more: string, titles: readonly string[]) =>
    write(
      'design.js',
      `const { z } = require('zod');
       const notes = { name: 'notes', key: { partition: 'PK' }, indexes: { GSI1: { partition: 'GSI1PK' } }, entities: { Note: {
         attributes: z.object({ id: z.string(), title: z.string(), text: z.string() }),
         keys: { PK: 'NOTE#<id>', ${keys} }, ${more} } },
         patterns: {
           getNote: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] },
           putNote: { op: 'put', entity: 'Note' },
           byTitle: { op: 'query', index: 'GSI1', where: { GSI1PK: 'TITLE#<title>' }, returns: ['Note'] } } };
       exports.system = { name: 'notes', cloud: 'aws', tables: { notes } };
       const note = (id, title) => ['Note', { id, title, text: 'x' }];
       exports.cases = { system: exports.system, tables: { notes: {
         items: { one: note('1', '${titles[0]}'), two: note('2', '${titles[1]}') },
         written: { three: note('3', 'c') },
         patterns: {
           getNote: { values: { id: '1' }, returns: ['one'] },
           putNote: { values: note('3', 'c')[1], shows: [{ pattern: 'getNote', values: { id: '3' }, returns: ['three'] }] },
           byTitle: { values: { title: '${titles[0]}' }, returns: ['one'${titles[0] === titles[1] ? `, 'two'` : ''}] } } } } };`,
    );
  const key = `GSI1PK: 'TITLE#<title>'`;
  const unique = `unique: { title: { keys: { PK: 'TITLE#<title>' } } }`;
  const deployed = async (titles: readonly string[]) => {
    rmSync(join(folder, 'tablewright'), { recursive: true, force: true });
    proved(key, '', titles);
    expect(await tablewright('record', './design.js')).toMatchObject({ status: 0 });
  };

  test('`plan` proves a new plan with the cases of the project', async () => {
    await deployed(['a', 'b']);
    proved(key, unique, ['a', 'b']);
    expect(await tablewright('plan', './design.js')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('proved: no phase loses or hides data, or breaks a release'),
    });
    expect(JSON.parse((await tablewright('plan', './design.js', '--json')).stdout).result.proof).toEqual({
      proved: true,
    });
  });

  test('`plan` refuses to write a plan whose proof fails', async () => {
    await deployed(['a', 'a']);
    proved(key, unique, ['a', 'a']);
    expect(await tablewright('plan', './design.js')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /the plan's proof fails in backfill, so the plan is not written\n.*duplicate of Note\.unique\.title/,
      ),
    });
    expect(existsSync(join(folder, PLAN))).toBe(false);
  });

  test('`plan` refuses a design that the check rejects', async () => {
    await deployed(['a', 'b']);
    proved(`GSI1PK: 'TITLE#<title>#<missing>'`, '', ['a', 'b']);
    expect((await tablewright('plan', './design.js')).status).not.toBe(0);
    expect(existsSync(join(folder, PLAN))).toBe(false);
  });

  test('`plan` exits with 1 if the plan cannot be proved yet, but still writes the plan and reports what is missing', async () => {
    design('text: z.string().optional()');
    expect(JSON.parse((await tablewright('plan', './design.js', '--json')).stdout)).toMatchObject({
      ok: false,
      exitCode: 1,
      findings: [
        { code: 'not-proved', message: "first write cases for the patterns; 'npx tablewright cases' drafts them" },
      ],
      result: { file: PLAN, proof: { proved: false } },
    });
    expect(existsSync(join(folder, PLAN))).toBe(true);
    expect(await tablewright('plan', './design.js')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(
        `NOT PROVED: first write cases for the patterns; 'npx tablewright cases' drafts them; then: npx tablewright prove --plan ${PLAN}`,
      ),
    });
    design('text: z.string(), more: z.string()');
    expect(await tablewright('plan', './design.js')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(
        'NOT PROVED: first write the migration of notes.Note, and pass its file with --migration; then: ',
      ),
    });
  });
});

test('`record` and `plan` create no folder except the default folder', async () => {
  design('text: z.string(), more: z.string()');
  for (const args of [
    ['plan', './design.js', '--output', 'no/such/plan.json'],
    ['record', './design.js', '--lock', 'no/such/lock.json'],
  ]) {
    const message = `${args[2]}: there is no folder 'no/such'; create the folder first`;
    expect(await tablewright(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  }
  expect(existsSync(join(folder, 'no'))).toBe(false);
});

test('while a plan is under way, `plan` refuses to write a new plan and `record` refuses a new design', async () => {
  design('text: z.string(), more: z.string()');
  await tablewright('plan', './design.js');
  await tablewright('record', './design.js', '--plan', PLAN, '--step', 'expand-1');
  const before = read(PLAN);
  expect(await tablewright('plan', './design.js')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/is under way .*or undo it: npx tablewright plan --down/),
  });
  expect(await tablewright('record', './design.js')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('under way'),
  });
  expect(read(PLAN)).toBe(before);
});

test.each<[string, () => void, readonly string[], RegExp]>([
  ['no lock', () => rmSync(join(folder, LOCK)), ['diff', './design.js'], /there is no lock .*tablewright record/],
  [
    'an edited lock',
    () => write(LOCK, read(LOCK).replace('NOTE#', 'MEMO#')),
    ['diff', './design.js'],
    /was edited after it was written/,
  ],
  ['a truncated lock', () => write(LOCK, read(LOCK).slice(0, 50)), ['diff', './design.js'], /is not JSON/],
  [
    'the lock of another system',
    () => design('text: z.string()', 'memos'),
    ['diff', './design.js', '--lock', LOCK],
    /lock is for system 'notes'/,
  ],
  [
    'the lock of another environment',
    () => undefined,
    ['diff', './design.js', '--lock', LOCK, '--environment', 'dev'],
    /lock is for environment 'prod'/,
  ],
  [
    'a rename of an unknown attribute',
    () => write('a.json', '{"renamed":{"txt":"body"}}'),
    ['diff', './design.js', '--answers', 'a.json'],
    /'txt' is not deployed; did you mean text/,
  ],
  [
    'an unknown answer',
    () => write('a.json', '{"rename":{}}'),
    ['diff', './design.js', '--answers', 'a.json'],
    /a\.json\.rename is not a known kind of answer \(example: .*\); did you mean renamed/,
  ],
  [
    'an empty reason',
    () => write('a.json', '{"because":{"tables":" "}}'),
    ['diff', './design.js', '--answers', 'a.json'],
    /must be an object of strings/,
  ],
  [
    'a missing folder',
    () => undefined,
    ['diff', './design.js', '--against', 'nowhere'],
    /there is no folder 'nowhere'/,
  ],
  [
    'a missing package for reading stacks',
    () => undefined,
    ['diff', './design.js', '--against', 'stack:notes-prod'],
    /^tablewright: --against stack:… needs @aws-sdk\/client-cloudformation: npm install @aws-sdk\/client-cloudformation$/m,
  ],
  [
    'a split that is not a list',
    () => write('a.json', '{"split":{"notes.Note":"Text"}}'),
    ['diff', './design.js', '--answers', 'a.json'],
    /a\.json\.split must be an object of lists of names/,
  ],
  [
    'a step without a plan',
    () => undefined,
    ['record', './design.js', '--step', 'expand-1'],
    /pass --plan and --step together/,
  ],
])('exits with 2 on %s', async (_, make, args, message) => {
  make();
  expect(await tablewright(...args)).toMatchObject({ status: 2, stderr: expect.stringMatching(message) });
  expect(existsSync(join(folder, PLAN))).toBe(false);
});

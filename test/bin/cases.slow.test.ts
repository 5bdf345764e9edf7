import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablewrightIn } from '../support/command';
import { run } from '../support/run';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'cases-'));
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);
const OPTIONS = {
  ...{ module: 'node16', moduleResolution: 'node16', target: 'es2022', strict: true, noEmit: true },
  ...{ exactOptionalPropertyTypes: true, skipLibCheck: true, types: [] },
};
write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, files: ['desk-cases.ts', 'blog-cases.ts'] }));
write('package.json', '{}');
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/tablewright'));
symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));

const PATTERNS = `    addAgent: { op: 'put', entity: 'Agent' },
    getAgent: { op: 'get', where: { PK: 'AGENT#<agentId>', SK: 'AGENT' }, returns: ['Agent'] },
    openTicket: { op: 'put', entity: 'Ticket' },
    getTicket: { op: 'get', where: { PK: 'TICKET#<ticketId>', SK: 'TICKET' }, returns: ['Ticket'] },
    assign: {
      op: 'update', entity: 'Ticket', where: { PK: 'TICKET#<ticketId>', SK: 'TICKET' }, set: { agentId: '<agentId>' },
      condition: { status: 'open' },
    },
    accept: {
      op: 'update', entity: 'Ticket', where: { PK: 'TICKET#<ticketId>', SK: 'TICKET' },
      set: { status: 'open', agentId: '<agentId>', openedAt: '<openedAt>' }, condition: { status: 'new' },
    },
    close: {
      op: 'update', entity: 'Ticket', where: { PK: 'TICKET#<ticketId>', SK: 'TICKET' },
      set: { status: 'closed' }, condition: { status: 'open' },
    },
    removeTicket: { op: 'delete', entity: 'Ticket', where: { PK: 'TICKET#<ticketId>', SK: 'TICKET' } },
    comment: {
      op: 'transaction',
      steps: {
        add: { op: 'put', entity: 'Comment' },
        count: {
          op: 'update', entity: 'Ticket', where: { PK: 'TICKET#<add.ticketId>', SK: 'TICKET' }, add: { comments: 1 },
        },
      },
    },
    commentsOf: {
      op: 'query', where: { PK: 'TICKET#<ticketId>', SK: { beginsWith: 'COMMENT#' } }, returns: ['Comment'], pageSize: 20,
    },
    ticketsOf: {
      op: 'query', index: 'GSI1', where: { GSI1PK: 'AGENT#<agentId>' }, returns: ['Ticket'], orderBy: 'openedAt', pageSize: 10,
    },
    ticketsBetween: {
      op: 'query', index: 'GSI1', where: { GSI1PK: 'AGENT#<agentId>', GSI1SK: { between: ['<from>', '<to>'] } },
      returns: ['Ticket'],
    },
    ticketsNamed: {
      op: 'batchGet', each: 'ticketId', keys: { one: { PK: 'TICKET#<ticketId>', SK: 'TICKET' } }, returns: ['Ticket'],
    },
    editAgent: {
      op: 'update', entity: 'Agent', where: { PK: 'AGENT#<agentId>', SK: 'AGENT' }, set: { name: '<name?>', email: '<email?>' },
    },
    importComments: {
      op: 'batchWrite', steps: { all: { op: 'put', entity: 'Comment', replace: true, each: 'comments' } },
    },
    rank: {
      op: 'transaction',
      steps: {
        all: {
          op: 'update', entity: 'Ticket', each: 'ranks', where: { PK: 'TICKET#<ranks.ticketId>', SK: 'TICKET' },
          set: { priority: '<ranks.priority>' }, condition: { status: 'open' },
        },
      },
    },`;

write(
  'desk.ts',
  `import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

export const tickets = defineTable({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'open tickets of an agent' } },
  typeAttribute: 'type',
  entities: {
    Agent: {
      attributes: z.object({ agentId: z.string(), name: z.string(), email: z.email() }),
      keys: { PK: 'AGENT#<agentId>', SK: 'AGENT' },
    },
    Ticket: {
      attributes: z.object({
        ticketId: z.string(), agentId: z.string(), title: z.string(), openedAt: z.iso.datetime({ precision: 3 }),
        status: z.enum(['new', 'closed', 'open']), comments: z.int().min(0), priority: z.int().min(1).max(5).optional(),
      }),
      keys: {
        PK: 'TICKET#<ticketId>', SK: 'TICKET', GSI1PK: 'AGENT#<agentId>', GSI1SK: '<openedAt>#<ticketId>',
      },
      indexes: { GSI1: { while: { status: ['open'] } } },
    },
    Comment: {
      attributes: z.object({ ticketId: z.string(), at: z.iso.datetime({ precision: 3 }), text: z.string() }),
      keys: { PK: 'TICKET#<ticketId>', SK: 'COMMENT#<at>' },
    },
  },
  patterns: {
${PATTERNS}
  },
});

export const desk = defineSystem({ name: 'desk', cloud: 'aws', tables: { tickets } });
`,
);
write('blog.ts', "export { blog } from 'tablewright/systems/blog';\n");

test('`prove` accepts the generated cases for a new design and reports them as unconfirmed', async () => {
  const written = await tablewright('cases', './desk.ts', '--output', 'desk-cases.ts');
  expect(written).toMatchObject({ status: 0, stderr: '' });
  expect(written.stdout).toContain('desk-cases.ts: 16 unconfirmed cases written');
  const proved = await tablewright('prove', './desk-cases.ts');
  expect(proved).toMatchObject({ status: 0, stdout: expect.stringContaining('all proved') });
  expect(proved.stdout).toContain('16 cases UNCONFIRMED: addAgent, getAgent,');
});

test('`cases` generates no case for a read over a list of times, and does not report this as an error', async () => {
  const reading = `  entities: {
    Reading: {
      attributes: z.object({ at: z.iso.datetime({ precision: 3 }), n: z.int() }),
      keys: { PK: 'READINGS#<at:bucket(15m)>', SK: 'READING#<at>' },
    },
`;
  const times = `  patterns: {
    readings: { op: 'query', each: 'times', where: { PK: 'READINGS#<times:bucket(15m)>' }, returns: ['Reading'] },
`;
  write('times.ts', read('desk.ts').replace('  entities: {\n', reading).replace('  patterns: {\n', times));
  const drafted = await tablewright('cases', './times.ts', '--output', 'times-cases.ts');
  expect(drafted).toMatchObject({ status: 0, stderr: '' });
  rmSync(join(folder, 'times-cases.ts'));
});

test('generates readable items that refer to each other by key, and marks every case as unconfirmed', () => {
  const text = read('desk-cases.ts');
  expect(text).toContain("{ agentId: 'agent-1', name: 'Name 1', email: 'email1@example.com' }");
  expect(text).toContain("PK: 'TICKET#ticket-1'");
  expect(text).toContain("returns: ['comment1', 'comment2']");
  expect(text).toContain("returns: ['ticket1', 'ticket2']");
  expect(text.match(/unconfirmed: true,/g)).toHaveLength(16);
  expect(text).toContain("ticketId: ['ticket-1', 'ticket-2']");
  expect(text).toMatch(/editAgent: \{\s+values: \{ agentId: 'agent-1', name: 'Name 9', email: 'email9@example.com' \}/);
  // Only the patterns that read tickets show a new ticket.
  const [, opened = ''] = /\n {8}openTicket: (\{[\s\S]*?\n {8}\},)/.exec(text) ?? [];
  expect([...opened.matchAll(/pattern: '(\w+)'/g)].map(([, read]) => read)).toEqual(['getTicket', 'ticketsOf']);
});

test('`cases` reports the same reason in every run if it cannot generate a case for a pattern', async () => {
  const file = 'missing-cases.ts';
  write('lost.ts', read('desk.ts').replace("condition: { status: 'new' }", "condition: { title: 'nobody has it' }"));
  const runs = [];
  for (let i = 0; i < 2; i++) {
    runs.push(await tablewright('cases', './lost.ts', '--output', file, '--json'));
    rmSync(join(folder, file));
  }
  expect(JSON.parse(runs[0]?.stdout ?? '').findings).toMatchObject([
    {
      code: 'case-not-drawn',
      path: 'accept',
      message: expect.stringMatching(/; write accept: { values: { .*: … }, shows: \[{ pattern: …/),
    },
  ]);
  expect(runs[1]).toEqual(runs[0]);
});

test('writes the configured cases file, even if it does not exist yet', async () => {
  write('tablewright.config.ts', "export default { designs: './desk.ts', cases: './configured-cases.ts' };\n");
  const missing = await tablewright('prove');
  expect(missing).toMatchObject({ status: 2 });
  expect(missing.stderr).toContain("there is no file './configured-cases.ts'; 'npx tablewright cases' writes it");
  expect(await tablewright('cases')).toMatchObject({ status: 0, stderr: '' });
  expect(await tablewright('prove')).toMatchObject({ status: 0, stdout: expect.stringContaining('all proved') });
  rmSync(join(folder, 'tablewright.config.ts'));
});

test('`prove` accepts the generated cases for the blog', async () => {
  expect(await tablewright('cases', './blog.ts', '--output', 'blog-cases.ts')).toMatchObject({ status: 0 });
  expect(await tablewright('prove', './blog-cases.ts')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('all proved'),
  });
});

test('the generated cases files compile', () => {
  expect(run(folder, join(root, 'node_modules/.bin/tsc'), '-p', '.')).toMatchObject({ code: 0 });
});

test('adds a case for a new pattern to an existing file and leaves the rest of the file unchanged', async () => {
  const confirmed = read('desk-cases.ts')
    .replaceAll(/\n *unconfirmed: true,/g, '')
    .replaceAll(', unconfirmed: true', '');
  write('desk-cases.ts', confirmed);
  write(
    'desk.ts',
    read('desk.ts').replace(
      '  patterns: {\n',
      `  patterns: {
    rename: { op: 'update', entity: 'Agent', where: { PK: 'AGENT#<agentId>', SK: 'AGENT' }, set: { name: '<name>' } },
`,
    ),
  );
  expect((await tablewright('cases', './desk.ts', '--output', 'desk-cases.ts')).stdout).toContain(
    '1 unconfirmed case written: rename\n',
  );
  const after = read('desk-cases.ts');
  const kept = after.split('\n').filter((line) => confirmed.split('\n').includes(line));
  expect(kept.join('\n')).toContain(confirmed.split('\n').slice(0, 12).join('\n'));
  let at = 0;
  for (const line of confirmed.split('\n')) {
    at = after.indexOf(line, at);
    expect(at).toBeGreaterThanOrEqual(0);
    at += line.length;
  }
  expect(await tablewright('prove', './desk-cases.ts')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 case UNCONFIRMED: rename;'),
  });
  expect((await tablewright('cases', './desk.ts', '--output', 'desk-cases.ts')).stdout).toContain(
    'every pattern has a case',
  );
  expect(read('desk-cases.ts')).toBe(after);
});

test('does not change a file whose cases are not object literals', async () => {
  const made = `import { defineCases } from 'tablewright/proof';
import { desk } from './desk';
const patterns = {} as never;
export const deskCases = defineCases(desk, { tables: { tickets: { patterns } } });
`;
  write('made.ts', made);
  const refused = await tablewright('cases', './desk.ts', '--output', 'made.ts');
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.stderr).toContain("nothing was added to 'made.ts': 'patterns' must be written as an object");
  expect(read('made.ts')).toBe(made);
});

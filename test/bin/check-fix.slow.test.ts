import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablewrightIn } from '../support/command';

// The folder is inside node_modules, so that a user's module can resolve zod.
const cache = join(__dirname, '../../node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'tablewright-fix-'));
afterAll(() => rmSync(folder, { recursive: true }));

let projects = 0;

/** Creates a folder with the given files. `run` runs `check` there. */
function project(files: Readonly<Record<string, string>>) {
  const at = join(folder, String(++projects));
  mkdirSync(at);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
  return {
    text: (name: string) => readFileSync(join(at, name), 'utf8'),
    mode: (name: string) => statSync(join(at, name)).mode,
    run: (...args: readonly string[]) => tablewrightIn(at, ['check', 'design.ts', ...args]),
  };
}

/** A faulty key template: one part is written as a JavaScript placeholder. */
const WRONG = 'POST#$' + '{postId}';

const ENTITIES = `import { z } from 'zod';

type Entity = { attributes: z.ZodObject; keys: Record<string, string> };

export const Post = {
  attributes: z.object({
    postId: z.uuid(),
    publishedAt: z.iso.datetime(), // by the editor
  }),
  keys: { PK: 'POST#<postId>', SK: 'POST#<publishedAt>' },
} satisfies Entity;

const shared = { SK: 'COMMENT#<commentId>' };

export const Comment = {
  attributes: z.object({ postId: z.uuid(), commentId: z.uuid(), text: z.string() }),
  keys: { PK: '${WRONG}', ...shared },
} satisfies Entity;
`;

const DESIGN = `import { Comment, Post } from './entities';

const base = { key: { partition: 'PK', sort: 'SK' } } as const;

export const blog = {
  ...base,
  name: 'blog',
  entities: { Post, Comment },
  patterns: {
    comments: {
      op: 'query',
      where: { PK: 'POST#<postId>' },
      returns: ['Comment'],
    },
  },
};
`;

test("`check --fix` shows a diff, then edits the design's files", async () => {
  const { run, text, mode } = project({ 'design.ts': DESIGN, 'entities.ts': ENTITIES });
  const before = mode('entities.ts');
  const { stdout, stderr, status } = await run('--fix', '--yes');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  expect(stdout).toContain(`-   keys: { PK: '${WRONG}', ...shared },`);
  expect(stdout).toContain("+   keys: { PK: 'POST#<postId>', ...shared },");
  expect(stdout).toContain('entities.ts:8\n');
  expect(text('entities.ts')).toBe(
    ENTITIES.replace(WRONG, 'POST#<postId>').replace('z.iso.datetime()', 'z.iso.datetime({ precision: 3 })'),
  );
  expect(mode('entities.ts')).toBe(before);
  // The second run fixes errors that the first run uncovered.
  await run('--fix', '--yes');
  expect(text('design.ts')).toBe(
    DESIGN.replace("where: { PK: 'POST#<postId>' }", "where: { PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }"),
  );
  expect((await run()).stdout).toContain('blog: 0 errors, 0 warnings');
  expect((await run('--fix', '--yes')).stdout).toContain('nothing to fix');
});

test('`check --fix` edits no file if there is no terminal at which the user can confirm', async () => {
  const { run, text } = project({ 'design.ts': DESIGN, 'entities.ts': ENTITIES });
  const { stdout, stderr, status } = await run('--fix');
  expect(stdout).toContain("+   keys: { PK: 'POST#<postId>', ...shared },");
  expect(stderr).toContain('--fix asks before it edits a file; if nobody is at the terminal, add --yes');
  expect(status).toBe(2);
  expect([text('design.ts'), text('entities.ts')]).toEqual([DESIGN, ENTITIES]);
});

test('`check --fix` explains why it cannot apply an edit, and fails as long as an error remains', async () => {
  const design = `import { z } from 'zod';
const word = 'POST';
export const blog = {
  name: 'blog',
  key: { partition: 'PK', sort: 'SK' },
  entities: { Post: { attributes: z.object({ postId: z.string() }), keys: { PK: word + '${WRONG}', SK: 'POST' } } },
};
`;
  const { run, text } = project({ 'design.ts': design });
  const { stdout, status } = await run('--fix', '--yes');
  expect(stdout).toContain(`blog: entities.Post.keys.PK: not fixed: the source has word + '${WRONG}'`);
  expect(stdout).toContain('nothing to fix');
  expect(status).toBe(1);
  expect(text('design.ts')).toBe(design);
});

test("`check --fix` reports a fix that needs the user's decision, and does not apply it", async () => {
  const design = DESIGN.replace("name: 'blog',", "name: 'my blog',");
  const { run } = project({ 'design.ts': design, 'entities.ts': ENTITIES.replace(WRONG, 'POST#<postId>') });
  const { stdout, status } = await run('--fix', '--yes');
  expect(stdout).toContain(
    'my blog: name: not fixed: someone must decide how to fix this: use 3 to 255 characters from',
  );
  expect(status).toBe(1);
});

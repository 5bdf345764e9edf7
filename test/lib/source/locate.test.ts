import { locatorIn } from '../../../lib/source/locate';

const FILES: Readonly<Record<string, string>> = {
  'src/designs.ts': `import { defineSystem, defineTable } from 'tablewright';
import { z } from 'zod';
import { patterns as own } from './patterns.js';
import * as shapes from './shapes';
export * from './other';

// name: 'blog', entities: { Post: { keys: {} } }
const NAME = 'journal' as const;
const slash = 4 / 2, regex = /[/{]'/;
const Base = z.object({ postId: z.string() });

export const blog = defineTable({
  name: 'blog',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Post: {
      attributes: Base.extend({
        'odd.name': z.string().refine((text) => { return text !== \`}\${'}'}\`; }),
        title: z.string(),
      }),
      keys: { PK: \`POST#<postId>\`, SK: 'POST' },
    },
    Author: { attributes: shapes.author, keys: { PK: 'A' } },
    ...shapes.more,
  },
  patterns: own,
} as const);

export const journal = defineSystem({ name: NAME, cloud: 'aws', tables: { blog, } });
`,
  'src/patterns.ts': `export const patterns = {
  getPost: { op: 'get', where: { PK: 'POST#<postId>' } },
};
`,
  'src/shapes.ts': `import { z } from 'zod';
export const author = z.object({
  email: z.email(),
});
export const more = { Tag: { keys: { PK: 'T' } } };
`,
  'src/other/index.ts': `export default { name: 'other', key: { partition: 'id' }, entities: {} };\n`,
};

const locate = locatorIn('src/designs.ts', (file) => FILES[file]);

/** Returns the source text that a path in a design points to. */
function pointed(design: string, path: string) {
  const place = locate(design, path);
  if (place === undefined) return undefined;
  const line = FILES[place.file]?.split('\n')[place.line - 1] ?? '';
  return `${place.file}: ${line.slice(place.column - 1)}`;
}

test.each([
  ['blog', 'entities.Post.keys.PK', 'src/designs.ts: PK: `POST#'],
  ['blog', 'key.sort', "src/designs.ts: sort: 'SK'"],
  ['blog', 'entities.Post.attributes.title', 'src/designs.ts: title: z'],
  ['journal', 'tables.blog.entities.Post.attributes.title', 'src/designs.ts: title: z'],
])('in the design %s, points at the field %s', (design, path, expected) => {
  expect(pointed(design, path)).toContain(expected);
});

test.each([
  ['a name with a full stop', 'entities.Post.attributes.odd.name', "src/designs.ts: 'odd.name'"],
  ['a schema that another schema extends', 'entities.Post.attributes.postId', 'src/designs.ts: postId: z'],
  ['an imported object', 'patterns.getPost.where.PK', "src/patterns.ts: PK: 'POST#"],
  ['a member of an imported module', 'entities.Author.attributes.email', 'src/shapes.ts: email: z'],
  ['a spread', 'entities.Tag.keys.PK', "src/shapes.ts: PK: 'T'"],
])('follows %s', (_, path, expected) => {
  expect(pointed('blog', path)).toContain(expected);
});

test('points at the nearest existing field if the source does not contain the whole path', () => {
  expect(pointed('blog', 'entities.Post.attributes.gone')).toMatch(/^src\/designs\.ts: attributes: Base/);
  expect(pointed('blog', 'entities.Post.keys.PK[2]')).toMatch(/^src\/designs\.ts: keys:/);
});

test('treats a single table as a system with one table', () => {
  expect(pointed('blog', 'tables.blog.key.sort')).toContain("sort: 'SK'");
});

test('finds a re-exported design, and points at its name if the source contains no part of the path', () => {
  expect(pointed('other', 'nowhere')).toBe(
    `src/other/index.ts: name: 'other', key: { partition: 'id' }, entities: {} };`,
  );
});

test('returns undefined for an unknown design, and does not throw on code that does not compile', () => {
  expect(locate('made', 'key')).toBeUndefined();
  for (const broken of [
    'const a = {',
    '`${',
    "'",
    '/*',
    'export const x = { name: "b", key: { partition: [ } ) };',
    'import {',
  ]) {
    expect(() => locatorIn('a.ts', () => broken)('b', 'key.partition')).not.toThrow();
  }
});

test('terminates on circular names', () => {
  const text =
    "const a = b; const b = a; export const t = { name: 't', key: a, entities: { ...a } }; export * from './a';";
  expect(locatorIn('a.ts', () => text)('t', 'key.partition')).toMatchObject({ line: 1 });
  const many = `const a = { ${'...a, '.repeat(9)} x: { y: a } }; export const t = { name: 't', key: a }; ${"export * from './a';".repeat(9)}`;
  expect(locatorIn('a.ts', () => many)('t', 'key.x.y.x.y.z')).toMatchObject({ line: 1 });
});

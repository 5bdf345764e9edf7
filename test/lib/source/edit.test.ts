import { z } from 'zod';
import { check } from '../../../lib/check';
import { defineSystem } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { type Editor, editorIn, withChanges } from '../../../lib/source/edit';

/** Evaluates a module without its imports, and returns its designs. */
function designsOf(text: string): Record<string, TableDesign> {
  const names = [...text.matchAll(/export const (\w+)/g)].map(([, name]) => name);
  const body = text
    .replaceAll(/^import .*$/gm, '')
    .replaceAll('export const', 'const')
    .replaceAll(/ (?:satisfies \w+|as const)/g, '');
  return new Function('z', 'defineTable', 'defineSystem', `${body}\nreturn { ${names.join(', ')} };`)(
    z,
    defineTable,
    defineSystem,
  );
}

const edited = (text: string, design: { readonly name: string }, edit: Parameters<Editor>[1]) => {
  const placed = editorIn('a.ts', [design], (file) => (file === 'a.ts' ? text : undefined))(design, edit);
  return typeof placed === 'string' ? { refused: placed } : withChanges(text, [placed]);
};

const BLOG = `export const blog = defineTable({
  name: 'blog',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Post: {
      attributes: z.object({ id: z.string(), at: z.iso.datetime().optional() }),
      keys: { PK: 'POST#<id>', SK: 'POST' } satisfies Keys,
    },
  },
  patterns: {
    post: {
      op: 'get', // one
      where: { PK: 'POST#<id>', SK: 'POST' as const },
      returns: ['Post'],
    },
  },
});
`;
const { blog } = designsOf(BLOG) as { blog: TableDesign };

test.each<[string, Parameters<Editor>[1], string, string]>([
  ['a string', { path: 'entities.Post.keys.SK', code: `'META'` }, `SK: 'POST' } sat`, `SK: 'META' } sat`],
  ['a string that is cast', { path: 'patterns.post.where.SK', code: `'M'` }, `'POST' as const`, `'M' as const`],
  ['a piece of a string', { path: 'entities.Post.keys.PK', replace: ['<id>', '<id:4>'] }, '<id>', '<id:4>'],
  [
    'a schema, which stays optional',
    { path: 'entities.Post.attributes.at', code: 'z.iso.datetime({ precision: 3 })' },
    'z.iso.datetime()',
    'z.iso.datetime({ precision: 3 })',
  ],
  ['a list', { path: 'patterns.post.returns', code: `['Post', 'Tag']` }, `['Post']`, `['Post', 'Tag']`],
])('replaces %s, and nothing else', (_, edit, before, after) => {
  expect(edited(BLOG, blog, edit)).toBe(BLOG.replace(before, after));
});

test('adds a field to the line of the other fields, or on a line of its own', () => {
  expect(edited(BLOG, blog, { path: 'entities.Post.keys.GSI1PK', code: `'POST'` })).toBe(
    BLOG.replace(`SK: 'POST' } satisfies`, `SK: 'POST', GSI1PK: 'POST' } satisfies`),
  );
  expect(edited(BLOG, blog, { path: 'patterns.post.consistent', code: 'true' })).toBe(
    BLOG.replace(`returns: ['Post'],`, `returns: ['Post'],\n      consistent: true,`),
  );
  const empty = `export const t = { name: 't', key: { partition: 'PK' }, entities: { A: { attributes: z.object({}), keys: {} } } };`;
  expect(edited(empty, designsOf(empty).t as TableDesign, { path: 'entities.A.keys.PK', code: `'A'` })).toContain(
    `keys: { PK: 'A' }`,
  );
});

test('removes a field with its comma, and the whole line if nothing else is on it', () => {
  expect(edited(BLOG, blog, { path: 'patterns.post.returns' })).toBe(BLOG.replace(`      returns: ['Post'],\n`, ''));
  expect(edited(BLOG, blog, { path: 'entities.Post.keys.SK' })).toBe(BLOG.replace(`, SK: 'POST' } sat`, ' } sat'));
  expect(edited(BLOG, blog, { path: 'entities.Post.keys.PK' })).toBe(
    BLOG.replace(`PK: 'POST#<id>', SK: 'POST' } sat`, `SK: 'POST' } sat`),
  );
});

test('uses the quote style of the edited file', () => {
  const text = BLOG.replaceAll("'", '"');
  expect(edited(text, blog, { path: 'entities.Post.keys.SK', code: `'META'` })).toContain('SK: "META" } satisfies');
});

describe('an edit that could change something else', () => {
  const refused = (text: string, path: string, code?: string) =>
    (edited(text, designsOf(text).t as TableDesign, { path, ...(code && { code }) }) as { refused: string }).refused;
  const table = (rest: string) => `${rest}, key: { partition: 'PK', sort: 'SK' } };`;

  test('refuses to edit keys that two entities share', () => {
    const text = table(
      `const keys = { PK: 'A#<id>', SK: 'A' };\nconst attributes = z.object({ id: z.string() });\n` +
        `export const t = { name: 't', entities: { A: { attributes, keys }, B: { attributes, keys } }`,
    );
    expect(refused(text, 'entities.A.keys.SK', `'X'`)).toBe(
      'the same code also defines entities.B.keys.SK of t, so the edit would change both fields',
    );
    expect(refused(text, 'entities.A.keys.GSI1PK', `'X'`)).toContain('entities.B.keys.GSI1PK of t');
    expect(refused(text, 'entities.B.attributes.id', 'z.uuid()')).toContain('entities.A.attributes.id of t');
  });

  test('refuses to edit a string that code computes at run time', () => {
    const text = table(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of a design
      'const P = "A";\nexport const t = { name: "t", entities: { A: { attributes: z.object({ id: z.string() }), keys: { PK: `${P}#<id>`, SK: P } } }',
    );
    expect(refused(text, 'entities.A.keys.PK', `'X'`)).toMatch(
      /^the source has `\$\{P\}#<id>`, but the design has 'A#<id>'$/,
    );
    expect(refused(text, 'entities.A.keys.SK', `'X'`)).toMatch(/^the source has P, but the design has 'A'$/);
  });

  test('refuses to edit entities that a function returns', () => {
    const text = table(
      `const make = (word) => ({ attributes: z.object({ id: z.string() }), keys: { PK: word + '#<id>', SK: 'A' } });\n` +
        `export const t = { name: 't', entities: { A: make('A'), B: make('B') }`,
    );
    expect(refused(text, 'entities.A.keys.SK', `'X'`)).toContain('entities.B.keys.SK of t');
    expect(refused(text, 'entities.A.keys.PK', `'X'`)).toMatch(/entities.B.keys.PK of t|^the source has/);
  });

  test('refuses to replace a schema if the edit might lose part of it', () => {
    const text = table(
      `export const t = { name: 't', entities: { A: { attributes: z.object({ at: z.iso.datetime().default('x') }), keys: { PK: 'A', SK: 'A' } } }`,
    );
    expect(refused(text, 'entities.A.attributes.at', 'z.iso.datetime({ precision: 3 })')).toBe(
      `replacing z.iso.datetime().default('x') with z.iso.datetime({ precision: 3 }) might lose part of the schema`,
    );
  });

  test('refuses to edit a design that code computes at run time', () => {
    const text = `const make = (name) => ({ ['na' + 'me']: name, entities: {} });\nexport const t = make('t');`;
    expect(refused(text, 'entities.A.keys.SK', `'X'`)).toBe(
      'the source does not contain this design, because code computes it at run time',
    );
  });
});

test('edits code in an imported module or a spread object, and expands a shorthand property', () => {
  const files: Readonly<Record<string, string>> = {
    'a.ts': `import { Post, shared as more } from './b';\nconst at = z.iso.datetime();\nexport const t = defineTable({ name: 't', entities: { Post, Tag: { attributes: z.object({ at }), keys: { PK: 'T', ...more.keys } } } });`,
    'b.ts': `export const Post = { keys: { PK: 'POST' } } satisfies Entity;\nexport const shared = { keys: { SK: 'T' } };`,
  };
  const t = {
    name: 't',
    entities: { Post: { keys: { PK: 'POST' } }, Tag: { attributes: {}, keys: { PK: 'T', SK: 'T' } } },
  };
  const place = editorIn('a.ts', [t], (file) => files[file]);
  const result = (edit: Parameters<Editor>[1]) => {
    const placed = place(t, edit);
    return typeof placed === 'string'
      ? placed
      : `${placed.file}: ${withChanges(files[placed.file] as string, [placed])}`;
  };
  expect(result({ path: 'entities.Post.keys.PK', code: `'X'` })).toContain(
    `b.ts: export const Post = { keys: { PK: 'X' } } satisfies`,
  );
  expect(result({ path: 'entities.Post.keys.SK', code: `'X'` })).toContain(`{ PK: 'POST', SK: 'X' } } satisfies`);
  expect(result({ path: 'entities.Tag.keys.SK', code: `'X'` })).toContain(`shared = { keys: { SK: 'X' } }`);
  expect(result({ path: 'entities.Tag.attributes.at', code: 'z.iso.date()' })).toContain(
    "const at = z.iso.datetime();\nexport const t = defineTable({ name: 't', entities: { Post, Tag: { attributes: z.object({ at: z.iso.date() })",
  );
});

test("applying a finding's edit makes the design sound", () => {
  const broken = BLOG.replace(`keys: { PK: 'POST#<id>', SK: 'POST' }`, `keys: { PK: 'POST#<id>' }`);
  const design = designsOf(broken).blog as TableDesign;
  const [finding] = check(design);
  const text = edited(broken, design, finding?.edits?.[0] as Parameters<Editor>[1]) as string;
  expect(check(designsOf(text).blog as TableDesign)).toEqual([]);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SystemDesign } from '../../../../lib/design/system';
import { drawCollections } from '../../../../lib/explore/draw/collections';
import { drawMap } from '../../../../lib/explore/draw/map';
import { markdownOf } from '../../../../lib/explore/draw/markdown';
import { svgFile } from '../../../../lib/explore/draw/shape';
import { type Explored, explore } from '../../../../lib/explore/system';
import type { PlaceView, TableView } from '../../../../lib/explore/view';
import { blog } from '../../../../lib/systems/blog/design';
import { cases } from '../../../../lib/systems/cases';
import { systems } from '../../../../lib/systems/systems';
import { support } from '../../../fixtures/sound/support';

const collections = ({ view, items }: Explored, index = 0, extent = { partitions: 12, rows: 5 }) => {
  const [table] = view.tables as [TableView];
  return svgFile(drawCollections(table, table.places[index] as PlaceView, items.get(table.name) as never, extent));
};
const ofBlog = explore(blog, cases.blog);

test('the picture in the guide shows the current blog (UPDATE_DOCS=1 redraws the picture)', () => {
  const file = join(__dirname, '../../../../docs/blog.svg');
  const drawn = collections(ofBlog, 0, { partitions: 9, rows: 4 });
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, drawn);
  expect(readFileSync(file, 'utf8')).toBe(drawn);
});

/** The pictures in docs/systems; each shows the largest table of its system. */
const pictured = readdirSync(join(__dirname, '../../../../docs/systems')).filter((file) => file.endsWith('.svg'));

test.each(pictured)('docs/systems/%s shows the current system (UPDATE_DOCS=1 redraws it)', (file) => {
  const name = file.replace('.svg', '');
  const { view, items: examples } = explore(systems[name] as SystemDesign, cases[name]);
  const table = view.tables.toSorted((a, b) => b.entities.length - a.entities.length)[0] as TableView;
  const place = table.places[0] as PlaceView;
  const drawn = svgFile(drawCollections(table, place, examples.get(table.name) as never, { partitions: 9, rows: 4 }));
  const path = join(__dirname, '../../../../docs/systems', file);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(path, drawn);
  expect(readFileSync(path, 'utf8')).toBe(drawn);
});

test('a picture with a limit draws the partitions with the most entities', () => {
  const drawn = collections(ofBlog, 0, { partitions: 6, rows: 4 });
  const shown = [...drawn.matchAll(/class="strong e\d+">([^<]+)</g)].map(([, name]) => name);
  expect(new Set(shown)).toEqual(new Set(Object.keys(blog.tables.blog.entities)));
  expect(drawn).toMatch(/… \d+ more</);
});

test("draws an index's items under their index keys", () => {
  const drawn = collections(ofBlog, 1);
  expect(drawn).toContain('>blog / GSI1<');
  expect(drawn).toContain('CATEGORY#<tspan class="part">s1</tspan>');
});

const hostile: SystemDesign = {
  name: '<script>alert(1)</script>',
  cloud: 'aws',
  tables: {
    hostile: {
      name: 'hostile',
      key: { partition: 'id' },
      indexes: { unread: { partition: 'label' } },
      entities: {
        '"><img onerror=x>': { attributes: z.object({ id: z.string(), label: z.string() }) },
        Lonely: { attributes: z.object({ id: z.string() }) },
      },
      patterns: {
        'a | b `c` </title>': { op: 'get', where: { id: '<id>' }, returns: ['"><img onerror=x>'] },
      },
    },
  },
};
const items = {
  evil: ['"><img onerror=x>', { id: '</text><script>', label: 'line\nbreak \u0000 & "quoted"' }] as const,
};
const explored = explore(hostile, { tables: { hostile: { items, patterns: {} } } });

test('escapes names and values in a picture', () => {
  for (const drawn of [collections(explored), svgFile(drawMap(explored.view.tables[0] as TableView))]) {
    expect(drawn).not.toMatch(/<script|<img|<\/title>[^<]*<\/title>/);
    expect(drawn).not.toContain('\u0000');
    expect(drawn.match(/<svg/g)).toHaveLength(1);
  }
});

test('the map shows which entities each index contains and which places each pattern reaches, and marks what no pattern reaches', () => {
  const drawn = svgFile(drawMap(explored.view.tables[0] as TableView));
  expect(drawn.match(/reached by no pattern/g)).toHaveLength(3);
  const map = svgFile(drawMap(ofBlog.view.tables[0] as TableView));
  expect(map).toContain('data-from="entity Post" data-to="index GSI2"');
  expect(map).toContain('data-from="index GSI2" data-to="pattern postsByAuthor"');
  expect(map).not.toContain('data-from="index GSI2" data-to="pattern postsByCategory"');
  expect(map).not.toContain('reached by no pattern');
});

test('a map with 65 patterns and 16 entities is 960 units wide and shows every name in full', () => {
  const table = explore(support).view.tables[0] as TableView;
  const drawn = svgFile(drawMap(table));
  expect(table.patterns.length).toBeGreaterThanOrEqual(65);
  expect(table.entities).toHaveLength(16);
  expect(drawn).toContain('viewBox="0 0 960 ');
  for (const { name } of table.patterns) expect(drawn).toContain(`<tspan class="strong">${name}</tspan>`);
  for (const { name } of table.entities) expect(drawn).toContain(`>${name}</text>`);
});

test('the map marks an entity with R if a transaction only checks a condition on it', () => {
  const drawn = svgFile(drawMap(explore(support).view.tables[0] as TableView));
  const marks = drawn.match(/<g data-from="table" data-to="pattern tagTicket">.*?<\/g>/gs) ?? [];
  expect(marks.map((mark) => />([RW])<\/text>/.exec(mark)?.[1])).toEqual(['W', 'R']);
});

test('Markdown contains tables of keys and patterns, and a Mermaid map', () => {
  const text = markdownOf(ofBlog.view);
  expect(text).toContain('| Like | `POST#<postId>` | `LIKE#<userId>#<createdAt>` |');
  expect(text).toContain('| postsByAuthor | query | GSI2 | Post |');
  expect(text).toMatch(/```mermaid\nflowchart LR\n {2}n0\("User"\)\n/);
});

test('a name in Markdown cannot break out of its table cell, line or label', () => {
  const text = markdownOf(explored.view);
  expect(text).toContain('# \\<script\\>alert\\(1\\)\\</script\\>\n');
  expect(text).toContain('| a \\| b \\`c\\` \\</title\\> | get |');
  expect(text).toContain('["a #124; b #96;c#96; #60;#47;title#62;"]');
});

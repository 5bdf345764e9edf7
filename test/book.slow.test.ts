import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const file = join(root, 'docs/evolve.md');
// Within node_modules, where a user's module finds zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const text = readFileSync(file, 'utf8');
const [, base = ''] = /```ts\n\/\/ designs\.ts\n([\s\S]*?)```/.exec(text) ?? [];
const chapters = text
  .slice(text.indexOf('## The book of changes'))
  .split(/^### /m)
  .slice(1)
  .filter((chapter) => chapter.includes('```console'))
  .map((chapter) => ({ name: chapter.slice(0, chapter.indexOf('\n')), chapter }));

/** The design with the lines of a diff changed: each run of lines that go is replaced by those that come. */
function edited(design: string, edit: string): string {
  const hunks = edit.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)*)/gm);
  return [...hunks].reduce((now, [, gone = '', come = '']) => {
    const [old, next] = [gone, come].map((lines) => lines.replace(/^[-+]/gm, ''));
    if (now.split(old as string).length !== 2) throw new Error(`the design must have this once:\n${old}`);
    return now.replace(old as string, () => next as string);
  }, design);
}

/** A user's folder; the command is run in it as built. */
function projectOf() {
  const folder = mkdtempSync(join(cache, 'tablewright-book-'));
  folders.push(folder);
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const design = (content: string) =>
    write('designs.ts', content.replace(`'tablewright'`, JSON.stringify(join(root, 'dist/lib/index.js'))));
  write('package.json', '{}');
  write('tablewright.config.ts', `export default { designs: './designs.ts' };`);
  const tablewright = (args: readonly string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return `${stdout}${stderr}`.replaceAll(folder, '.');
  };
  return { write, design, tablewright };
}

/** A chapter with what its commands really print. */
function carriedOut(chapter: string): string {
  const { write, design, tablewright } = projectOf();
  design(base);
  const [, edit] = /```diff\n([\s\S]*?)```/.exec(chapter) ?? [];
  if (edit !== undefined) {
    tablewright(['record']);
    design(edited(base, edit));
  }
  return chapter.replace(/```(json answers\.json|console)\n([\s\S]*?)```/g, (block, kind: string, content: string) => {
    if (kind !== 'console') {
      write('answers.json', content);
      return block;
    }
    const commands = [...content.matchAll(/^\$ npx tablewright (.*)$/gm)].map(([, line = '']) => line);
    const shown = commands.map((line) => `$ npx tablewright ${line}\n${tablewright(line.split(' '))}`);
    return `\`\`\`console\n${shown.join('')}\`\`\``;
  });
}

test('there are twelve changes or more', () => {
  expect(chapters.length).toBeGreaterThanOrEqual(12);
});

if (process.env.UPDATE_BOOK === '1') {
  const book = chapters.reduce((now, { chapter }) => now.replace(chapter, () => carriedOut(chapter)), text);
  writeFileSync(file, book);
}

test.each(chapters)('$name: the commands print what the book says', ({ chapter }) => {
  if (process.env.UPDATE_BOOK === '1') return;
  expect(carriedOut(chapter)).toBe(chapter);
});

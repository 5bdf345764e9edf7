import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { edited, projectOf, root } from './support/book';

const file = join(root, 'docs/evolve.md');

const text = readFileSync(file, 'utf8');
const [, base = ''] = /```ts\n\/\/ designs\.ts\n([\s\S]*?)```/.exec(text) ?? [];
const chapters = text
  .slice(text.indexOf('## The book of changes'))
  .split(/^### /m)
  .slice(1)
  .filter((chapter) => chapter.includes('```console'))
  .map((chapter) => ({ name: chapter.slice(0, chapter.indexOf('\n')), chapter }));

/** A chapter with what its commands really print. */
function carriedOut(chapter: string): string {
  const { write, design, cases, tablewright } = projectOf();
  design(base);
  const [, edit] = /```diff\n([\s\S]*?)```/.exec(chapter) ?? [];
  if (edit !== undefined) {
    tablewright(['record']);
    design(edited(base, edit));
  }
  return chapter.replace(
    /```(json answers\.json|ts cases\.ts|console)\n([\s\S]*?)```/g,
    (block, kind: string, content: string) => {
      if (kind !== 'console') {
        if (kind === 'ts cases.ts') cases(content);
        else write('answers.json', content);
        return block;
      }
      const commands = [...content.matchAll(/^\$ npx tablewright (.*)$/gm)].map(([, line = '']) => line);
      const shown = commands.map((line) => `$ npx tablewright ${line}\n${tablewright(line.split(' '))}`);
      return `\`\`\`console\n${shown.join('')}\`\`\``;
    },
  );
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

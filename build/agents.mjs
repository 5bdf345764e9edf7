// Runs before packing. Copies the skills to the folders where coding agents look for them, and writes llms.txt, an index of the documents.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function llmsText(folder = '.') {
  const pages = ['guides', 'reference'].flatMap((part) => [
    `## ${title(part)}`,
    '',
    ...linesOf(folder, `docs/${part}`),
    '',
  ]);
  const skills = readdirSync(join(folder, 'docs/skills')).sort();
  const described = skills.map((name) => {
    const text = readFileSync(join(folder, 'docs/skills', name, 'SKILL.md'), 'utf8');
    return `- [${name}](skills/${name}/SKILL.md): ${/^description: (.*)$/m.exec(text)?.[1]}`;
  });
  return [
    '# Tablewright',
    '',
    `> ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).description}`,
    '',
    'All paths are relative to node_modules/tablewright/, so they match the installed version.',
    '',
    '## Skills',
    '',
    ...described,
    '',
    ...pages,
  ].join('\n');
}

/** Formats one line per page: its title and its first sentence. */
function linesOf(folder, part) {
  return readdirSync(join(folder, part), { recursive: true })
    .map((file) => String(file))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, part, file), 'utf8');
      const [, heading = file] = /^# (.*)$/m.exec(text) ?? [];
      const [, first = ''] = /^# .*\n+([A-Z`][^\n|]*(?:\n[^\n|#]+)*)/m.exec(text) ?? [];
      const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(first) ?? [];
      return `- [${heading}](${part}/${file}): ${sentence
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('\n', ' ')
        .replace(/:$/, '.')}`.replace(/: $/, '');
    });
}

function title(part) {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

if (process.argv[2] === 'write') {
  rmSync('skills', { recursive: true, force: true });
  cpSync('docs/skills', 'skills', { recursive: true });
  writeFileSync('llms.txt', llmsText());
}

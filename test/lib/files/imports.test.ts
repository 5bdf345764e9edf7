import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesImportedBy, folderOf } from '../../../lib/files/imports';

const root = mkdtempSync(join(tmpdir(), 'imports-'));
mkdirSync(join(root, 'src/patterns'), { recursive: true });
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
write(
  'src/design.ts',
  `import { z } from 'zod';\nimport { posts } from './patterns';\nexport * from "./attributes.js";\n`,
);
write('src/attributes.ts', `const limits = require('../limits.json'); // from './nowhere'\n`);
write(
  'src/patterns/index.ts',
  `import type { Design } from '../design';\nexport const posts = () => import('./late');\n`,
);
write('src/patterns/late.mjs', '');
write('src/patterns/late.ts', '');
write('src/other.ts', '');
write('limits.json', '{}');

test('follows every kind of relative import, and no other imports', () => {
  const files = filesImportedBy([join(root, 'src/design.ts')]);
  expect(files.map((file) => file.slice(root.length + 1))).toEqual([
    'limits.json',
    'src/attributes.ts',
    'src/design.ts',
    'src/patterns/index.ts',
    'src/patterns/late.ts',
  ]);
  expect(folderOf(files)).toBe(root);
});

test('returns the folder of a single file', () => {
  expect(folderOf([join(root, 'src/other.ts')])).toBe(join(root, 'src'));
});

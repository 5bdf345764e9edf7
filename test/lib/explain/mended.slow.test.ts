import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../../lib/check';
import { explain } from '../../../lib/explain';
import { compile, ROOT } from '../../support/compile';

test('every fixed example compiles as the explanation shows it', () => {
  const from = (path: string) => JSON.stringify(join(ROOT, 'lib', path));
  const text = [
    `import { z } from 'zod';`,
    `import { defineSystem } from ${from('design/system')};`,
    `import { defineTable } from ${from('design/table')};`,
    ...rules.map(({ id }, i) => `export const example${i} = ${explain(id)?.mended.join('\n')};`),
  ];
  // The folder is inside `node_modules`, so that the compiler finds zod.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/examples-'));
  try {
    writeFileSync(join(folder, 'mended.ts'), text.join('\n'));
    expect(compile([join(folder, 'mended.ts')])).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const FILE = join(ROOT, 'docs/reference/benchmarks.md');

/** Writes a part's measurements into the document, in the block after the part's marker. */
export function writeReport(part, lines) {
  const text = readFileSync(FILE, 'utf8');
  const block = new RegExp(`(<!-- npm run bench -- ${part} -->\\n\`\`\`text\\n)[^\`]*(\`\`\`)`);
  if (!block.test(text)) throw new Error(`docs/reference/benchmarks.md has no block for ${part}`);
  writeFileSync(
    FILE,
    text.replace(block, (_, start, end) => `${start}${lines.join('\n')}\n${end}`),
  );
}

// npm run bench [-- part …] [--format json]: what it costs to use tablewright, against doing without it and against others.
// It prints ratios and whether each is within its bound; it never fails for being slow.
import { parseArgs } from 'node:util';

const PARTS = ['constructs', 'requests', 'bundles', 'types'];

const { values, positionals } = parseArgs({
  options: { format: { type: 'string', default: 'text' } },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? PARTS : positionals;
const unknown = chosen.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) throw new Error(`there is no part '${unknown[0]}'; the parts are ${PARTS.join(', ')}`);

const measured = {};
for (const part of chosen) {
  const { measure, report } = await import(`./${part}.mjs`);
  measured[part] = measure();
  if (values.format !== 'json') console.log(`${report(measured[part]).join('\n')}\n`);
}
if (values.format === 'json') console.log(JSON.stringify(measured, null, 2));

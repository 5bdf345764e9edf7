// npm run bench [-- part …] [--rounds n] [--format json] [--write]: what it costs to use tablewright, against doing without it and against
// others. It prints ratios and whether each is within its bound; it never fails for being slow. What was measured is put into
// docs/reference/benchmarks.md where --write is given.
import { parseArgs } from 'node:util';
import { writeReport } from './document.mjs';

const PARTS = ['bundles', 'start', 'requests', 'constructs', 'types', 'check', 'explore', 'migrate', 'azure'];

/** Parts that download packages, so that they run only if they are named. */
const NAMED = ['first-app'];

const { values, positionals } = parseArgs({
  options: {
    format: { type: 'string', default: 'text' },
    write: { type: 'boolean', default: false },
    // How often the constructs are measured at most, on a machine that has not the time.
    rounds: { type: 'string', default: 'Infinity' },
  },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? PARTS : positionals;
const known = [...PARTS, ...NAMED];
const unknown = chosen.filter((part) => !known.includes(part));
if (unknown.length > 0) throw new Error(`there is no part '${unknown[0]}'; the parts are ${known.join(', ')}`);

const measured = {};
for (const part of chosen) {
  const { measure, report } = await import(`./${part}.mjs`);
  measured[part] = await measure(Number(values.rounds));
  const lines = report(measured[part]);
  if (values.format !== 'json') console.log(`${lines.join('\n')}\n`);
  if (values.write) writeReport(part, lines);
}
if (values.format === 'json') console.log(JSON.stringify(measured, null, 2));

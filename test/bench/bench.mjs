// npm run bench [-- part …] [--rounds n] [--format json] [--write]: compares tablewright with handwritten code and with
// other libraries. Prints the ratios, and whether each ratio is within its bound. Slow results never fail the run. With
// --write, also writes the measurements to docs/reference/benchmarks.md.
import { parseArgs } from 'node:util';
import { writeReport } from './document.mjs';

const PARTS = ['bundles', 'start', 'requests', 'constructs', 'types', 'check', 'explore', 'migrate', 'memory', 'azure'];

/** Parts that run only if they are named on the command line, because they download packages. */
const NAMED = ['first-app'];

const { values, positionals } = parseArgs({
  options: {
    format: { type: 'string', default: 'text' },
    write: { type: 'boolean', default: false },
    // Limits the number of rounds, for slow machines.
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

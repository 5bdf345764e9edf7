// Measures how much longer an import and a synthesis take with the constructs than with bare aws-cdk-lib, as ratios.
// Every measurement runs in its own process, the two sides take turns, and each result is the median. The bounds are
// for CPU time, because wall-clock time includes other work on the machine.
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns } from './columns.mjs';
import { run, runWith } from './run.mjs';
import { verdict } from './verdict.mjs';

const BOUND = 1.1;
/**
 * The bounds apply to runs with CDK's own validation, because users of `cdk synth` have to wait for this validation,
 * too. This validation takes longer than everything else. The rows without validation only show where the time goes.
 */
const SIZES = [
  { tables: 10, rounds: 15 },
  { tables: 100, rounds: 15 },
  { tables: 1000, rounds: 7 },
  { tables: 100, rounds: 7, kind: 'doubtful', words: ', each with a warning' },
  { tables: 10, rounds: 5, bound: BOUND, settings: { CDK_VALIDATION: 'true' }, words: ', validated' },
  { tables: 100, rounds: 5, bound: BOUND, settings: { CDK_VALIDATION: 'true' }, words: ', validated' },
  { tables: 1000, rounds: 5, bound: BOUND, settings: { CDK_VALIDATION: 'true' }, words: ', validated' },
];
const IMPORT_ROUNDS = 25;

export function measure(most) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-bench-'));
  try {
    assertSameTemplates(folder, 10);
    return [
      {
        bound: BOUND,
        ...compare('import tablewright/aws', Math.min(IMPORT_ROUNDS, most), (side) => run('import.cjs', side)),
      },
      ...SIZES.map(({ tables, rounds, bound, kind = 'sound', settings, words = '' }) => {
        const name = `synthesize ${tables.toLocaleString('en')} tables${words}`;
        const args = [tables, join(folder, 'cdk.out'), kind];
        const once = (side) =>
          settings === undefined
            ? run('synthesis.cjs', side, ...args)
            : runWith(settings, 'synthesis.cjs', side, ...args);
        return { tables, bound, isPlain: words === '', ...compare(name, Math.min(rounds, most), once) };
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function report(results) {
  const sizes = results.filter(({ isPlain }) => isPlain);
  const rows = [
    ['', 'tablewright', 'bare', 'ratio', 'cpu', 'rounds'],
    ...results.map(({ name, designed, bare, ratio, cpu, rounds }) => [
      name,
      ms(designed),
      ms(bare),
      ratio.toFixed(2),
      cpu.toFixed(2),
      rounds,
    ]),
    ...sizes.map(({ tables, designed, bare }) => [
      `  a table, of ${tables.toLocaleString('en')}`,
      ms(designed / tables),
      ms(bare / tables),
    ]),
  ];
  return [...columns(rows), '', ...verdicts(results, sizes)];
}

/** Measures how long each side takes, in milliseconds, and computes the ratio. */
function compare(name, rounds, once) {
  const measured = { designed: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? ['designed', 'bare'] : ['bare', 'designed'];
    for (const side of turn) measured[side].push(once(side));
  }
  const middle = (side, unit) => median(measured[side].map((result) => result[unit]));
  const [designed, bare] = [middle('designed', 'wall'), middle('bare', 'wall')];
  return {
    name,
    rounds,
    designed,
    bare,
    ratio: designed / bare,
    cpu: middle('designed', 'cpu') / middle('bare', 'cpu'),
  };
}

/** Throws unless both sides produce the same templates. */
function assertSameTemplates(folder, tables) {
  const [designed, bare] = ['designed', 'bare'].map((side) => {
    const outdir = join(folder, side);
    run('synthesis.cjs', side, tables, outdir, 'sound');
    const files = readdirSync(outdir).filter((file) => file.endsWith('.template.json'));
    return files.map((file) => JSON.parse(readFileSync(join(outdir, file), 'utf8')));
  });
  deepStrictEqual(designed, bare);
  deepStrictEqual(Object.keys(bare[0].Resources).length, tables);
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function verdicts(results, sizes) {
  const [first, last] = [sizes[0], sizes.at(-1)];
  const growth = (side) => last[side] / first[side];
  return [
    ...results
      .filter(({ bound }) => bound !== undefined)
      .map(({ name, cpu, bound }) =>
        verdict(
          cpu <= bound,
          `${name}: ${cpu.toFixed(2)} times the cpu of bare aws-cdk-lib (at most ${bound.toFixed(2)})`,
        ),
      ),
    `from ${first.tables} to ${last.tables.toLocaleString('en')} tables: ${growth('designed').toFixed(1)} times the time, bare ${growth('bare').toFixed(1)} times`,
  ];
}

function ms(time) {
  return `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}

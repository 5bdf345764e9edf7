// Measures what a design's types cost the compiler. Counts the type instantiations for 1, 10 and 50 entities on every
// side, and for a transaction over two lists. These counts are the same on every machine. Also measures how much longer
// a whole support desk's design takes to compile with Tablewright's types than as plain literals.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { ROOT } from './root.mjs';
import { sources } from './type-sources.mjs';
import { verdict } from './verdict.mjs';

const SIZES = [1, 10, 50];
const LARGEST = SIZES.at(-1);
const OURS = ['tablewright, zod', 'tablewright, zod/mini'];
const BOUND = 95_000;
const LISTS_BOUND = 15_000;
const DESK_BOUND = 2;
const PACKAGES = ['zod', 'electrodb', 'dynamodb-toolbox', 'dynamodb-onetable', '@aws-sdk', '@types'];
const OPTIONS =
  '--ignoreConfig --noEmit --strict --skipLibCheck --target ES2023 --lib ES2024 --module esnext --moduleResolution bundler --types node';

/**
 * Counts the instantiations for each side and size, and for a transaction over two lists. Also measures how many
 * seconds a support desk's design adds to the compile time.
 */
export function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-types-'));
  try {
    link(join(folder, 'node_modules/tablewright'), ROOT);
    for (const name of PACKAGES) link(join(folder, 'node_modules', name), join(ROOT, 'node_modules', name));
    const count = (side, size) => {
      const file = join(folder, `${side.replace(/\W/g, '-')}-${size}.ts`);
      writeFileSync(file, sources[side](size));
      return instantiations(folder, file);
    };
    const sides = Object.fromEntries(
      Object.keys(sources).map((side) => [side, Object.fromEntries(SIZES.map((size) => [size, count(side, size)]))]),
    );
    const lists = join(folder, 'lists.ts');
    writeFileSync(lists, fixture('two-lists.ts'));
    return { sides, lists: instantiations(folder, lists), desk: deskSeconds(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function report({ sides: measured, lists, desk }) {
  const count = (number) => number.toLocaleString('en');
  const rows = Object.entries(measured).map(([side, counts]) => [
    side,
    ...SIZES.map((size) => count(counts[size])),
    (counts[LARGEST] / measured[OURS[0]][LARGEST]).toFixed(1),
  ]);
  const heads = SIZES.map((size) => `${size} ${size === 1 ? 'entity' : 'entities'}`);
  return [
    ...columns([['instantiations of types', ...heads, 'times ours'], ...rows]),
    '',
    ...OURS.map((side) =>
      verdict(
        measured[side][LARGEST] <= BOUND,
        `${side}: ${count(measured[side][LARGEST])} for ${LARGEST} entities (at most ${count(BOUND)})`,
      ),
    ),
    verdict(lists <= LISTS_BOUND, `a transaction over two lists: ${count(lists)} (at most ${count(LISTS_BOUND)})`),
    verdict(
      desk <= DESK_BOUND,
      `tsc on a support desk, compared with the same literals without types: ${desk.toFixed(1)} s more (at most ${DESK_BOUND} s)`,
    ),
  ];
}

/** A fixture that imports the package as a user does. */
function fixture(name) {
  return readFileSync(join(ROOT, 'test/fixtures', name), 'utf8').replace(/'(\.\.\/)+lib[^']*'/g, "'tablewright'");
}

/**
 * Returns how many seconds longer the support desk's design takes to compile with Tablewright's types than as plain
 * literals.
 */
function deskSeconds(folder) {
  const design = fixture('sound/support.ts');
  writeFileSync(join(folder, 'support-patterns.ts'), fixture('sound/support-patterns.ts'));
  writeFileSync(join(folder, 'desk.ts'), design);
  const bare = design.replace(/import { (define\w+) } from 'tablewright';/g, 'const $1 = <T>(design: T): T => design;');
  writeFileSync(join(folder, 'bare.ts'), bare);
  const seconds = (file) => median(Array.from({ length: 3 }, () => compiled(folder, file).seconds));
  return seconds(join(folder, 'desk.ts')) - seconds(join(folder, 'bare.ts'));
}

function instantiations(folder, file) {
  return compiled(folder, file).instantiations;
}

function compiled(folder, file) {
  const args = [...OPTIONS.split(' '), '--extendedDiagnostics', '--singleThreaded', file];
  const { stdout, error } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined || /error TS/.test(stdout)) throw error ?? new Error(stdout);
  return {
    instantiations: Number(/^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1]),
    seconds: Number(/^Total time:\s+([\d.]+)s$/m.exec(stdout)?.[1]),
  };
}

function link(path, target) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

// What the types of a design cost the compiler: instantiations for 1, 10 and 50 entities, on every side. They are a count,
// the same on any machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { columns } from './columns.mjs';
import { ROOT } from './root.mjs';
import { sources } from './type-sources.mjs';
import { verdict } from './verdict.mjs';

const SIZES = [1, 10, 50];
const LARGEST = SIZES.at(-1);
const OURS = ['tablewright, zod', 'tablewright, zod/mini'];
const BOUND = 95_000;
const PACKAGES = ['zod', 'electrodb', 'dynamodb-toolbox', 'dynamodb-onetable', '@aws-sdk', '@types'];
const OPTIONS =
  '--ignoreConfig --noEmit --strict --skipLibCheck --target ES2023 --lib ES2024 --module esnext --moduleResolution bundler --types node';

/** Instantiations by side and size. */
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
    return Object.fromEntries(
      Object.keys(sources).map((side) => [side, Object.fromEntries(SIZES.map((size) => [size, count(side, size)]))]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function report(measured) {
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
  ];
}

function instantiations(folder, file) {
  const args = [...OPTIONS.split(' '), '--extendedDiagnostics', '--singleThreaded', file];
  const { stdout, error } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined || /error TS/.test(stdout)) throw error ?? new Error(stdout);
  return Number(/^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1]);
}

function link(path, target) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

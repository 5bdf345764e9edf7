import type { CodeForm, Phase, Plan } from './plan';

/** The releases of a plan, with their labels in the picture. */
const RELEASES: readonly (readonly [CodeForm, string])[] = [
  [{ reads: 'old', writes: 'old' }, 'old release'],
  [{ reads: 'both', writes: 'both' }, 'reads and writes both'],
  [{ reads: 'new', writes: 'both' }, 'reads new, writes both'],
  [{ reads: 'new', writes: 'new' }, 'new release'],
];

/**
 * Draws which releases run in each step of a plan: `━` marks the release of a step, and `┄` a release that may still
 * run while the next release is rolled out. The rows below show the changes to tables and items, and whether the step
 * can be undone.
 */
export function releasesPicture({ phases }: Pick<Plan, 'phases'>): readonly string[] {
  const all = phases.map((phase, i) => ({ phase, running: runningIn(phases, i) }));
  const releases = RELEASES.filter(([code]) => all.some(({ running }) => running.some(isSame(code))));
  const rows: readonly (readonly string[])[] = [
    ['', ...phases.map(({ step }) => step)],
    ...releases.map(([code, name]) => [
      name,
      ...all.map(({ phase, running }) => (isSame(code)(phase.code) ? '━' : running.some(isSame(code)) ? '┄' : '')),
    ]),
    ['tables', ...phases.map(({ wave }) => wave.map(({ action }) => ACTIONS[action]).join(' '))],
    ['items', ...phases.map(({ items = '' }) => items)],
    ['way back', ...phases.map(({ rollback }) => (rollback.possible ? 'yes' : 'no'))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const used = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  return used.map((row) =>
    row
      .map((cell, i) => (/^[━┄]$/.test(cell) ? cell.repeat(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Whether a phase starts a release that writes a different form than the previous release. */
export function bringsRelease(phases: readonly Phase[], at: number): boolean {
  const [before = 'old', now] = [phases[at - 1]?.code.writes, phases[at]?.code.writes];
  return now === 'both' ? before === 'old' : now === 'new' && before === 'both';
}

/**
 * Returns the releases that may run in a step: its own release and, except in the drain phase, the previous step's
 * release.
 */
function runningIn(phases: readonly Phase[], at: number): readonly CodeForm[] {
  const { kind, code } = phases[at] as Phase;
  const before = phases[at - 1]?.code ?? { reads: 'old', writes: 'old' };
  return kind === 'drain' ? [code] : [before, code];
}

function isSame(code: CodeForm) {
  return ({ reads, writes }: CodeForm) => reads === code.reads && writes === code.writes;
}

const ACTIONS = {
  'create-table': '+table',
  'delete-table': '-table',
  'create-index': '+index',
  'delete-index': '-index',
  'disable-ttl': '-ttl',
  'enable-ttl': '+ttl',
  'add-replica': '+copy',
  'remove-replica': '-copy',
  'disable-stream': '-stream',
  'enable-stream': '+stream',
} as const;

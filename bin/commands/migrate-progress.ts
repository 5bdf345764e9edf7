import type { Pass, State } from '../../lib/evolve/migration/run/state';
import type { Terminal } from './command';
import type { Scene } from './migrate-scene';

/** Reports the progress of a migration. */
export async function progressOn(
  terminal: Terminal,
  { migration, store, phase }: Pick<Scene, 'migration' | 'store' | 'phase'>,
): Promise<(state: Pick<State, 'passes'>) => void> {
  const estimates = await Promise.all(migration.tables[phase].map((table) => store.estimate(table)));
  const estimate = estimates.every((items) => items !== undefined)
    ? estimates.reduce((sum, items) => sum + items, 0)
    : undefined;
  let begun: { readonly at: number; readonly read: number } | undefined;
  return ({ passes }) => {
    const { counts } = passes.at(-1) as Pass;
    const all = passes.reduce((sum, pass) => sum + pass.counts.read, 0);
    // Items that were read before this run do not count toward the rate.
    begun ??= { at: Date.now(), read: all };
    const seconds = (Date.now() - begun.at) / 1000;
    const total = passes.length > 1 ? passes[0]?.counts.read : estimate;
    terminal.progress(
      barOf({ pass: passes.length, read: counts.read, total, rate: seconds > 0 ? (all - begun.read) / seconds : 0 }),
    );
  };
}

export interface Bar {
  readonly pass: number;
  readonly read: number;
  /** The approximate number of items, if known. */
  readonly total: number | undefined;
  /** Items per second. */
  readonly rate: number;
}

const WIDTH = 20;

/** Formats the progress: `[#####···············] 25% of about 1,000, 80 items/s, 9 s left`. */
export function barOf({ pass, read, total, rate }: Bar): string {
  const times = pass > 1 ? `pass ${pass}: ` : '';
  const speed = rate >= 1 ? `, ${grouped(rate)} items/s` : '';
  if (total === undefined || total === 0) return `${times}${grouped(read)} items${speed}`;
  // A run can read more items than the total, because DynamoDB's item count may be hours old.
  const part = Math.min(1, read / total);
  const filled = Math.floor(part * WIDTH);
  const left = rate >= 1 && read < total ? `, ${duration((total - read) / rate)} left` : '';
  return `${times}[${'#'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${Math.floor(part * 100)}% of about ${grouped(total)}${speed}${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

export function grouped(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

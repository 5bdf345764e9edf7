import type { Calls } from '../../../azure-tables/client';
import type { PatternItem } from '../../../design/infer';
import { pagesOf } from '../../lists';
import { digitsOf } from '../../times';
import type { numberLogsTable } from '../design';

type Logs = Calls<typeof numberLogsTable>;

export type NumberLog = PatternItem<typeof numberLogsTable, 'logsOfMonth'>;

/** A period, month by month, both included: `{ from: '2025-06', to: '2025-07' }`. */
export interface Period {
  readonly from: string;
  readonly to: string;
  /** @default - all types */
  readonly DocumentTypeId?: string;
  /** @default - all users */
  readonly UserId?: string;
}

/** The values are not a valid period. */
export class PeriodInvalid extends Error {
  public override readonly name = 'PeriodInvalid';
}

/** More than any report needs; each month is a partition and takes at least one request. */
const LONGEST = 120;

/** The logs of several months, oldest first, optionally of one type or one user. */
export async function logsOfPeriod(
  client: Pick<Logs, 'logsOfMonth' | 'logsByType' | 'logsByUser'>,
  { from, to, DocumentTypeId, UserId }: Period,
): Promise<readonly NumberLog[]> {
  const found: NumberLog[] = [];
  for (const month of monthsOf(from, to)) {
    const pages =
      DocumentTypeId !== undefined
        ? pagesOf((options) => client.logsByType({ ...month, DocumentTypeId }, options))
        : UserId !== undefined
          ? pagesOf((options) => client.logsByUser({ ...month, UserId }, options))
          : pagesOf((options) => client.logsOfMonth(month, options));
    for await (const { items: logs } of pages) {
      found.push(...(UserId === undefined ? logs : logs.filter((log) => log.UserId === UserId)));
    }
  }
  return found;
}

export interface Latest {
  /** How many logs to return. */
  readonly count: number;
  /** How many months to go back at most. @default 24 */
  readonly months?: number;
  /** The moment to go back from. @default - now */
  readonly before?: string;
}

/**
 * The latest logs, newest first. Azure Tables read only in ascending order, so this goes back month by month and
 * reads each month forwards, until there are enough logs.
 */
export async function latestLogs(
  client: Pick<Logs, 'logsOfMonth'>,
  { count, months = 24, before = new Date().toISOString() }: Latest,
): Promise<readonly NumberLog[]> {
  if (!Number.isInteger(count) || count < 1)
    throw new PeriodInvalid(`count must be a positive whole number, got: ${count}`);
  if (!Number.isInteger(months) || months < 1 || months > LONGEST)
    throw new PeriodInvalid(`months must be from 1 to ${LONGEST}, got: ${months}`);
  let at = indexOf(before.slice(0, 7));
  const found: NumberLog[] = [];
  for (let walked = 0; walked < months && found.length < count; walked++, at--) {
    let latest: NumberLog[] = [];
    for await (const { items: logs } of pagesOf((options) => client.logsOfMonth(monthAt(at), options))) {
      const passed = logs.filter(({ GeneratedAt }) => Date.parse(GeneratedAt) <= Date.parse(before));
      // Holds at most the requested count plus one page in memory. Sorts by time, because a key without a fraction sorts after all
      // other keys of its second.
      latest = [...latest, ...passed].toSorted(byTime).slice(-(count - found.length));
    }
    found.push(...latest.reverse());
  }
  return found;
}

/** Compares times without their zone, so that a time without a fraction sorts before others of its second. */
function byTime(one: NumberLog, other: NumberLog): number {
  const [a, b] = [one, other].map(({ GeneratedAt }) => digitsOf(GeneratedAt));
  return (a as string) < (b as string) ? -1 : a === b ? 0 : 1;
}

interface Month {
  readonly year: number;
  readonly month: number;
}

export function monthsOf(from: string, to: string): readonly Month[] {
  const [first, last] = [indexOf(from), indexOf(to)];
  if (last < first)
    throw new PeriodInvalid(`a period must not end (${to}) before it begins (${from}); turn them round`);
  if (last - first >= LONGEST)
    throw new PeriodInvalid(
      `${from} to ${to} is ${last - first + 1} months, and at most ${LONGEST} are read; ask in parts`,
    );
  return Array.from({ length: last - first + 1 }, (_, i) => monthAt(first + i));
}

function indexOf(month: string): number {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new PeriodInvalid(`a month must be written as 2025-06, got: '${month}'`);
  return Number(year) * 12 + Number(number) - 1;
}

function monthAt(index: number): Month {
  return { year: Math.floor(index / 12), month: (index % 12) + 1 };
}

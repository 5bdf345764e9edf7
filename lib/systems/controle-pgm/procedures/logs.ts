import type { Client } from '../../../azure-tables/client';
import type { PatternItem } from '../../../design/infer';
import { digitsOf } from '../../times';
import type { numberLogsTable } from '../design';

type Logs = Client<typeof numberLogsTable>;

export type NumberLog = PatternItem<typeof numberLogsTable, 'logsOfMonth'>;

/** A period of whole months, with both ends included: `{ from: '2025-06', to: '2025-07' }`. */
export interface Period {
  readonly from: string;
  readonly to: string;
  /** @default - all types */
  readonly DocumentTypeId?: string;
  /** @default - all users */
  readonly UserId?: string;
}

export class PeriodInvalid extends Error {
  public override readonly name = 'PeriodInvalid';
}

/** Returns the logs of a period, oldest first, optionally only those of one type or one user. */
export async function logsOfPeriod(
  client: Pick<Logs, 'logsOfMonth' | 'logsByType' | 'logsByUser'>,
  { from, to, DocumentTypeId, UserId }: Period,
): Promise<readonly NumberLog[]> {
  const found: NumberLog[] = [];
  for (let at = indexOf(from); at <= indexOf(to); at++) {
    const month = monthAt(at);
    const logs =
      DocumentTypeId !== undefined
        ? client.logsByType.all({ ...month, DocumentTypeId })
        : UserId !== undefined
          ? client.logsByUser.all({ ...month, UserId })
          : client.logsOfMonth.all(month);
    for await (const log of logs) if (UserId === undefined || log.UserId === UserId) found.push(log);
  }
  return found;
}

export interface Latest {
  readonly count: number;
  /** The maximum number of months to go back. @default 24 */
  readonly months?: number;
  /** The end of the period to search. @default - now */
  readonly before?: string;
}

/** Reads the latest logs, newest first. Goes back by month, because Azure Tables reads only in ascending order. */
export async function latestLogs(
  client: Pick<Logs, 'logsOfMonth'>,
  { count, months = 24, before = new Date().toISOString() }: Latest,
): Promise<readonly NumberLog[]> {
  const last = indexOf(before.slice(0, 7));
  const found: NumberLog[] = [];
  for (let at = last; at > last - months && found.length < count; at--) {
    let latest: NumberLog[] = [];
    for await (const { items } of client.logsOfMonth.pages(monthAt(at))) {
      const passed = items.filter(({ GeneratedAt }) => Date.parse(GeneratedAt) <= Date.parse(before));
      // Sorts by time, because a key without fractional seconds sorts after all other keys of the same second.
      latest = [...latest, ...passed].toSorted(byTime).slice(-(count - found.length));
    }
    found.push(...latest.reverse());
  }
  return found;
}

/** Compares times without their zone, so that a whole second sorts before its fractions. */
function byTime(one: NumberLog, other: NumberLog): number {
  const [a, b] = [one, other].map(({ GeneratedAt }) => digitsOf(GeneratedAt));
  return (a as string) < (b as string) ? -1 : a === b ? 0 : 1;
}

/** Returns a month's index, counted from January of the year 0. */
function indexOf(month: string): number {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new PeriodInvalid(`a month must have the form 2025-06, got: '${month}'`);
  return Number(year) * 12 + Number(number) - 1;
}

function monthAt(index: number): { readonly year: number; readonly month: number } {
  return { year: Math.floor(index / 12), month: (index % 12) + 1 };
}

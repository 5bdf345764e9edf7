import type { Calls } from '../../../azure-tables/client';
import { pagesOf } from '../../lists';
import type { numberLogsTable } from '../design';
import type { usersTable } from '../users';
import { type Guards, isGuarded, isSameEmail, type User } from './emails';
import { monthsOf, type NumberLog, type Period } from './logs';
import { formattedNumber } from './next-number';
import { type RetryOptions, untilSettled } from './retry';

interface FillClient
  extends Guards,
    Pick<Calls<typeof usersTable>, 'allUsers'>,
    Pick<Calls<typeof numberLogsTable>, 'logsOfMonth' | 'formatLog'> {}

/** What was missing, and what is not as it should be. */
export interface Filled {
  /** E-mails that have a guard now, and had none. */
  readonly guards: number;
  /** Users with an e-mail that another has: someone has to decide whose it is, and give the other another. */
  readonly duplicates: readonly { readonly Id: string; readonly Email: string }[];
  /** Logs that have a FormattedNumber now, and had none. */
  readonly logs: number;
  /** Users and logs that are not as designed: they were left as they are. */
  readonly unread: number;
}

export interface FillOptions extends Pick<RetryOptions, 'now' | 'pause'> {
  /** Told of every month whose logs are done, so that a later run can begin there. @default - nobody is told */
  readonly done?: (month: string) => void;
}

/**
 * Fills in what data of the time before does not have: guards of e-mails, and the FormattedNumber of logs. It may be stopped at
 * any point and run again, also while others work: what is there stays as it is.
 */
export async function fillIn(
  client: FillClient,
  { from, to }: Pick<Period, 'from' | 'to'>,
  { now = () => new Date(), done, ...options }: FillOptions = {},
): Promise<Filled> {
  const months = monthsOf(from, to);
  let [guards, unread] = [0, 0];
  const duplicates: Pick<User, 'Id' | 'Email'>[] = [];
  for await (const page of pagesOf((given) => client.allUsers({}, given))) {
    unread += page.unknown ?? 0;
    for (const { Id } of page.items) {
      const came = await untilSettled(options, () => guarded(client, Id, now()));
      if (came === 'added') guards++;
      else if (came !== 'there') duplicates.push(came);
    }
  }
  let logs = 0;
  for (const month of months) {
    for await (const page of pagesOf((given) => client.logsOfMonth(month, given))) {
      unread += page.unknown ?? 0;
      for (const log of page.items) if (await isFormatted(client, log, options)) logs++;
    }
    done?.(`${month.year}-${String(month.month).padStart(2, '0')}`);
  }
  return { guards, duplicates, logs, unread };
}

/** Sees to the guard of a user's e-mail; one who is about to get another sees to it alone. */
async function guarded(client: FillClient, Id: string, now: Date) {
  const user = await client.userById({ Id });
  if (user === undefined || user.PendingEmail?.IsNew) return 'there';
  const owner = await client.emailOwner({ Email: user.Email.toLowerCase() });
  if (owner?.UserId === Id) return 'there';
  if (!(await isGuarded(client, user, user.Email, now))) return { Id, Email: user.Email };
  // The user may have got another meanwhile: then this guard is in nobody's way.
  return isSameEmail((await client.userById({ Id }))?.Email, user.Email) ? 'added' : 'there';
}

async function isFormatted(client: FillClient, log: NumberLog, options: Pick<RetryOptions, 'pause'>): Promise<boolean> {
  if (log.FormattedNumber !== undefined) return false;
  const { GeneratedAt, Id } = log;
  return untilSettled(options, async () => {
    await client.formatLog({ GeneratedAt, Id, FormattedNumber: formattedNumber(log) });
    return true;
  });
}

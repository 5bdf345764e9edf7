import type { Calls } from '../../../azure-tables/client';
import { EntityChanged, EntityMissing } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { PatternItem } from '../../../design/infer';
import type { usersByEmailTable, usersTable } from '../users';
import { inSeconds, isLeftBehind, Refusal } from './retry';

/*
 * An e-mail is a user's when the row of the user says so. `UsersByEmail` has one row an e-mail, which only one user can have
 * written: the guard. No transaction spans the two tables, so that everything is done in an order in which it can be left at
 * any point:
 *
 * 1. The row of the user says which e-mail it is about to get (`PendingEmail`).
 * 2. The guard is written for the user: made, or taken over from one who is not entitled to it.
 * 3. The row gets the e-mail, if it is still as it was in 1.
 *
 * Whoever takes over a guard from a user who is between 1 and 3, and seems to be dead, first takes the PendingEmail out of that
 * user's row: then step 3 fails, however late it comes. So no two rows ever have one e-mail.
 */

export type User = PatternItem<typeof usersTable, 'userById'>;

// Interfaces, since the compiler compares those by name: the same as intersections is too deep for it.
export interface Guards
  extends Pick<Calls<typeof usersTable>, 'userById' | 'settleUser' | 'deleteUser'>,
    Pick<Calls<typeof usersByEmailTable>, 'emailOwner' | 'claimEmail' | 'saveEmail'> {}
export interface EmailClient extends Guards, Pick<Calls<typeof usersByEmailTable>, 'releaseEmail'> {}

/** Another user has this e-mail. */
export class EmailTaken extends Refusal {
  public override readonly name = 'EmailTaken';
}

export function emailTaken(Email: string): EmailTaken {
  return new EmailTaken(`'${Email}' is the e-mail of another user; give another, or change that user`);
}

/** E-mails are compared without regard to case. */
export function isSameEmail(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** Steps 2 and 3 for a user whose row is in step 1: the user, once it has the e-mail. */
export async function settled(client: EmailClient, user: User, now: Date): Promise<User> {
  const { PendingEmail: pending, ...rest } = user;
  if (pending === undefined) return user;
  const { Email, IsNew } = pending;
  if (!(await isGuarded(client, user, Email, now))) {
    await withoutPending(client, user);
    throw emailTaken(Email);
  }
  const settled = { ...rest, Email, IsActive: IsNew ? pending.IsActive : rest.IsActive, UpdatedAt: inSeconds(now) };
  await client.settleUser(settled, { etag: etagOf(user) as string });
  if (!IsNew && !isSameEmail(rest.Email, Email)) await release(client, user.Id, rest.Email);
  return settled;
}

/**
 * Whether the guard of an e-mail is this user's. It is always written, also where it was the user's before: whoever is about to
 * take it over has read it, and then finds it changed.
 */
export async function isGuarded(client: Guards, { Id: UserId }: User, email: string, now: Date): Promise<boolean> {
  const Email = email.toLowerCase();
  const owner = await client.emailOwner({ Email });
  if (owner === undefined) {
    await client.claimEmail({ Email, UserId });
    return true;
  }
  if (owner.UserId !== UserId && !(await isFreed(client, owner.UserId, Email, now))) return false;
  await client.saveEmail({ Email, UserId }, { etag: etagOf(owner) as string });
  return true;
}

/** Whether a user is not entitled to an e-mail, or has been seen to it. */
async function isFreed(client: Guards, Id: string, Email: string, now: Date): Promise<boolean> {
  const user = await client.userById({ Id });
  if (user === undefined) return true;
  if (isSameEmail(user.Email, Email)) return false;
  const pending = user.PendingEmail;
  if (!isSameEmail(pending?.Email, Email)) return true;
  if (!isLeftBehind((pending as { Since: string }).Since, now)) return false;
  await withoutPending(client, user);
  return true;
}

/** Takes step 1 back. A user who was being made is none. */
async function withoutPending(client: Pick<EmailClient, 'settleUser' | 'deleteUser'>, user: User): Promise<void> {
  const { PendingEmail: pending, ...rest } = user;
  const etag = etagOf(user) as string;
  await (pending?.IsNew ? client.deleteUser({ Id: user.Id }, { etag }) : client.settleUser(rest, { etag }));
}

/**
 * Frees an e-mail that a user does not have any more. The guard is read first: a user who is about to get it again writes the
 * guard after the row, and then this finds it changed. What is left here is in nobody's way.
 */
export async function release(
  client: Pick<EmailClient, 'userById' | 'emailOwner' | 'releaseEmail'>,
  UserId: string,
  email: string,
): Promise<void> {
  const Email = email.toLowerCase();
  const owner = await client.emailOwner({ Email });
  if (owner?.UserId !== UserId) return;
  const user = await client.userById({ Id: UserId });
  if (isSameEmail(user?.Email, Email) || isSameEmail(user?.PendingEmail?.Email, Email)) return;
  await client.releaseEmail({ Email }, { etag: etagOf(owner) as string }).catch((error) => {
    if (!(error instanceof EntityChanged) && !(error instanceof EntityMissing)) throw error;
  });
}

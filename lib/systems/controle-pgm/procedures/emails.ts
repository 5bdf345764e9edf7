import type { Calls } from '../../../azure-tables/client';
import { EntityExists } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { PatternItem } from '../../../design/infer';
import { wholeList } from '../../lists';
import type { usersByEmailTable, usersTable } from '../users';
import { Refusal } from './retry';

/*
 * An e-mail belongs to the user whose row has it. No transaction spans Users and UsersByEmail, so each procedure scans the users,
 * writes the row of UsersByEmail first (the claim), and then the user. A claim whose user does not have the e-mail may be taken
 * over. The takeover is safe even if its owner is only slow:
 *
 * - changeEmail writes the user only if it is unchanged, and a process that takes over its claim rewrites that user first.
 * - createUser confirms its claim after it writes the user. If another process took over the claim, this fails and removes the user.
 */

export type User = PatternItem<typeof usersTable, 'userById'>;

// Interfaces, since the compiler compares those by name; equivalent intersections are too deep for it.
export interface Claims
  extends Pick<Calls<typeof usersTable>, 'allUsers' | 'userById' | 'setEmail'>,
    Pick<Calls<typeof usersByEmailTable>, 'emailOwner' | 'claimEmail' | 'saveEmail'> {}

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

/** All users, for a decision about an e-mail that any of them may have. */
export function everyUser(client: Pick<Claims, 'allUsers'>, Email: string): Promise<readonly User[]> {
  return wholeList(
    (options) => client.allUsers({}, options),
    (unread) =>
      new Refusal(`${unread} not as designed, and may have the e-mail '${Email}'; repair them, and try again`),
  );
}

/**
 * Claims an e-mail for a user, and returns the ETag of the claim. Returns undefined the first time it sees the claim of a user
 * who does not have the e-mail: the caller waits once, as that user may be about to get it.
 */
export async function claimed(
  client: Claims,
  UserId: string,
  email: string,
  seen: Set<string>,
): Promise<string | undefined> {
  const Email = email.toLowerCase();
  const made = await client.claimEmail({ Email, UserId }).catch((error) => {
    if (!(error instanceof EntityExists)) throw error;
  });
  if (made !== undefined) return made.etag;
  const claim = await client.emailOwner({ Email });
  const etag = etagOf(claim);
  if (claim === undefined || etag === undefined) return undefined;
  if (claim.UserId !== UserId) {
    const owner = await client.userById({ Id: claim.UserId });
    if (isSameEmail(owner?.Email, Email)) throw emailTaken(email);
    if (!seen.has(etag)) {
      seen.add(etag);
      return undefined;
    }
    // Makes a concurrent changeEmail fail if it read the owner before.
    if (owner !== undefined) await client.setEmail(owner, { etag: etagOf(owner) as string });
  }
  // Rewrites the user's own claim too, so that nobody who has read it can still take it over.
  return (await client.saveEmail({ Email, UserId }, { etag })).etag;
}

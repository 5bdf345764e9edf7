import type { Calls, Client } from '../../../azure-tables/client';
import { EntityExists } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem } from '../../../design/infer';
import { ItemError } from '../../../items/item';
import type { RetryOptions } from '../../../items/retry';
import { everyItem } from '../../lists';
import { inSeconds } from '../../times';
import type { usersByEmailTable, usersTable } from '../users';
import { IdTaken, isSame, type ProcedureOptions, Refusal, untilSettled } from './retry';

/*
 * An e-mail belongs to the user whose row contains it. No transaction spans Users and UsersByEmail, so each procedure
 * reads the users, then writes the row of UsersByEmail (the claim), and finally writes the user. If the claiming user's
 * row does not contain the e-mail, another user may take over the claim. This is safe even if the process that made
 * the claim is still running:
 *
 * - changeEmail writes the user only if the user is unchanged. A process that takes over the claim rewrites this user
 *   first, so that changeEmail fails.
 * - createUser confirms its claim after it has written the user. If another process took over the claim, createUser
 *   fails and removes the user.
 */

export type User = PatternItem<typeof usersTable, 'userById'>;
export type NewUser = EntityValues<typeof usersTable, 'User'>;

type Lists = Client<typeof usersTable>;
type Users = Calls<typeof usersTable>;
type Emails = Calls<typeof usersByEmailTable>;
// Interfaces, because the equivalent intersection types would be too deep for the compiler.
interface Finder extends Pick<Lists, 'allUsers'>, Pick<Users, 'userById'>, Pick<Emails, 'emailOwner'> {}
interface Changer extends Finder, Pick<Users, 'setEmail'>, Pick<Emails, 'claimEmail' | 'saveEmail'> {}
interface Adder extends Changer, Pick<Users, 'addUser' | 'deleteUser'>, Pick<Emails, 'releaseEmail'> {}

export class EmailTaken extends Refusal {
  public override readonly name = 'EmailTaken';
}

export class UserNotFound extends Refusal {
  public override readonly name = 'UserNotFound';
}

/** Finds the user with an e-mail: with two point reads through UsersByEmail, or else by reading all users. */
export async function userByEmail(client: Finder, { Email }: { readonly Email: string }): Promise<User | undefined> {
  const claim = await client.emailOwner({ Email: Email.toLowerCase() });
  const user = claim && (await client.userById({ Id: claim.UserId }));
  if (user !== undefined && isSameEmail(user.Email, Email)) return user;
  return (await everyItem(client.allUsers, {})).find((one) => isSameEmail(one.Email, Email));
}

/** Creates a user, unless another user already has the e-mail. A retry with the same user is idempotent. */
export async function createUser(client: Adder, user: NewUser, options: RetryOptions = {}): Promise<void> {
  const seen = new Set<string>();
  await untilSettled(options, async () => {
    const users = await everyItem(client.allUsers, {});
    const mine = users.find(({ Id }) => Id === user.Id);
    if (mine !== undefined) refuseOther(user, mine);
    else if (users.some(({ Email }) => isSameEmail(Email, user.Email))) throw emailTaken(user.Email);
    const etag = await claimed(client, user.Id, user.Email, seen).catch(async (error) => {
      // Another user took over the claim before it was confirmed.
      if (error instanceof EmailTaken && mine !== undefined)
        await client.deleteUser({ Id: user.Id }, { etag: etagOf(mine) as string });
      throw error;
    });
    if (etag === undefined) return undefined;
    const claim = { Email: user.Email.toLowerCase(), UserId: user.Id };
    if (mine === undefined)
      await client.addUser(user).catch(async (error) => {
        if (error instanceof ItemError) await client.releaseEmail(claim);
        throw error;
      });
    await client.saveEmail(claim, { etag });
    return true;
  });
}

function refuseOther(user: NewUser, there: User): void {
  const compared = (one: NewUser) => ({ ...one, Email: one.Email.toLowerCase(), UpdatedAt: undefined });
  if (isSame(compared(user), compared(there))) return;
  throw new IdTaken(`user '${user.Id}' already exists; give another id, or change the existing user`);
}

/** Changes a user's e-mail and frees the previous e-mail, unless another user has the new one. Idempotent. */
export async function changeEmail(
  client: Changer,
  { Id, Email }: { readonly Id: string; readonly Email: string },
  { now = () => new Date(), ...options }: Pick<ProcedureOptions, 'now' | 'pause'> = {},
): Promise<User> {
  const seen = new Set<string>();
  return untilSettled(options, async () => {
    const users = await everyItem(client.allUsers, {});
    const user = users.find((one) => one.Id === Id);
    if (user === undefined) throw new UserNotFound(`user '${Id}' does not exist; call activeUsers to list the ids`);
    if (user.Email === Email) return user;
    if (users.some((one) => one.Id !== Id && isSameEmail(one.Email, Email))) throw emailTaken(Email);
    if ((await claimed(client, Id, Email, seen)) === undefined) return undefined;
    const changed = { ...user, Email, UpdatedAt: inSeconds(now()) };
    await client.setEmail(changed, { etag: etagOf(user) as string });
    return changed;
  });
}

/**
 * Claims an e-mail for a user, and returns the ETag of the claim. If another user has claimed the e-mail but does not
 * have it yet, returns undefined the first time. The caller then waits once, because the other user may be about to get
 * the e-mail.
 */
async function claimed(client: Changer, UserId: string, email: string, seen: Set<string>): Promise<string | undefined> {
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
    // This write makes a concurrent changeEmail fail if that call has already read the owner.
    if (owner !== undefined) await client.setEmail(owner, { etag: etagOf(owner) as string });
  }
  // This write also rewrites the user's own claim, so that callers who have read it can no longer take it over.
  return (await client.saveEmail({ Email, UserId }, { etag })).etag;
}

/** Compares two e-mails, ignoring case. */
function isSameEmail(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function emailTaken(Email: string): EmailTaken {
  return new EmailTaken(`'${Email}' is another user's e-mail; give a different e-mail, or change that user`);
}

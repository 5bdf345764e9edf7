import type { Calls } from '../../../azure-tables/client';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternValues } from '../../../design/infer';
import type { usersTable } from '../users';
import { type EmailClient, emailTaken, isSameEmail, release, settled, type User } from './emails';
import { IdTaken, inSeconds, isSame, Refusal, type RetryOptions, refuseOthers, untilSettled } from './retry';

export { EmailTaken } from './emails';
export type { User };
export type NewUser = Omit<EntityValues<typeof usersTable, 'User'>, 'PendingEmail'>;

interface Adder extends EmailClient, Pick<Calls<typeof usersTable>, 'addUser'> {}
type Options = Pick<RetryOptions, 'now' | 'pause'>;

/** There is no such user. */
export class UserNotFound extends Refusal {
  public override readonly name = 'UserNotFound';
}

/** The user of an e-mail, in two point reads. */
export async function userByEmail(
  client: Pick<EmailClient, 'userById' | 'emailOwner'>,
  { Email }: { readonly Email: string },
): Promise<User | undefined> {
  const owner = await client.emailOwner({ Email: Email.toLowerCase() });
  const user = owner && (await client.userById({ Id: owner.UserId }));
  // What was left behind of an e-mail that the user does not have, or not yet, says nothing.
  return user !== undefined && isSameEmail(user.Email, Email) ? user : undefined;
}

/**
 * Makes a user whose e-mail no other has. Until it is sure of the e-mail, the user has none and is not active. Asked again, it
 * goes on where it was left; of a user that was made it makes no second.
 */
export async function createUser(
  client: Adder,
  user: NewUser,
  { now = () => new Date(), ...options }: Options = {},
): Promise<void> {
  let isMade = false;
  await untilSettled(options, async () => {
    const there = await client.userById({ Id: user.Id });
    if (there === undefined) {
      // It was there, and another one who had waited long enough has the e-mail now.
      if (isMade) throw emailTaken(user.Email);
      await client.addUser(beingMade(user, now()));
      isMade = true;
      return undefined;
    }
    isMade = true;
    refuseOther(user, there);
    await settled(client, there, now());
    return there;
  });
}

/** A user before its e-mail. */
function beingMade(user: NewUser, now: Date): PatternValues<typeof usersTable, 'addUser'> {
  const { Id, Email, Name, PasswordHash, Role, IsActive, MustChangePassword, CreatedAt, UpdatedAt, ...others } = user;
  refuseOthers('User', others);
  const PendingEmail = { Email, Since: inSeconds(now), IsNew: true, IsActive };
  const made = { Id, Name, Role, MustChangePassword, CreatedAt, UpdatedAt, PendingEmail };
  return PasswordHash === undefined ? made : { ...made, PasswordHash };
}

function refuseOther(user: NewUser, there: User): void {
  const { PendingEmail: pending, ...rest } = there;
  const made = pending?.IsNew ? { ...rest, Email: pending.Email, IsActive: pending.IsActive } : rest;
  const lower = (one: NewUser) => ({ ...one, Email: one.Email.toLowerCase(), UpdatedAt: undefined });
  if (isSame(lower(user), lower(made))) return;
  throw new IdTaken(`user '${user.Id}' exists already, and is another; give another id, or change that user`);
}

/** What of a user can be changed like that; the e-mail takes `changeEmail`. */
export type UserChanges = Partial<Omit<NewUser, 'Id' | 'Email' | 'CreatedAt' | 'UpdatedAt'>>;

export async function updateUser(
  client: Pick<EmailClient, 'userById' | 'settleUser'>,
  { Id, ...changes }: { readonly Id: string } & UserChanges,
  { now = () => new Date(), ...options }: Options = {},
): Promise<User> {
  const other = ['Email', 'PendingEmail', 'CreatedAt'].find((name) => Object.hasOwn(changes, name));
  if (other !== undefined) throw new Refusal(`${other} is not changed like that; an e-mail takes changeEmail`);
  return untilSettled(options, async () => {
    const user = await madeUser(client, Id);
    const changed = { ...user, ...changes, UpdatedAt: inSeconds(now()) };
    await client.settleUser(changed, { etag: etagOf(user) as string });
    return changed;
  });
}

/** Gives a user another e-mail, which no other has; the one before is free. Asked again, it goes on where it was left. */
export async function changeEmail(
  client: EmailClient,
  { Id, Email }: { readonly Id: string; readonly Email: string },
  { now = () => new Date(), ...options }: Options = {},
): Promise<User> {
  let isBegun = false;
  return untilSettled(options, async () => {
    const user = await madeUser(client, Id);
    const { PendingEmail: pending, ...rest } = user;
    if (pending?.Email === Email) return settled(client, user, now());
    if (isSameEmail(user.Email, Email) && user.Email === Email) {
      if (pending === undefined) return user;
      // Another change was begun, and this one undoes it.
      await client.settleUser(rest, { etag: etagOf(user) as string });
      return undefined;
    }
    // It was begun, and another one who had waited long enough has the e-mail now; or another change came in between.
    if (isBegun) throw emailTaken(Email);
    const PendingEmail = { Email, Since: inSeconds(now()), IsNew: false, IsActive: user.IsActive };
    await client.settleUser({ ...rest, PendingEmail }, { etag: etagOf(user) as string });
    isBegun = true;
    return undefined;
  });
}

/** Ends a user, whose e-mail is free then. That there is none any more is no failure. */
export async function removeUser(
  client: Pick<EmailClient, 'userById' | 'deleteUser' | 'emailOwner' | 'releaseEmail'>,
  { Id }: { readonly Id: string },
  options: Pick<RetryOptions, 'pause'> = {},
): Promise<void> {
  const emails = new Set<string>();
  await untilSettled(options, async () => {
    const user = await client.userById({ Id });
    if (user !== undefined) {
      for (const email of [user.Email, user.PendingEmail?.Email ?? user.Email]) emails.add(email);
      await client.deleteUser({ Id }, { etag: etagOf(user) as string });
    }
    for (const email of emails) await release(client, Id, email);
    return true;
  });
}

/** A user who is there, and is not only being made. */
async function madeUser(client: Pick<EmailClient, 'userById'>, Id: string): Promise<User> {
  const user = await client.userById({ Id });
  if (user !== undefined && !user.PendingEmail?.IsNew) return user;
  const what =
    user === undefined ? 'there is no such user' : 'it is being made, and createUser has not come to its end';
  throw new UserNotFound(`user '${Id}': ${what}; read activeUsers for those there are`);
}

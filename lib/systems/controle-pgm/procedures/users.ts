import type { Calls } from '../../../azure-tables/client';
import { EntityChanged, EntityExists, EntityMissing } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues, PatternItem } from '../../../design/infer';
import { KeyError } from '../../../design/template';
import { ItemError } from '../../../items/item';
import type { usersByEmailTable, usersTable } from '../design';
import { inSeconds, isSame, type RetryOptions } from './retry';

type User = PatternItem<typeof usersTable, 'userById'>;
type Owner = PatternItem<typeof usersByEmailTable, 'emailOwner'>;

export type NewUser = EntityValues<typeof usersTable, 'User'>;

type Readers = Pick<Calls<typeof usersTable>, 'userById'> & Pick<Calls<typeof usersByEmailTable>, 'emailOwner'>;
type UserClient = Readers &
  Pick<Calls<typeof usersTable>, 'addUser' | 'removeUser'> &
  Pick<Calls<typeof usersByEmailTable>, 'claimEmail' | 'saveEmail' | 'releaseEmail'>;

/** Another user has this e-mail. */
export class EmailTaken extends Error {
  public override readonly name = 'EmailTaken';
}

/** After so many milliseconds, who claimed an e-mail and made no user of it is taken to be dead. */
const PATIENCE = 60_000;

/** The user of an e-mail, in two point reads. */
export async function userByEmail(client: Readers, { Email }: { readonly Email: string }): Promise<User | undefined> {
  const owner = await client.emailOwner({ Email: Email.toLowerCase() });
  return owner && client.userById({ Id: owner.UserId });
}

/**
 * Makes a user whose e-mail no other has. The e-mail is claimed first, which only one can; then the user is written, and
 * the claim confirmed. A claim whose maker died is taken over later. Both confirming and taking over need the claim as it
 * was read, so that of two only one succeeds. A write whose answer is lost may have been done, or may be done yet: what it
 * wrote is looked for before it is called failed, and the claim is given back only where the user was surely refused.
 */
export async function createUser(
  client: UserClient,
  user: NewUser,
  { now = () => new Date() }: Pick<RetryOptions, 'now'> = {},
): Promise<void> {
  const claim = await claimed(client, user, now());
  try {
    await client.addUser(user);
  } catch (error) {
    const there = isInvalid(error) ? undefined : await client.userById({ Id: user.Id });
    if (there === undefined || !isSameUser(user, there)) {
      // Where nobody knows what became of it, the claim stays until it is old enough to be looked into; and so it does
      // where the user that is there has this very e-mail.
      const isFree = isInvalid(error) || (error instanceof EntityExists && there?.Email.toLowerCase() !== claim.Email);
      if (isFree) await client.releaseEmail({ Email: claim.Email }, { etag: claim.etag }).catch(unlessGone);
      throw error;
    }
  }
  const { Email, UserId } = claim;
  try {
    await client.saveEmail({ Email, UserId }, { etag: claim.etag });
  } catch (error) {
    if (!(error instanceof EntityChanged) && !(error instanceof EntityMissing)) throw error;
    const owner = await client.emailOwner({ Email });
    // Somebody else may have confirmed it for us.
    if (owner?.UserId === UserId) return;
    await takeBack(client, user);
    throw taken(Email);
  }
}

/** Removes a user that was written although its e-mail is another's by now. */
async function takeBack(client: UserClient, user: NewUser): Promise<void> {
  const there = await client.userById({ Id: user.Id });
  if (there !== undefined && isSameUser(user, there)) await client.removeUser({ Id: user.Id });
}

interface Claim {
  readonly Email: string;
  readonly UserId: string;
  readonly etag: string;
}

/** Claims the e-mail of a user, or takes over a claim that was left behind. */
async function claimed(client: UserClient, user: NewUser, now: Date): Promise<Claim> {
  const [Email, UserId] = [user.Email.toLowerCase(), user.Id];
  const claim = { Email, UserId, ClaimedAt: inSeconds(now) };
  try {
    const { etag } = await client.claimEmail(claim);
    return { Email, UserId, etag: etag as string };
  } catch (error) {
    if (isInvalid(error)) throw error;
    const owner = await client.emailOwner({ Email });
    const etag = etagOf(owner);
    // Ours, though its answer was lost; or of an earlier try to make the same user.
    if (etag !== undefined && owner?.UserId === UserId) return { Email, UserId, etag };
    if (!(error instanceof EntityExists)) throw error;
  }
  const owner = await client.emailOwner({ Email });
  const before = etagOf(owner);
  // Released at this very moment: whoever asks again gets it.
  if (owner === undefined || before === undefined) throw taken(Email);
  if (!(await isLeftBehind(client, owner, before, now))) {
    // An earlier try to make this user may have been stopped before it took the user back.
    await takeBack(client, user);
    throw taken(Email);
  }
  try {
    const { etag } = await client.saveEmail(claim, { etag: before });
    return { Email, UserId, etag: etag as string };
  } catch (error) {
    throw error instanceof EntityChanged || error instanceof EntityMissing ? taken(Email) : error;
  }
}

async function isLeftBehind(
  client: UserClient,
  { Email, UserId, ClaimedAt }: Owner,
  etag: string,
  now: Date,
): Promise<boolean> {
  if (ClaimedAt === undefined || now.getTime() - Date.parse(ClaimedAt) < PATIENCE) return false;
  if ((await client.userById({ Id: UserId })) === undefined) return true;
  // The user is there, and only the confirmation was left out.
  await client.saveEmail({ Email, UserId }, { etag }).catch(unlessGone);
  return false;
}

/** E-mails are compared without regard to case. */
function isSameUser(one: NewUser, other: User): boolean {
  const [a, b] = [one, other].map((user) => ({ ...user, Email: user.Email.toLowerCase() })) as [object, object];
  return isSame(a, b);
}

/** Whether it was refused before it was sent. */
function isInvalid(error: unknown): boolean {
  return error instanceof ItemError || error instanceof KeyError;
}

function taken(Email: string): EmailTaken {
  return new EmailTaken(`'${Email}' is the e-mail of another user; give another, or change that user`);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof EntityChanged) && !(error instanceof EntityMissing)) throw error;
}

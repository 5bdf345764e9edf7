import type { Calls } from '../../../azure-tables/client';
import { EntityChanged, EntityMissing } from '../../../azure-tables/errors';
import { etagOf } from '../../../azure-tables/etag';
import type { EntityValues } from '../../../design/infer';
import { ItemError } from '../../../items/item';
import { inSeconds } from '../../times';
import type { usersByEmailTable, usersTable } from '../users';
import { type Claims, claimed, EmailTaken, emailTaken, everyUser, isSameEmail, type User } from './emails';
import { IdTaken, isSame, type ProcedureOptions, Refusal, untilSettled } from './retry';

export type { User };
export { EmailTaken };
export type NewUser = EntityValues<typeof usersTable, 'User'>;

interface Releases extends Pick<Calls<typeof usersByEmailTable>, 'emailOwner' | 'releaseEmail'> {}
interface Adder extends Claims, Releases, Pick<Calls<typeof usersTable>, 'addUser' | 'deleteUser'> {}
interface Changer extends Claims, Releases {}
interface Remover extends Releases, Pick<Calls<typeof usersTable>, 'userById' | 'deleteUser'> {}
type Claim = Awaited<ReturnType<Releases['emailOwner']>>;

/** The user does not exist. */
export class UserNotFound extends Refusal {
  public override readonly name = 'UserNotFound';
}

/** The user with an e-mail: two point reads, or a scan if UsersByEmail does not lead to the user. */
export async function userByEmail(
  client: Pick<Claims, 'userById' | 'emailOwner' | 'allUsers'>,
  { Email }: { readonly Email: string },
): Promise<User | undefined> {
  const claim = await client.emailOwner({ Email: Email.toLowerCase() });
  const user = claim && (await client.userById({ Id: claim.UserId }));
  if (user !== undefined && isSameEmail(user.Email, Email)) return user;
  return (await everyUser(client, Email)).find((one) => isSameEmail(one.Email, Email));
}

/** Creates a user whose e-mail no other user has. A retry with the same user continues, and creates no second one. */
export async function createUser(
  client: Adder,
  user: NewUser,
  options: Pick<ProcedureOptions, 'pause'> = {},
): Promise<void> {
  const seen = new Set<string>();
  await untilSettled(options, async () => {
    const users = await everyUser(client, user.Email);
    const mine = users.find(({ Id }) => Id === user.Id);
    if (mine !== undefined) refuseOther(user, mine);
    else if (users.some(({ Email }) => isSameEmail(Email, user.Email))) throw emailTaken(user.Email);
    const etag = await claimed(client, user.Id, user.Email, seen).catch(async (error) => {
      // Another user took over the claim before this one was confirmed.
      if (error instanceof EmailTaken && mine !== undefined)
        await client.deleteUser({ Id: user.Id }, { etag: etagOf(mine) as string });
      throw error;
    });
    if (etag === undefined) return undefined;
    const claim = { Email: user.Email.toLowerCase(), UserId: user.Id };
    if (mine === undefined)
      await client.addUser(user).catch(async (error) => {
        if (error instanceof ItemError) await client.releaseEmail(claim, { etag });
        throw error;
      });
    await client.saveEmail(claim, { etag });
    return true;
  });
}

function refuseOther(user: NewUser, there: User): void {
  const compared = (one: NewUser) => ({ ...one, Email: one.Email.toLowerCase(), UpdatedAt: undefined });
  if (isSame(compared(user), compared(there))) return;
  throw new IdTaken(`user '${user.Id}' already exists and differs; give another id, or change that user`);
}

/** Gives a user another e-mail that no other user has, and frees the previous one. A retry continues. */
export async function changeEmail(
  client: Changer,
  { Id, Email }: { readonly Id: string; readonly Email: string },
  { now = () => new Date(), ...options }: Pick<ProcedureOptions, 'now' | 'pause'> = {},
): Promise<User> {
  const seen = new Set<string>();
  let previous: Claim;
  return untilSettled(options, async () => {
    const users = await everyUser(client, Email);
    const user = users.find((one) => one.Id === Id);
    if (user === undefined) throw new UserNotFound(`user '${Id}' does not exist; read activeUsers for the ids`);
    let changed = user;
    if (user.Email !== Email) {
      if (users.some((one) => one.Id !== Id && isSameEmail(one.Email, Email))) throw emailTaken(Email);
      if (!isSameEmail(user.Email, Email)) {
        // Read before the user changes, so that a later claim of the same e-mail, which rewrites it, is not released.
        previous = await client.emailOwner({ Email: user.Email.toLowerCase() });
        if ((await claimed(client, Id, Email, seen)) === undefined) return undefined;
      }
      changed = { ...user, Email, UpdatedAt: inSeconds(now()) };
      await client.setEmail(changed, { etag: etagOf(user) as string });
    }
    await release(client, Id, previous);
    return changed;
  });
}

/** Deletes a user and frees the e-mail. Succeeds if the user is already gone. */
export async function removeUser(
  client: Remover,
  { Id }: { readonly Id: string },
  options: Pick<ProcedureOptions, 'pause'> = {},
): Promise<void> {
  let claim: Claim;
  await untilSettled(options, async () => {
    const user = await client.userById({ Id });
    if (user !== undefined) {
      claim = await client.emailOwner({ Email: user.Email.toLowerCase() });
      await client.deleteUser({ Id }, { etag: etagOf(user) as string });
    }
    await release(client, Id, claim);
    return true;
  });
}

/** Frees an e-mail that a user no longer has, unless the claim has changed since it was read. */
async function release(client: Releases, UserId: string, claim: Claim): Promise<void> {
  if (claim?.UserId !== UserId) return;
  await client.releaseEmail(claim, { etag: etagOf(claim) as string }).catch((error) => {
    if (!(error instanceof EntityChanged) && !(error instanceof EntityMissing)) throw error;
  });
}

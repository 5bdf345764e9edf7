import type { EntityValues, PatternItem } from '../../design/infer';
import type { Calls } from '../../dynamodb/client';
import { refused } from '../../items/observe';
import { type RetryOptions, untilUndisturbed } from '../disturbance';
import { emailTaken, type Guards, membershipsOf } from './procedures/addresses';
import type { usersTable } from './users';

export { EmailTaken, UserUnreadable } from './procedures/addresses';

type Users = typeof usersTable;

/** A user of a tenant, as it is stored. */
export type User = PatternItem<Users, 'getUser'>;
/** What a caller gives for a new one. */
export type NewUser = EntityValues<Users, 'User'>;

/** Which user, in which tenant. */
export type UserReference = Pick<NewUser, 'tenantId' | 'cognitoId'>;

/** The user is in the tenant already, and is not the one that was given. */
export class UserExists extends Error {
  public override readonly name = 'UserExists';
}

/** There is no such user in the tenant. */
export class UserNotFound extends Error {
  public override readonly name = 'UserNotFound';
}

/** Others were faster every time; nothing was written. */
export class UserContention extends Error {
  public override readonly name = 'UserContention';
}

const givenUp = (message: string) => new UserContention(message);

/**
 * Makes a user of a tenant. The address is nobody's yet, or is that of the same Cognito user in another tenant. Whoever asks
 * again, because no answer came, gets the user that was made.
 */
export async function addUser(
  client: Guards & Pick<Calls<Users>, 'createUser' | 'joinTenant'>,
  user: NewUser,
  options: RetryOptions = {},
): Promise<User> {
  return untilUndisturbed(options, givenUp, async () => {
    const { tenantId, cognitoId, email } = user;
    const there = await client.getUser({ tenantId, cognitoId });
    if (there !== undefined) {
      // The name, role and state may have been changed since.
      if (there.email === email && there.createdAt === user.createdAt) return there;
      const message = `'${cognitoId}' is in tenant '${tenantId}' already; change that user, or remove it first`;
      throw refused(client.createUser, new UserExists(message));
    }
    const memberships = await membershipsOf(client, user, 0);
    if (memberships === undefined) return undefined;
    if (memberships === 'others') throw refused(client.createUser, emailTaken(user));
    await (memberships === 0 ? client.createUser({ user }) : client.joinTenant({ user }));
    return user;
  });
}

interface Movers
  extends Guards,
    Pick<Calls<Users>, 'moveEmail' | 'moveEmailToOwn' | 'moveSharedEmail' | 'moveSharedEmailToOwn'>,
    Pick<Calls<Users>, 'moveOthersEmail' | 'moveOthersEmailToOwn'> {}

/**
 * Gives a user of a tenant another address; the one that it had is free, unless it is still in use in another tenant, or is
 * another user's.
 */
export async function changeEmail(
  client: Movers,
  { email: to, updatedAt, ...reference }: UserReference & Pick<NewUser, 'email' | 'updatedAt'>,
  options: RetryOptions = {},
): Promise<User> {
  return untilUndisturbed(options, givenUp, async () => {
    const user = await userOf(client, client.moveEmail, reference);
    const { email } = user;
    // It is done, or is the same address in other letters.
    if (email.toLowerCase() === to.toLowerCase()) return user;
    const memberships = await membershipsOf(client, user, 1);
    if (memberships === undefined) return undefined;
    const there = await membershipsOf(client, { ...reference, email: to }, 0);
    if (there === undefined) return undefined;
    if (there === 'others') throw refused(client.moveEmail, emailTaken({ email: to }));
    const values = { ...reference, email, to, updatedAt };
    if (memberships === 'others')
      await (there === 0 ? client.moveOthersEmail(values) : client.moveOthersEmailToOwn(values));
    else if (memberships === 1) await (there === 0 ? client.moveEmail(values) : client.moveEmailToOwn(values));
    else await (there === 0 ? client.moveSharedEmail(values) : client.moveSharedEmailToOwn(values));
    return { ...user, email: to, updatedAt };
  });
}

/**
 * Takes a user out of a tenant; the address is free with the last, and stays where it is another user's. What is given back is the user as it was. That there is none
 * any more is no failure: whoever asks again, because no answer came, is given nothing.
 */
export async function removeUser(
  client: Guards & Pick<Calls<Users>, 'leaveTenant' | 'leaveLastTenant' | 'leaveOthersEmail'>,
  { tenantId, cognitoId }: UserReference,
  options: RetryOptions = {},
): Promise<User | undefined> {
  const gone = await untilUndisturbed(options, givenUp, async () => {
    const user = await client.getUser({ tenantId, cognitoId });
    if (user === undefined) return { user };
    const memberships = await membershipsOf(client, user, 1);
    if (memberships === undefined) return undefined;
    const values = { tenantId, cognitoId, email: user.email };
    if (memberships === 'others') await client.leaveOthersEmail(values);
    else await (memberships === 1 ? client.leaveLastTenant(values) : client.leaveTenant(values));
    return { user };
  });
  return gone.user;
}

async function userOf(client: Guards, run: object, { tenantId, cognitoId }: UserReference): Promise<User> {
  const user = await client.getUser({ tenantId, cognitoId });
  if (user !== undefined) return user;
  const message = `'${cognitoId}' is not in tenant '${tenantId}'; read usersOfTenant for those who are`;
  throw refused(run, new UserNotFound(message));
}

import type { PatternItem } from '../../../design/infer';
import type { Calls } from '../../../dynamodb/client';
import { ItemError } from '../../../items/item';
import { isNamed } from '../../disturbance';
import { wholeList } from '../../lists';
import type { usersTable } from '../users';

/*
 * An address is of one Cognito user, and its guard counts the tenants in which it is. There are users from before there were
 * guards, and guards from before they counted: whoever comes across one counts what the users say, and writes the guard that
 * should be there, before anything else is decided.
 */

type Users = typeof usersTable;
type Guard = PatternItem<Users, 'emailOwner'>;
export type Address = Pick<PatternItem<Users, 'getUser'>, 'email' | 'cognitoId'>;

// An interface, since the compiler compares those by name.
export interface Guards extends Pick<Calls<Users>, 'getUser' | 'emailOwner' | 'tenantsOfUser' | 'claimEmail'> {}

/** The address is another Cognito user's. */
export class EmailTaken extends Error {
  public override readonly name = 'EmailTaken';
}

/** Items of a user are not as designed, so that nobody knows in how many tenants an address is in use. */
export class UserUnreadable extends Error {
  public override readonly name = 'UserUnreadable';
}

/**
 * In how many tenants an address is a Cognito user's, 0 where it is nobody's; undefined where its guard was not as it should
 * be, and is by now. Of users who have it, `known` were read from the table: the index may not know them yet.
 */
export async function membershipsOf(
  client: Guards,
  address: Address,
  known: 0 | 1,
): Promise<number | 'others' | undefined> {
  const guard = await guardOf(client, address);
  if (guard !== undefined && guard !== 'older') {
    return guard.cognitoId === address.cognitoId ? guard.memberships : 'others';
  }
  const uses = Math.max(known, await usesOf(client, address));
  if (uses === 0 && guard === undefined) return 0;
  // An older guard is of somebody, and if it were of this user, the user would have the address.
  if (uses === 0 || (await claim(client, address, uses)) === 'taken') return 'others';
  return undefined;
}

/** The guard of an address. One that does not count is not as designed: it is of the time before. */
export async function guardOf(
  client: Pick<Guards, 'emailOwner'>,
  { email }: Address,
): Promise<Guard | 'older' | undefined> {
  return client.emailOwner({ email }).catch((error) => {
    if (error instanceof ItemError) return 'older';
    throw error;
  });
}

/** The guard of an address under a key with capitals, of the time before addresses were compared in lower case. */
export async function olderGuardOf(
  client: Pick<Calls<Users>, 'olderEmail'>,
  { email }: Address,
): Promise<PatternItem<Users, 'olderEmail'> | undefined> {
  return email === email.toLowerCase() ? undefined : client.olderEmail({ address: email });
}

/** In how many tenants a Cognito user has an address, as the users say. */
export async function usesOf(client: Pick<Guards, 'tenantsOfUser'>, { email, cognitoId }: Address): Promise<number> {
  const users = await wholeList(
    (options) => client.tenantsOfUser({ cognitoId }, options),
    (unread) =>
      new UserUnreadable(
        `'${cognitoId}': ${unread} not as designed, and may have '${email}' in another tenant; mend them first`,
      ),
  );
  return users.filter((user) => user.email.toLowerCase() === email.toLowerCase()).length;
}

/** Gives an address that is in use its guard. Others may have been faster, or an older guard say that it is another's. */
export async function claim(
  client: Pick<Guards, 'emailOwner' | 'claimEmail'>,
  { email, cognitoId }: Address,
  memberships: number,
): Promise<'done' | 'lost' | 'taken'> {
  try {
    await client.claimEmail({ email, cognitoId, memberships });
    return 'done';
  } catch (error) {
    if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
  }
  return (await guardOf(client, { email, cognitoId })) === 'older' ? 'taken' : 'lost';
}

export function emailTaken({ email }: Pick<Address, 'email'>): EmailTaken {
  return new EmailTaken(`'${email}' is the address of another user; give another, or change that user`);
}

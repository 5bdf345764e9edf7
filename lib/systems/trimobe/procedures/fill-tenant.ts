import type { PatternItem } from '../../../design/infer';
import type { Calls } from '../../../dynamodb/client';
import { ItemError } from '../../../items/item';
import { type RetryOptions, untilUndisturbed } from '../../disturbance';
import { pagesOf } from '../../lists';
import type { ruralCreditAITable } from '../design';
import { UserContention, type UserReference } from '../procedures';
import type { usersTable } from '../users';
import { type Address, claim, type Guards, guardOf, olderGuardOf, UserUnreadable, usesOf } from './addresses';

type Conversations = typeof ruralCreditAITable;
type Conversation = PatternItem<Conversations, 'getConversation'>;

// Interfaces, since the compiler compares those by name.
interface Heads extends Pick<Calls<Conversations>, 'getConversation' | 'conversationHeader' | 'headConversation'> {}
interface OlderGuards extends Guards, Pick<Calls<typeof usersTable>, 'olderEmail' | 'retireEmail'> {}
interface Filler
  extends Heads,
    OlderGuards,
    Pick<Calls<typeof usersTable>, 'usersOfTenant'>,
    Pick<Calls<Conversations>, 'conversationsOfTenant'> {}

/** What was missing, and what somebody has to look at. */
export interface FilledTenant {
  /** Addresses that have a guard that counts now, and had none. */
  readonly guards: number;
  /** Guards that were under a key with capitals, and are under the one in lower case now. */
  readonly moved: number;
  /** Conversations whose header is as they are now, and was not. */
  readonly headers: number;
  /** Users with an address that is another's: someone has to decide whose it is, and give the other another. */
  readonly duplicates: readonly Duplicate[];
  /** Users and conversations that are not as designed, and users beside such items: they were left as they are. */
  readonly unread: number;
}

/** A user with an address that is another's. */
export interface Duplicate {
  readonly cognitoId: string;
  readonly email: string;
  /** Whose it is. @default - a guard of the time before keeps it from this user, and does not count */
  readonly owner?: string;
  /** Whether this user has a guard of the time before, in other letters: both had the address. It stays. */
  readonly hasOlderGuard: boolean;
}

type Came = 'there' | 'added';

const givenUp = (message: string) => new UserContention(message);

/**
 * Fills in what older data of a tenant does not have: the guards of addresses, and the headers of conversations. It may be
 * stopped at any point and run again, also while others work: what is as it should be stays as it is.
 */
export async function fillTenant(
  client: Filler,
  { tenantId }: Pick<UserReference, 'tenantId'>,
  options: RetryOptions = {},
): Promise<FilledTenant> {
  let [guards, moved, headers, unread] = [0, 0, 0, 0];
  const duplicates: Duplicate[] = [];
  for await (const page of pagesOf((given) => client.usersOfTenant({ tenantId }, given))) {
    unread += page.unknown ?? 0;
    for (const { cognitoId } of page.items) {
      const reference = { tenantId, cognitoId };
      const came = await untilUndisturbed(options, givenUp, () => guarded(client, reference));
      if (came === 'added') guards++;
      if (typeof came === 'object') duplicates.push(came);
      const after =
        came === 'there' || came === 'added'
          ? await untilUndisturbed(options, givenUp, () => moving(client, reference))
          : came;
      if (after === 'added') moved++;
      if (after === 'unread') unread++;
    }
  }
  for await (const page of pagesOf((given) => client.conversationsOfTenant({ tenantId }, given))) {
    unread += page.unknown ?? 0;
    for (const { id } of page.items) {
      const came = await untilUndisturbed(options, givenUp, () => headed(client, { tenantId, conversationId: id }));
      if (came === 'added') headers++;
    }
  }
  return { guards, moved, headers, duplicates, unread };
}

/** Sees to the guard of a user's address; undefined where another one was faster. */
async function guarded(
  client: OlderGuards,
  reference: UserReference,
): Promise<Came | Duplicate | 'unread' | undefined> {
  const user = await client.getUser(reference);
  if (user === undefined) return 'there';
  const guard = await guardOf(client, user);
  const isGuarded = guard !== undefined && guard !== 'older';
  if (isGuarded && guard.cognitoId === user.cognitoId) return 'there';
  const older = await olderGuardOf(client, user).catch(orUnread);
  if (older === 'unread') return older;
  if (isGuarded) return duplicateOf(user, guard.cognitoId, older);
  if (!isOf(user, older)) return duplicateOf(user, older?.cognitoId);
  const uses = await usesOf(client, user).catch(orUnread);
  if (uses === 'unread') return uses;
  const came = await claim(client, user, Math.max(1, uses));
  return came === 'done' ? 'added' : came === 'lost' ? undefined : duplicateOf(user, undefined, older);
}

/** Removes the guard under a key with capitals of a user who has the one in lower case. */
async function moving(client: OlderGuards, reference: UserReference): Promise<Came | 'unread'> {
  const user = await client.getUser(reference);
  if (user === undefined) return 'there';
  const older = await olderGuardOf(client, user).catch(orUnread);
  if (older === 'unread') return older;
  if (older === undefined || !isOf(user, older)) return 'there';
  const { email, cognitoId } = user;
  await client.retireEmail({ address: email, email, cognitoId });
  return 'added';
}

/** Whether an older guard is a user's: one that does not say whose it is has the very letters of the user's address. */
function isOf({ cognitoId }: Address, older: { readonly cognitoId?: string | undefined } | undefined): boolean {
  return older?.cognitoId === undefined || older.cognitoId === cognitoId;
}

function duplicateOf({ cognitoId, email }: Address, owner?: string, older?: object): Duplicate {
  return { cognitoId, email, ...(owner === undefined ? {} : { owner }), hasOlderGuard: older !== undefined };
}

/** Sees to the header of a conversation. */
async function headed(
  client: Heads,
  reference: { readonly tenantId: string; readonly conversationId: string },
): Promise<Came> {
  const conversation = await client.getConversation(reference);
  if (conversation === undefined) return 'there';
  const header = await client.conversationHeader(reference).catch(orNone);
  if (header !== undefined && isSame(conversation, header)) return 'there';
  await client.headConversation({ header: conversation });
  return 'added';
}

function isSame(conversation: Conversation, header: Conversation): boolean {
  return Object.entries(conversation).every(([name, value]) => header[name as keyof Conversation] === value);
}

function orUnread(error: unknown): 'unread' {
  if (error instanceof UserUnreadable || error instanceof ItemError) return 'unread';
  throw error;
}

/** A header that is not as designed is one of the time before: it is as good as none. */
function orNone(error: unknown): undefined {
  if (!(error instanceof ItemError)) throw error;
}

import type { PatternItem } from '../../../design/infer';
import type { Calls } from '../../../dynamodb/client';
import { ItemError } from '../../../items/item';
import { type RetryOptions, untilUndisturbed } from '../../disturbance';
import { pagesOf } from '../../lists';
import type { ruralCreditAITable } from '../design';
import { UserContention, type UserReference } from '../procedures';
import type { usersTable } from '../users';
import { claim, type Guards, guardOf, UserUnreadable, usesOf } from './addresses';

type Conversations = typeof ruralCreditAITable;
type Conversation = PatternItem<Conversations, 'getConversation'>;

// Interfaces, since the compiler compares those by name.
interface Heads extends Pick<Calls<Conversations>, 'getConversation' | 'conversationHeader' | 'headConversation'> {}
interface Filler
  extends Heads,
    Guards,
    Pick<Calls<typeof usersTable>, 'usersOfTenant'>,
    Pick<Calls<Conversations>, 'conversationsOfTenant'> {}

/** What was missing, and what somebody has to look at. */
export interface FilledTenant {
  /** Addresses that have a guard that counts now, and had none. */
  readonly guards: number;
  /** Conversations whose header is as they are now, and was not. */
  readonly headers: number;
  /** Users with an address that is another's: someone has to decide whose it is, and give the other another. */
  readonly duplicates: readonly { readonly cognitoId: string; readonly email: string }[];
  /** Users and conversations that are not as designed, and users beside such items: they were left as they are. */
  readonly unread: number;
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
  let [guards, headers, unread] = [0, 0, 0];
  const duplicates: { cognitoId: string; email: string }[] = [];
  for await (const page of pagesOf((given) => client.usersOfTenant({ tenantId }, given))) {
    unread += page.unknown ?? 0;
    for (const { cognitoId, email } of page.items) {
      const came = await untilUndisturbed(options, givenUp, () => guarded(client, { tenantId, cognitoId }));
      if (came === 'added') guards++;
      if (came === 'taken') duplicates.push({ cognitoId, email });
      if (came === 'unread') unread++;
    }
  }
  for await (const page of pagesOf((given) => client.conversationsOfTenant({ tenantId }, given))) {
    unread += page.unknown ?? 0;
    for (const { id } of page.items) {
      const came = await untilUndisturbed(options, givenUp, () => headed(client, { tenantId, conversationId: id }));
      if (came === 'added') headers++;
    }
  }
  return { guards, headers, duplicates, unread };
}

/** Sees to the guard of a user's address; undefined where another one was faster. */
async function guarded(client: Guards, reference: UserReference): Promise<Came | 'taken' | 'unread' | undefined> {
  const user = await client.getUser(reference);
  if (user === undefined) return 'there';
  const guard = await guardOf(client, user);
  if (guard !== undefined && guard !== 'older') return guard.cognitoId === user.cognitoId ? 'there' : 'taken';
  const uses = await usesOf(client, user).catch((error) => {
    if (error instanceof UserUnreadable) return undefined;
    throw error;
  });
  if (uses === undefined) return 'unread';
  const came = await claim(client, user, Math.max(1, uses));
  return came === 'lost' ? undefined : came === 'done' ? 'added' : came;
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

/** A header that is not as designed is one of the time before: it is as good as none. */
function orNone(error: unknown): undefined {
  if (!(error instanceof ItemError)) throw error;
}

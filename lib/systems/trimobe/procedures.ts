import type { EntityValues } from '../../design/infer';
import type { Calls } from '../../dynamodb/client';
import { RequestError } from '../../dynamodb/errors';
import { refused } from '../../items/observe';
import type { RetryOptions } from '../../items/retry';
import { untilUndisturbed } from '../disturbance';
import type { ruralCreditAITable } from './design';

type Table = typeof ruralCreditAITable;

/** A message, as a caller passes it to postMessage. */
export type Message = EntityValues<Table, 'Message'>;

/** The conversation does not exist in the tenant, and nothing was written. */
export class ConversationNotFound extends Error {
  public override readonly name = 'ConversationNotFound';
}

/** The conversation already has a message in the same millisecond, and nothing was written. */
export class MessageExists extends Error {
  public override readonly name = 'MessageExists';
}

/**
 * Stores a message, and moves its conversation's `lastMessageAt` forward. A message that arrives after a newer message
 * is also stored, but leaves the conversation unchanged. A retry after a lost response does not store the message
 * again.
 */
export async function postMessage(
  client: Pick<Calls<Table>, 'addMessage' | 'addLateMessage'>,
  given: Message,
  options: RetryOptions = {},
): Promise<Message> {
  const message = { ...given, createdAt: inOneForm(given.createdAt) };
  let isLate = false;
  return untilUndisturbed(options, async () => {
    try {
      await (isLate ? client.addLateMessage({ message }) : client.addMessage({ message }));
      return message;
    } catch (error) {
      const writes = error instanceof RequestError ? error.writes : [];
      const existing = writes.find(({ kind }) => kind === 'exists');
      if (existing?.isEqual) return message;
      const { conversationId, createdAt, tenantId } = message;
      if (existing !== undefined)
        throw refused(
          client.addMessage,
          new MessageExists(
            `conversation '${conversationId}' already has a message at ${createdAt}; post the new message with a different time`,
          ),
        );
      if (writes.some(({ kind }) => kind === 'missing'))
        throw refused(
          client.addMessage,
          new ConversationNotFound(`tenant '${tenantId}' has no conversation '${conversationId}'; create it first`),
        );
      if (writes.some(({ kind }) => kind === 'condition')) isLate = !isLate;
      throw error;
    }
  });
}

/** Normalizes a time, because times are compared as strings. Invalid times are left to the validation. */
function inOneForm(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

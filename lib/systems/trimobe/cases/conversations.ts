import { at, changedChat, ids, insuranceReminder, LATER, lateReminder, newChat, oldChatAnswer } from '../examples';
import { type Message, postMessage } from '../procedures';

const costs = { tenantId: ids.fazenda, conversationId: ids.costs };
const ofFazenda = { tenantId: ids.fazenda };
const elsewhere = { tenantId: ids.cooperativa, conversationId: ids.costs };
const unheaded = { tenantId: ids.cooperativa, conversationId: ids.oldChat };
const change = { ...changedChat, updatedAt: LATER };
const question = { ...costs, createdAt: at(21) };
const messages = ['costsQuestion', 'costsAnswer', 'costsThanks'];
const CANCELLED = 'TransactionCanceledException';
const REFUSED = 'ConditionalCheckFailedException';

/** Messages to a missing conversation, and to another tenant's conversation. */
const strayMessages = (millisecond: number) =>
  [ids.nowhere, ids.silo].map((conversationId) => ({
    why: `a message to ${conversationId === ids.silo ? "another tenant's conversation" : 'no conversation'}`,
    values: { message: { ...insuranceReminder, conversationId, createdAt: at(millisecond) } },
    error: CANCELLED,
  }));

export const conversationCases = {
  getConversation: { values: { tenantId: ids.fazenda, conversationId: ids.costs }, returns: ['costs'] },
  conversationsOfTenant: { values: { tenantId: ids.fazenda }, returns: ['costs', 'insurance', 'harvest'] },
  conversationsOfUser: { values: { userId: 'maria' }, returns: ['silo', 'costs', 'insurance'] },
  latestConversationsOfTenant: {
    values: { tenantId: ids.fazenda },
    returns: ['costs', 'harvest', 'insurance'],
  },
  conversationWithMessages: {
    values: { conversationId: ids.costs },
    returns: ['costsHeader', 'costsQuestion', 'costsAnswer', 'costsThanks'],
  },
  messagesOfConversation: {
    values: { conversationId: ids.costs },
    returns: ['costsQuestion', 'costsAnswer', 'costsThanks'],
  },
  messagesOfTenant: {
    values: { tenantId: ids.fazenda },
    returns: ['costsQuestion', 'costsAnswer', 'costsThanks', 'insuranceQuestion', 'insuranceAnswer'],
  },
  messagesOfTenantConversation: {
    values: { tenantId: ids.fazenda, conversationId: ids.costs },
    returns: ['costsQuestion', 'costsAnswer', 'costsThanks'],
  },

  createConversation: {
    values: { conversation: newChat },
    shows: [
      {
        pattern: 'getConversation',
        values: { tenantId: ids.fazenda, conversationId: ids.newChat },
        returns: ['newChat'],
      },
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.newChat },
        returns: ['newChatHeader'],
      },
      {
        pattern: 'conversationsOfUser',
        values: { userId: 'maria' },
        returns: ['newChat', 'silo', 'costs', 'insurance'],
      },
      {
        pattern: 'latestConversationsOfTenant',
        values: { tenantId: ids.fazenda },
        returns: ['newChat', 'costs', 'harvest', 'insurance'],
      },
      { pattern: 'conversationsOfTenant', values: { tenantId: ids.cooperativa }, returns: ['silo', 'oldChat'] },
    ],
    refuses: [
      {
        why: 'an id already used by another conversation of the tenant',
        values: { conversation: { ...newChat, title: 'Outra' } },
        error: CANCELLED,
      },
      {
        why: "an id already used by another tenant's conversation",
        values: { conversation: { ...newChat, id: ids.silo } },
        error: CANCELLED,
      },
      {
        why: 'an id already used by a conversation without a header',
        values: { conversation: { ...newChat, tenantId: ids.cooperativa, id: ids.oldChat } },
        error: CANCELLED,
      },
    ],
  },
  addMessage: {
    values: { message: insuranceReminder },
    shows: [
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.insurance },
        returns: ['insuranceHeader', 'insuranceQuestion', 'insuranceAnswer', 'insuranceReminder'],
      },
      {
        pattern: 'messagesOfTenantConversation',
        values: { tenantId: ids.fazenda, conversationId: ids.insurance },
        returns: ['insuranceQuestion', 'insuranceAnswer', 'insuranceReminder'],
      },
      { pattern: 'conversationsOfTenant', values: ofFazenda, returns: ['costs', 'insuranceReminded', 'harvest'] },
      // The conversation moves from the end of both lists to the start.
      {
        pattern: 'conversationsOfUser',
        values: { userId: 'maria' },
        returns: ['insuranceReminded', 'silo', 'costs'],
      },
      {
        pattern: 'latestConversationsOfTenant',
        values: ofFazenda,
        returns: ['insuranceReminded', 'costs', 'harvest'],
      },
      { pattern: 'messagesOfConversation', values: { conversationId: ids.nowhere }, returns: [] },
      { pattern: 'messagesOfConversation', values: { conversationId: ids.silo }, returns: ['siloQuestion'] },
    ],
    refuses: [
      {
        why: 'another message in the same millisecond',
        values: { message: { ...insuranceReminder, id: ids.nowhere, content: 'E contra o fogo?' } },
        error: CANCELLED,
      },
      { why: 'a message older than the last message', values: { message: lateReminder }, error: CANCELLED },
      ...strayMessages(51),
    ],
  },
  addLateMessage: {
    values: { message: lateReminder },
    shows: [
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.insurance },
        returns: ['insuranceHeader', 'insuranceQuestion', 'lateReminder', 'insuranceAnswer'],
      },
      { pattern: 'conversationsOfTenant', values: ofFazenda, returns: ['costs', 'insurance', 'harvest'] },
      { pattern: 'messagesOfConversation', values: { conversationId: ids.nowhere }, returns: [] },
    ],
    refuses: [
      {
        why: 'another message in the same millisecond',
        values: { message: { ...lateReminder, id: ids.nowhere } },
        error: CANCELLED,
      },
      { why: 'a message newer than the last message', values: { message: insuranceReminder }, error: CANCELLED },
      {
        why: 'a message in the same millisecond as the last message',
        values: { message: { ...insuranceReminder, createdAt: at(30) } },
        error: CANCELLED,
      },
      ...strayMessages(1),
    ],
  },
  updateConversation: {
    values: { ...costs, userId: 'maria', ...change },
    shows: [
      { pattern: 'getConversation', values: costs, returns: ['changed'] },
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.costs },
        returns: ['changedHeader', ...messages],
      },
      { pattern: 'latestConversationsOfTenant', values: ofFazenda, returns: ['changed', 'harvest', 'insurance'] },
      // The update adds a header to a conversation that has none.
      { pattern: 'updateConversation', values: { ...unheaded, userId: 'joao', ...change }, returns: [] },
      { pattern: 'conversationWithMessages', values: { conversationId: ids.oldChat }, returns: ['oldChatHeader'] },
      { pattern: 'getConversation', values: unheaded, returns: ['changedOldChat'] },
    ],
    refuses: [
      {
        why: "another tenant's conversation",
        values: { ...elsewhere, userId: 'maria', ...change },
        error: CANCELLED,
      },
      { why: "another user's conversation", values: { ...costs, userId: 'mariana', ...change }, error: CANCELLED },
    ],
  },
  deleteConversation: {
    values: costs,
    shows: [
      { pattern: 'getConversation', values: costs, returns: [] },
      { pattern: 'conversationWithMessages', values: { conversationId: ids.costs }, returns: messages },
      { pattern: 'conversationsOfUser', values: { userId: 'maria' }, returns: ['silo', 'insurance'] },
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.silo },
        returns: ['siloHeader', 'siloQuestion'],
      },
    ],
    refuses: [
      {
        why: "another tenant's conversation",
        values: { tenantId: ids.fazenda, conversationId: ids.silo },
        error: CANCELLED,
      },
    ],
  },
  deleteMessage: {
    values: question,
    shows: [
      {
        pattern: 'messagesOfConversation',
        values: { conversationId: ids.costs },
        returns: ['costsAnswer', 'costsThanks'],
      },
    ],
    refuses: [{ why: "another tenant's message", values: { ...elsewhere, createdAt: at(22) }, error: REFUSED }],
  },
} as const;

const quick = { pause: async () => undefined };

export const procedureCases = {
  postMessage: {
    // Posts the same message twice, as after a lost response; also posts a late message, and a message to a
    // conversation without a header.
    run: async (client: Parameters<typeof postMessage>[0], values: Message) => {
      await postMessage(client, values, quick);
      if (values !== insuranceReminder) return undefined;
      await postMessage(client, lateReminder, quick);
      await postMessage(client, oldChatAnswer, quick);
      return postMessage(client, values, quick);
    },
    values: insuranceReminder,
    gives: insuranceReminder,
    shows: [
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.insurance },
        returns: ['insuranceHeader', 'insuranceQuestion', 'lateReminder', 'insuranceAnswer', 'insuranceReminder'],
      },
      { pattern: 'conversationsOfTenant', values: ofFazenda, returns: ['costs', 'insuranceReminded', 'harvest'] },
      { pattern: 'conversationWithMessages', values: { conversationId: ids.oldChat }, returns: ['oldChatAnswer'] },
      { pattern: 'getConversation', values: unheaded, returns: ['oldChatAnswered'] },
    ],
    refuses: [
      {
        why: 'another message in the same millisecond',
        values: { ...insuranceReminder, id: ids.nowhere },
        error: 'MessageExists',
      },
      ...strayMessages(52).map(({ why, values }) => ({ why, values: values.message, error: 'ConversationNotFound' })),
    ],
  },
};

import { at, ids, insuranceReminder, LATER, newChat, olderChatHeader, staleChatHeader } from '../examples';

const costs = { tenantId: ids.fazenda, conversationId: ids.costs };
const ofFazenda = { tenantId: ids.fazenda };
const elsewhere = { tenantId: ids.cooperativa, conversationId: ids.costs };
const unheaded = { tenantId: ids.cooperativa, conversationId: ids.oldChat };
const titles = { title: 'Custeio 2026', summary: 'Taxas', updatedAt: LATER };
const question = { ...costs, createdAt: at(21) };
const messages = ['costsQuestion', 'costsAnswer', 'costsThanks'];
const CANCELLED = 'TransactionCanceledException';
const REFUSED = 'ConditionalCheckFailedException';

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
  conversationHeader: { values: { conversationId: ids.costs }, returns: ['costsHeader'] },
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
        why: 'an id that is used in the same tenant',
        values: { conversation: { ...newChat, title: 'Outra' } },
        error: 'TransactionCanceledException',
      },
      {
        why: 'an id that is used in another tenant',
        values: { conversation: { ...newChat, id: ids.silo } },
        error: 'TransactionCanceledException',
      },
      {
        why: 'an id that is used without a header',
        values: { conversation: { ...newChat, tenantId: ids.cooperativa, id: ids.oldChat } },
        error: 'TransactionCanceledException',
      },
    ],
  },
  postMessage: {
    values: { message: insuranceReminder },
    shows: [
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.insurance },
        returns: ['insuranceRemindedHeader', 'insuranceQuestion', 'insuranceAnswer', 'insuranceReminder'],
      },
      {
        pattern: 'messagesOfTenantConversation',
        values: { tenantId: ids.fazenda, conversationId: ids.insurance },
        returns: ['insuranceQuestion', 'insuranceAnswer', 'insuranceReminder'],
      },
      {
        pattern: 'conversationsOfTenant',
        values: { tenantId: ids.fazenda },
        returns: ['costs', 'insuranceReminded', 'harvest'],
      },
      // From the end of both lists to their heads.
      {
        pattern: 'conversationsOfUser',
        values: { userId: 'maria' },
        returns: ['insuranceReminded', 'silo', 'costs'],
      },
      {
        pattern: 'latestConversationsOfTenant',
        values: { tenantId: ids.fazenda },
        returns: ['insuranceReminded', 'costs', 'harvest'],
      },
      { pattern: 'messagesOfConversation', values: { conversationId: ids.nowhere }, returns: [] },
      { pattern: 'messagesOfConversation', values: { conversationId: ids.silo }, returns: ['siloQuestion'] },
    ],
    refuses: [
      {
        why: 'a message to a conversation that has no header yet',
        values: {
          message: {
            ...insuranceReminder,
            tenantId: ids.cooperativa,
            conversationId: ids.oldChat,
            createdAt: at(51),
          },
        },
        error: 'TransactionCanceledException',
      },
      {
        why: 'another message in the same millisecond',
        values: { message: { ...insuranceReminder, id: ids.nowhere, content: 'E contra o fogo?' } },
        error: 'TransactionCanceledException',
      },
      {
        why: 'a message to no conversation',
        values: { message: { ...insuranceReminder, conversationId: ids.nowhere, createdAt: at(51) } },
        error: 'TransactionCanceledException',
      },
      {
        why: 'a message to a conversation of another tenant',
        values: { message: { ...insuranceReminder, conversationId: ids.silo, createdAt: at(51) } },
        error: 'TransactionCanceledException',
      },
    ],
  },
  headConversation: {
    values: { header: staleChatHeader },
    shows: [
      { pattern: 'conversationWithMessages', values: { conversationId: ids.staleChat }, returns: ['staleChatHeader'] },
      {
        pattern: 'getConversation',
        values: { tenantId: ids.usina, conversationId: ids.staleChat },
        returns: ['staleChat'],
      },
      { pattern: 'conversationHeader', values: { conversationId: ids.olderChat }, returns: [] },
      { pattern: 'conversationHeader', values: { conversationId: ids.costs }, returns: ['costsHeader'] },
    ],
    // Of a conversation that never was, of another tenant, and that says anything else than the conversation.
    refuses: [
      { id: ids.nowhere },
      { tenantId: ids.fazenda },
      { userId: 'maria' },
      { title: 'Outra' },
      { summary: 'Outra' },
      { status: 'ARCHIVED' },
      { lastMessageAt: at(1) },
      { createdAt: at(1) },
      { updatedAt: at(1) },
    ].map((change) => ({
      why: `another ${Object.keys(change).join()} than that of the conversation`,
      values: { header: { ...olderChatHeader, ...change } },
      error: CANCELLED,
    })),
  },
  updateConversation: {
    values: { ...costs, ...titles },
    shows: [
      { pattern: 'getConversation', values: costs, returns: ['renamed'] },
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.costs },
        returns: ['renamedHeader', ...messages],
      },
      { pattern: 'latestConversationsOfTenant', values: ofFazenda, returns: ['renamed', 'harvest', 'insurance'] },
    ],
    refuses: [
      { why: 'a conversation of another tenant', values: { ...elsewhere, ...titles }, error: CANCELLED },
      { why: 'a conversation without a header', values: { ...unheaded, ...titles }, error: CANCELLED },
    ],
  },
  setConversationStatus: {
    values: { ...costs, status: 'ARCHIVED', updatedAt: LATER },
    shows: [
      { pattern: 'getConversation', values: costs, returns: ['archived'] },
      {
        pattern: 'conversationWithMessages',
        values: { conversationId: ids.costs },
        returns: ['archivedHeader', ...messages],
      },
    ],
    refuses: [
      {
        why: 'a conversation of another tenant',
        values: { ...elsewhere, status: 'ACTIVE', updatedAt: LATER },
        error: CANCELLED,
      },
      {
        why: 'a conversation without a header',
        values: { ...unheaded, status: 'ACTIVE', updatedAt: LATER },
        error: CANCELLED,
      },
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
        why: 'a conversation of another tenant',
        values: { tenantId: ids.fazenda, conversationId: ids.silo },
        error: CANCELLED,
      },
    ],
  },
  editMessage: {
    values: { ...question, content: 'Quanto?', attachments: ['00000000-0000-4000-8000-000000000007'] },
    shows: [
      {
        pattern: 'messagesOfConversation',
        values: { conversationId: ids.costs },
        returns: ['costsQuestionEdited', 'costsAnswer', 'costsThanks'],
      },
    ],
    refuses: [
      { why: 'a message of another tenant', values: { ...question, ...elsewhere, content: 'x' }, error: REFUSED },
      { why: 'a message that never was', values: { ...question, createdAt: at(1), content: 'x' }, error: REFUSED },
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
    refuses: [{ why: 'a message of another tenant', values: { ...elsewhere, createdAt: at(22) }, error: REFUSED }],
  },
} as const;

import type { PatternDesign } from '../../design/pattern';

const ofTenant = { PK: 'TENANT#<tenantId>' } as const;
const ofConversation = { PK: 'CONVERSATION#<conversationId>' } as const;
const conversation = { ...ofTenant, SK: 'CONVERSATION#<conversationId>' } as const;
const conversationOfMessage = { PK: 'TENANT#<message.tenantId>', SK: 'CONVERSATION#<message.conversationId>' } as const;
const message = { ...ofConversation, SK: 'MESSAGE#<createdAt>' } as const;

/** Fluxo de Conversas */
export const conversationPatterns = {
  getConversation: { op: 'get', where: conversation, returns: ['Conversation'] },
  // The partition also contains the tenant's files and documents.
  conversationsOfTenant: {
    op: 'query',
    where: { ...ofTenant, SK: { beginsWith: 'CONVERSATION#' } },
    returns: ['Conversation'],
  },
  conversationsOfUser: {
    op: 'query',
    purpose: 'Listar conversas de um usuário',
    index: 'GSI1',
    where: { GSI1PK: 'USER#<userId>', GSI1SK: { beginsWith: 'CONVERSATION#' } },
    returns: ['Conversation'],
    order: 'descending',
  },
  latestConversationsOfTenant: {
    op: 'query',
    purpose: 'Listagens cronológicas por tipo de entidade dentro de um tenant',
    index: 'GSI2',
    where: { GSI2PK: 'TENANT#<tenantId>#CONVERSATION' },
    returns: ['Conversation'],
    order: 'descending',
  },
  // The header comes first, because `HEADER` sorts before `MESSAGE#`.
  conversationWithMessages: {
    op: 'query',
    purpose: 'Obter detalhes da conversa + mensagens: Query único na tabela principal',
    where: ofConversation,
    returns: ['ConversationHeader', 'Message'],
  },
  messagesOfConversation: {
    op: 'query',
    where: { ...ofConversation, SK: { beginsWith: 'MESSAGE#' } },
    returns: ['Message'],
  },
  messagesOfTenant: {
    op: 'query',
    index: 'GSI1',
    where: { GSI1PK: 'TENANT#<tenantId>', GSI1SK: { beginsWith: 'CONVERSATION#' } },
    returns: ['Message'],
  },
  messagesOfTenantConversation: {
    op: 'query',
    index: 'GSI1',
    where: { GSI1PK: 'TENANT#<tenantId>', GSI1SK: { beginsWith: 'CONVERSATION#<conversationId>#' } },
    returns: ['Message'],
  },

  createConversation: {
    op: 'transaction',
    steps: {
      conversation: { op: 'put', entity: 'Conversation' },
      header: {
        op: 'put',
        entity: 'ConversationHeader',
        item: {
          id: '<conversation.id>',
          tenantId: '<conversation.tenantId>',
          userId: '<conversation.userId>',
          title: '<conversation.title>',
          summary: '<conversation.summary>',
          status: '<conversation.status>',
        },
      },
    },
  },
  updateConversation: {
    op: 'transaction',
    purpose: 'Título gerado ou personalizado, resumo e estado; also creates a missing header',
    steps: {
      conversation: {
        op: 'update',
        entity: 'Conversation',
        where: conversation,
        set: { title: '<title>', summary: '<summary>', status: '<status>', updatedAt: '<updatedAt>' },
        condition: { userId: '<userId>' },
      },
      header: {
        op: 'put',
        entity: 'ConversationHeader',
        item: {
          id: '<conversationId>',
          tenantId: '<tenantId>',
          userId: '<userId>',
          title: '<title>',
          summary: '<summary>',
          status: '<status>',
        },
        replace: true,
      },
    },
  },
  // Messages, files and documents remain, because there may be more than the 100 items of a transaction.
  deleteConversation: {
    op: 'transaction',
    steps: {
      conversation: {
        op: 'delete',
        entity: 'Conversation',
        where: conversation,
        condition: { tenantId: '<tenantId>' },
      },
      header: { op: 'delete', entity: 'ConversationHeader', where: { ...ofConversation, SK: 'HEADER' } },
    },
  },

  addMessage: {
    op: 'transaction',
    purpose: 'Adds the latest message, which moves its conversation to the top of the lists; called by postMessage',
    steps: {
      message: { op: 'put', entity: 'Message' },
      conversation: {
        op: 'update',
        entity: 'Conversation',
        where: conversationOfMessage,
        set: { lastMessageAt: '<message.createdAt>', updatedAt: '<message.createdAt>' },
        condition: { lastMessageAt: { atMost: '<message.createdAt>' } },
      },
    },
  },
  addLateMessage: {
    op: 'transaction',
    purpose: 'Adds a late message, which does not change its conversation; called by postMessage',
    steps: {
      message: { op: 'put', entity: 'Message' },
      conversation: {
        op: 'require',
        entity: 'Conversation',
        where: conversationOfMessage,
        condition: { lastMessageAt: { greaterThan: '<message.createdAt>' } },
      },
    },
  },
  // A message has no updatedAt, because it never changes.
  deleteMessage: { op: 'delete', entity: 'Message', where: message, condition: { tenantId: '<tenantId>' } },
} as const satisfies Readonly<Record<string, PatternDesign>>;

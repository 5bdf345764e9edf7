import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { artifactPatterns } from './artifacts';
import { audit, cognitoId, conversation, json, timestamp, uuid } from './attributes';
import { tenantsTable, usersTable } from './users';

// 1. and 2.
export { tenantsTable, usersTable };

// 3. Tabela `RuralCreditAI` (Nova), which the document also calls `AgroCredit`
export const ruralCreditAITable = defineTable({
  name: 'RuralCreditAI',
  purpose: 'Tabela única para todos os dados específicos da aplicação',
  key: { partition: 'PK', sort: 'SK' },
  // The text has GSI1 list a user's files and documents; the keys below put those on GSI2, and they win.
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Índice para consultas por usuário' },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Índice para consultas por tipo e timestamp' },
  },

  entities: {
    // 3.1. Conversas: <timestamp> is `lastMessageAt`, since a chat list is read by latest activity
    Conversation: {
      attributes: conversation,
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'CONVERSATION#<id>',
        GSI1PK: 'USER#<userId>',
        GSI1SK: 'CONVERSATION#<lastMessageAt>',
        GSI2PK: 'TENANT#<tenantId>#CONVERSATION',
        GSI2SK: '<lastMessageAt>',
      },
    },
    // A conversation is not in the partition of its messages: this row is, so that one Query reads both. Whatever changes
    // the one changes the other, in one transaction.
    ConversationHeader: {
      attributes: conversation,
      keys: { PK: 'CONVERSATION#<id>', SK: 'HEADER' },
    },

    // 3.2. Mensagens: of two in the same millisecond the second is refused, never written over the first
    Message: {
      attributes: z.object({
        id: uuid,
        tenantId: uuid,
        conversationId: uuid,
        role: z.enum(['USER', 'ASSISTANT']),
        content: z.string(),
        attachments: z.array(uuid),
        createdAt: timestamp,
      }),
      keys: {
        PK: 'CONVERSATION#<conversationId>',
        SK: 'MESSAGE#<createdAt>',
        GSI1PK: 'TENANT#<tenantId>',
        GSI1SK: 'CONVERSATION#<conversationId>#<createdAt>',
      },
    },

    // 3.3. Arquivos
    File: {
      attributes: z.object({
        id: uuid,
        tenantId: uuid,
        conversationId: uuid.optional(),
        messageId: uuid.optional(),
        userId: cognitoId,
        name: z.string(),
        type: z.string().min(1),
        size: z.int().min(0),
        s3Key: z.string().min(1),
        status: z.enum(['PROCESSING', 'READY', 'ERROR']),
        // Not marked "opcional", but there is no result while the file is PROCESSING.
        analysis: json.optional(),
        ...audit,
      }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'FILE#<id>',
        GSI1PK: 'CONVERSATION#<conversationId>',
        GSI1SK: 'FILE#<createdAt>',
        GSI2PK: 'USER#<userId>',
        GSI2SK: 'FILE#<createdAt>',
      },
    },

    // 3.4. Documentos Gerados
    Document: {
      attributes: z.object({
        id: uuid,
        tenantId: uuid,
        conversationId: uuid,
        messageId: uuid,
        userId: cognitoId,
        type: z.enum(['CONTRACT', 'SIMULATION', 'REPORT']),
        title: z.string(),
        description: z.string(),
        s3Key: z.string().min(1),
        metadata: json,
        ...audit,
      }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'DOCUMENT#<id>',
        GSI1PK: 'CONVERSATION#<conversationId>',
        GSI1SK: 'DOCUMENT#<createdAt>',
        GSI2PK: 'USER#<userId>',
        GSI2SK: 'DOCUMENT#<createdAt>',
      },
    },
  },

  patterns: {
    // Fluxo de Conversas
    getConversation: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'CONVERSATION#<conversationId>' },
      returns: ['Conversation'],
    },
    // The partition also holds the tenant's files and documents.
    conversationsOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'CONVERSATION#' } },
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
    // `HEADER` sorts before `MESSAGE#`.
    conversationWithMessages: {
      op: 'query',
      purpose: 'Obter detalhes da conversa + mensagens: Query único na tabela principal',
      where: { PK: 'CONVERSATION#<conversationId>' },
      returns: ['ConversationHeader', 'Message'],
    },
    conversationHeader: {
      op: 'get',
      purpose: 'The header alone, to see whether it is as the conversation is',
      where: { PK: 'CONVERSATION#<conversationId>', SK: 'HEADER' },
      returns: ['ConversationHeader'],
      consistent: true,
    },
    messagesOfConversation: {
      op: 'query',
      purpose: 'Recuperar todas as mensagens de uma conversa',
      where: { PK: 'CONVERSATION#<conversationId>', SK: { beginsWith: 'MESSAGE#' } },
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

    ...artifactPatterns,

    createConversation: {
      op: 'transaction',
      purpose: 'The conversation, and the row that heads its messages',
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
            lastMessageAt: '<conversation.lastMessageAt>',
            createdAt: '<conversation.createdAt>',
            updatedAt: '<conversation.updatedAt>',
          },
        },
      },
    },
    // All that the header says is held against the conversation, so that it can be written over whatever header there is.
    headConversation: {
      op: 'transaction',
      purpose:
        'The header of a conversation from before there were headers, or before they had all, as the conversation is now',
      steps: {
        header: { op: 'put', entity: 'ConversationHeader', replace: true },
        conversation: {
          op: 'require',
          entity: 'Conversation',
          where: { PK: 'TENANT#<header.tenantId>', SK: 'CONVERSATION#<header.id>' },
          condition: {
            userId: '<header.userId>',
            title: '<header.title>',
            summary: '<header.summary>',
            status: '<header.status>',
            lastMessageAt: '<header.lastMessageAt>',
            createdAt: '<header.createdAt>',
            updatedAt: '<header.updatedAt>',
          },
        },
      },
    },
    updateConversation: {
      op: 'transaction',
      purpose: 'Título gerado ou personalizado, and the summary',
      steps: {
        conversation: {
          op: 'update',
          entity: 'Conversation',
          where: { PK: 'TENANT#<tenantId>', SK: 'CONVERSATION#<conversationId>' },
          set: { title: '<title?>', summary: '<summary?>', updatedAt: '<updatedAt>' },
        },
        header: {
          op: 'update',
          entity: 'ConversationHeader',
          where: { PK: 'CONVERSATION#<conversationId>', SK: 'HEADER' },
          set: { title: '<title?>', summary: '<summary?>', updatedAt: '<updatedAt>' },
        },
      },
    },
    setConversationStatus: {
      op: 'transaction',
      purpose: 'ACTIVE, or ARCHIVED',
      steps: {
        conversation: {
          op: 'update',
          entity: 'Conversation',
          where: { PK: 'TENANT#<tenantId>', SK: 'CONVERSATION#<conversationId>' },
          set: { status: '<status>', updatedAt: '<updatedAt>' },
        },
        header: {
          op: 'update',
          entity: 'ConversationHeader',
          where: { PK: 'CONVERSATION#<conversationId>', SK: 'HEADER' },
          set: { status: '<status>', updatedAt: '<updatedAt>' },
        },
      },
    },
    // Its messages, files and documents stay: one transaction holds a hundred items, and a conversation may have more.
    deleteConversation: {
      op: 'transaction',
      purpose: 'The conversation and its header; what hangs on it is deleted first, with patterns of its own',
      steps: {
        conversation: {
          op: 'delete',
          entity: 'Conversation',
          where: { PK: 'TENANT#<tenantId>', SK: 'CONVERSATION#<conversationId>' },
        },
        header: {
          op: 'delete',
          entity: 'ConversationHeader',
          where: { PK: 'CONVERSATION#<conversationId>', SK: 'HEADER' },
          condition: { tenantId: '<tenantId>' },
        },
      },
    },
    postMessage: {
      op: 'transaction',
      purpose: 'The message, and its conversation at the head of the chat lists',
      steps: {
        message: { op: 'put', entity: 'Message' },
        conversation: {
          op: 'update',
          entity: 'Conversation',
          where: { PK: 'TENANT#<message.tenantId>', SK: 'CONVERSATION#<message.conversationId>' },
          set: { lastMessageAt: '<message.createdAt>', updatedAt: '<message.createdAt>' },
        },
        header: {
          op: 'update',
          entity: 'ConversationHeader',
          where: { PK: 'CONVERSATION#<message.conversationId>', SK: 'HEADER' },
          set: { lastMessageAt: '<message.createdAt>', updatedAt: '<message.createdAt>' },
        },
      },
    },
    editMessage: {
      op: 'update',
      purpose: 'What was said, or what is attached to it',
      entity: 'Message',
      where: { PK: 'CONVERSATION#<conversationId>', SK: 'MESSAGE#<createdAt>' },
      set: { content: '<content?>', attachments: '<attachments?>' },
      condition: { tenantId: '<tenantId>' },
    },
    deleteMessage: {
      op: 'delete',
      entity: 'Message',
      where: { PK: 'CONVERSATION#<conversationId>', SK: 'MESSAGE#<createdAt>' },
      condition: { tenantId: '<tenantId>' },
    },
  },

  acknowledge: {
    'key-collision': {
      'entities.Message.keys.SK':
        'the key stays as the document has it; puts never overwrite, so that the second message is refused and sent again',
    },
    'tenant-unscoped': {
      'entities.ConversationHeader.keys.PK': 'under the UUID of a conversation that was read under its tenant',
      'entities.Message.keys.PK': 'under the UUID of a conversation that was read under its tenant',
      'patterns.updateConversation.steps.header': 'written only with the conversation itself, under its tenant',
      'patterns.setConversationStatus.steps.header': 'written only with the conversation itself, under its tenant',
      'patterns.deleteConversation.steps.header': 'its tenant is a condition',
      'patterns.postMessage.steps.header': 'written only with the conversation itself, under its tenant',
      'patterns.editMessage': 'its tenant is a condition',
      'patterns.deleteMessage': 'its tenant is a condition',
      'patterns.conversationWithMessages':
        'the header that comes first carries tenantId, to be compared before the rest is used',
      'patterns.conversationHeader': 'called with the UUID of a conversation that was read under its tenant',
      'patterns.messagesOfConversation': 'called with the UUID of a conversation that was read under its tenant',
      'patterns.filesOfConversation': 'called with the UUID of a conversation that was read under its tenant',
      'patterns.documentsOfConversation': 'called with the UUID of a conversation that was read under its tenant',
      'patterns.conversationArtifacts': 'called with the UUID of a conversation that was read under its tenant',
      'patterns.conversationsOfUser': 'called with the userId of the verified token; every item carries tenantId',
      'patterns.filesOfUser': 'called with the userId of the verified token; every item carries tenantId',
      'patterns.documentsOfUser': 'called with the userId of the verified token; every item carries tenantId',
    },
  },
});

export const trimobe = defineSystem({
  name: 'trimobe',
  purpose: 'Rural credit AI: tenants and users as they exist, conversations, files and documents in one new table',
  cloud: 'aws',
  tenant: 'tenantId',
  tables: { Tenants: tenantsTable, Users: usersTable, RuralCreditAI: ruralCreditAITable },
  procedures: {
    addUser: {
      purpose: 'A user of a tenant, with an address that no other Cognito user has',
      uses: ['getUser', 'emailOwner', 'tenantsOfUser', 'claimEmail', 'createUser', 'joinTenant'],
    },
    changeEmail: {
      purpose: 'Another address for a user of a tenant, with its guard',
      uses: [
        'getUser',
        'emailOwner',
        'tenantsOfUser',
        'claimEmail',
        'moveEmail',
        'moveEmailToOwn',
        'moveSharedEmail',
        'moveSharedEmailToOwn',
        'moveOthersEmail',
        'moveOthersEmailToOwn',
      ],
    },
    removeUser: {
      purpose: 'A user out of a tenant; the address is free with the last',
      uses: [
        'getUser',
        'emailOwner',
        'tenantsOfUser',
        'claimEmail',
        'leaveTenant',
        'leaveLastTenant',
        'leaveOthersEmail',
      ],
    },
    fillTenant: {
      purpose: 'The guards and headers that older data of a tenant does not have, or not as they are now',
      uses: [
        'usersOfTenant',
        'getUser',
        'emailOwner',
        'olderEmail',
        'tenantsOfUser',
        'claimEmail',
        'retireEmail',
        'conversationsOfTenant',
        'getConversation',
        'conversationHeader',
        'headConversation',
      ],
    },
  },
});

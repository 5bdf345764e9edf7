import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';

/** ISO timestamps in UTC with milliseconds, so that they sort as text. */
const timestamp = z.iso.datetime({ precision: 3 });
const uuid = z.uuid();
const cognitoId = z.string().min(1);
const json = z.record(z.string(), z.json());

/** Timestamps para auditoria. */
const audit = { createdAt: timestamp, updatedAt: timestamp };

// 1. Tabela `Tenants` (Existente)
export const tenantsTable = defineTable({
  name: 'Tenants',
  purpose: 'Responsável pelo armazenamento de informações organizacionais e configurações multi-tenant',
  key: { partition: 'PK', sort: 'SK' },

  entities: {
    Tenant: {
      attributes: z.object({
        id: uuid,
        name: z.string(),
        status: z.enum(['ACTIVE', 'SUSPENDED']),
        settings: json,
        ...audit,
      }),
      // The document's <tenantId> is the tenant's own `id`.
      keys: { PK: 'TENANT#<id>', SK: 'METADATA#1' },
    },
  },

  patterns: {
    getTenant: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
      returns: ['Tenant'],
    },
  },
});

// 2. Tabela `Users` (Existente)
export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Gerencia usuários e autenticação no contexto multi-tenant',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Fluxo de Autenticação' },
  },

  entities: {
    User: {
      attributes: z.object({
        tenantId: uuid,
        cognitoId,
        email: z.email(),
        name: z.string(),
        role: z.enum(['ADMIN', 'USER']),
        status: z.string().min(1),
        ...audit,
      }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'USER#<cognitoId>',
        GSI1PK: 'USER#<cognitoId>',
        GSI1SK: 'TENANT#<tenantId>',
      },
    },
    // `email` is unique, and only a primary key can be: this row takes the address.
    UserEmail: {
      attributes: z.object({ email: z.email(), tenantId: uuid, cognitoId }),
      keys: { PK: 'EMAIL#<email>', SK: 'EMAIL#<email>' },
    },
  },

  patterns: {
    getUser: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'USER#<cognitoId>' },
      returns: ['User'],
    },
    usersOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'USER#' } },
      returns: ['User'],
    },
    tenantsOfUser: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'USER#<cognitoId>', GSI1SK: { beginsWith: 'TENANT#' } },
      returns: ['User'],
    },
    createUser: {
      op: 'transaction',
      purpose: 'One user an e-mail, also under a race',
      steps: {
        user: { op: 'put', entity: 'User' },
        email: {
          op: 'put',
          entity: 'UserEmail',
          item: { email: '<user.email>', tenantId: '<user.tenantId>', cognitoId: '<user.cognitoId>' },
        },
      },
    },
  },

  acknowledge: {
    'tenant-unscoped': {
      'entities.UserEmail.keys.PK': 'an e-mail is unique over all tenants, which is what the guard is for',
      'patterns.tenantsOfUser':
        'asked once at sign-in, with the cognitoId of the verified token, before a tenant is chosen',
    },
  },
});

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
      attributes: z.object({
        id: uuid,
        tenantId: uuid,
        userId: cognitoId,
        title: z.string(),
        summary: z.string(),
        status: z.enum(['ACTIVE', 'ARCHIVED']),
        lastMessageAt: timestamp,
        ...audit,
      }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'CONVERSATION#<id>',
        GSI1PK: 'USER#<userId>',
        GSI1SK: 'CONVERSATION#<lastMessageAt>',
        GSI2PK: 'TENANT#<tenantId>#CONVERSATION',
        GSI2SK: '<lastMessageAt>',
      },
    },
    // A conversation is not in the partition of its messages: this row is, so that one Query reads both.
    ConversationHeader: {
      attributes: z.object({ id: uuid, tenantId: uuid, userId: cognitoId, title: z.string(), createdAt: timestamp }),
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

    // Fluxo de Documentos/Arquivos
    getFile: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
      returns: ['File'],
    },
    filesOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'FILE#' } },
      returns: ['File'],
    },
    filesOfConversation: {
      op: 'query',
      purpose: 'Recuperar arquivos de uma conversa',
      index: 'GSI1',
      where: { GSI1PK: 'CONVERSATION#<conversationId>', GSI1SK: { beginsWith: 'FILE#' } },
      returns: ['File'],
    },
    filesOfUser: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'USER#<userId>', GSI2SK: { beginsWith: 'FILE#' } },
      returns: ['File'],
    },
    getDocument: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'DOCUMENT#<documentId>' },
      returns: ['Document'],
    },
    documentsOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'DOCUMENT#' } },
      returns: ['Document'],
    },
    documentsOfConversation: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'CONVERSATION#<conversationId>', GSI1SK: { beginsWith: 'DOCUMENT#' } },
      returns: ['Document'],
    },
    documentsOfUser: {
      op: 'query',
      purpose: 'Listar todos os documentos de um usuário',
      index: 'GSI2',
      where: { GSI2PK: 'USER#<userId>', GSI2SK: { beginsWith: 'DOCUMENT#' } },
      returns: ['Document'],
    },
    conversationArtifacts: {
      op: 'query',
      purpose: 'Everything a conversation was given and made',
      index: 'GSI1',
      where: { GSI1PK: 'CONVERSATION#<conversationId>' },
      returns: ['File', 'Document'],
    },

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
            createdAt: '<conversation.createdAt>',
          },
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
      },
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
      'patterns.conversationWithMessages':
        'the header that comes first carries tenantId, to be compared before the rest is used',
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
});

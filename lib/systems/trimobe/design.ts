import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { timestamp } from '../times';
import { artifactPatterns } from './artifacts';
import { audit, cognitoId, details, json, uuid } from './attributes';
import { conversationPatterns } from './conversations';
import { tenantsTable, usersTable } from './users';

export { tenantsTable, usersTable };

// 3. Tabela `RuralCreditAI` (Nova), which the document also calls `AgroCredit`
export const ruralCreditAITable = defineTable({
  name: 'RuralCreditAI',
  purpose: 'Tabela única para todos os dados específicos da aplicação',
  key: { partition: 'PK', sort: 'SK' },
  // The document's text puts a user's files and documents in GSI1, but its keys put them in GSI2, as here.
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Índice para consultas por usuário' },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Índice para consultas por tipo e timestamp' },
  },

  entities: {
    // 3.1. Conversas: <timestamp> is `lastMessageAt`, since chat lists show the latest activity first
    Conversation: {
      attributes: z.object({ ...details, lastMessageAt: timestamp, ...audit }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'CONVERSATION#<id>',
        GSI1PK: 'USER#<userId>',
        GSI1SK: 'CONVERSATION#<lastMessageAt>',
        GSI2PK: 'TENANT#<tenantId>#CONVERSATION',
        GSI2SK: '<lastMessageAt>',
      },
    },
    // The document asks for "Obter detalhes da conversa + mensagens: Query único", but a conversation is not in the
    // partition of its messages. The header is in that partition. It repeats the conversation's details but not the
    // times, so that a new message does not change the header.
    ConversationHeader: { attributes: z.object(details), keys: { PK: 'CONVERSATION#<id>', SK: 'HEADER' } },

    // 3.2. Mensagens: a second message in the same millisecond is refused instead of overwriting the first
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
        // The document does not mark the analysis as "opcional", but a file has no analysis while it is PROCESSING.
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

  patterns: { ...conversationPatterns, ...artifactPatterns },

  acknowledge: {
    'key-collision': {
      'entities.Message.keys.SK':
        'the key is as in the document; puts never overwrite, so a second message is refused and the caller sends it again',
    },
    'imprecise-time': {
      entities: 'other programs may store times of any precision; times from Date.toISOString() sort correctly',
    },
    'tenant-unscoped': {
      'entities.ConversationHeader.keys.PK': 'callers learn the UUID only by reading their own tenant',
      'entities.Message.keys.PK': 'callers learn the UUID only by reading their own tenant',
      'entities.Conversation.keys.GSI1PK': 'callers use the userId of the verified token, and every item has tenantId',
      'entities.File.keys.GSI1PK': 'callers learn the UUID only by reading their own tenant',
      'entities.File.keys.GSI2PK': 'callers use the userId of the verified token, and every item has tenantId',
    },
  },
});

export const trimobe = defineSystem({
  name: 'trimobe',
  purpose:
    'Rural credit AI: the existing tables of tenants and users, and one new table for conversations, files and documents',
  cloud: 'aws',
  tenant: 'tenantId',
  tables: { Tenants: tenantsTable, Users: usersTable, RuralCreditAI: ruralCreditAITable },
  procedures: {
    postMessage: {
      purpose: "Adds a message, even if it is late; its conversation's lastMessageAt only moves forward",
      uses: ['addMessage', 'addLateMessage'],
    },
  },
});

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
  // The document's text lists a user's files and documents on GSI1, but its keys put them on GSI2; the keys win.
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Índice para consultas por usuário' },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Índice para consultas por tipo e timestamp' },
  },

  entities: {
    // 3.1. Conversas: <timestamp> is `lastMessageAt`, since a chat list is read by latest activity
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
    // "Obter detalhes da conversa + mensagens: Query único", but a conversation is not in the partition of its messages. This item
    // is; it has the details but no times, so that a message does not change it.
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
        // Not marked "opcional", but a file has no result while it is PROCESSING.
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
        'the key stays as the document has it; puts never overwrite, so that the second message is refused and sent again',
    },
    'imprecise-time': {
      entities:
        'items of other programs may have times of any precision; all that Date.toISOString() writes sort alike',
    },
    'tenant-unscoped': {
      'entities.ConversationHeader.keys.PK': 'under the UUID of a conversation that was read under its tenant',
      'entities.Message.keys.PK': 'under the UUID of a conversation that was read under its tenant',
      'entities.Conversation.keys.GSI1PK': 'called with the userId of the verified token; every item carries tenantId',
      'entities.File.keys.GSI1PK': 'called with the UUID of a conversation that was read under its tenant',
      'entities.File.keys.GSI2PK': 'called with the userId of the verified token; every item carries tenantId',
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
    postMessage: {
      purpose: 'A message, late or not; lastMessageAt of its conversation only moves forward',
      uses: ['addMessage', 'addLateMessage'],
    },
  },
});

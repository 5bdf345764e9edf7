import { defineCases } from '../../proof/cases';
import { trimobe } from './design';
import {
  at,
  ids,
  insuranceReminder,
  newChat,
  pedro,
  ruralCreditAI,
  ruralCreditAIWritten,
  tenants,
  user,
  users,
  usersWritten,
} from './examples';
import { stored } from './stored';

export const trimobeCases = defineCases(trimobe, {
  tables: {
    Tenants: {
      items: tenants,
      documented: {},
      written: {},
      stored: stored.Tenants,
      patterns: { getTenant: { values: { tenantId: ids.fazenda }, returns: ['fazenda'] } },
    },

    Users: {
      items: users,
      documented: {},
      written: usersWritten,
      stored: stored.Users,
      patterns: {
        getUser: { values: { tenantId: ids.fazenda, cognitoId: 'maria' }, returns: ['maria'] },
        usersOfTenant: { values: { tenantId: ids.fazenda }, returns: ['joao', 'maria', 'mariana'] },
        tenantsOfUser: { values: { cognitoId: 'maria' }, returns: ['maria', 'mariaAtCooperativa'] },
        createUser: {
          values: { user: pedro },
          shows: [
            { pattern: 'getUser', values: { tenantId: ids.fazenda, cognitoId: 'pedro' }, returns: ['pedro'] },
            {
              pattern: 'usersOfTenant',
              values: { tenantId: ids.fazenda },
              returns: ['joao', 'maria', 'mariana', 'pedro'],
            },
            { pattern: 'usersOfTenant', values: { tenantId: ids.cooperativa }, returns: ['mariaAtCooperativa'] },
            { pattern: 'tenantsOfUser', values: { cognitoId: 'pedro' }, returns: ['pedro'] },
            { pattern: 'tenantsOfUser', values: { cognitoId: 'maria' }, returns: ['maria', 'mariaAtCooperativa'] },
          ],
          refuses: [
            {
              why: 'an e-mail that is used in the same tenant',
              values: { user: user(ids.fazenda, 'pedrina', 'Pedrina', 'maria@fazenda.example', 6) },
              error: 'TransactionCanceledException',
            },
            {
              why: 'an e-mail that is used in another tenant',
              values: { user: user(ids.cooperativa, 'joao', 'João', 'joao@fazenda.example', 6) },
              error: 'TransactionCanceledException',
            },
            {
              why: 'the e-mail of the new user, for the same person in another tenant',
              values: { user: user(ids.cooperativa, 'pedro', 'Pedro', 'pedro@fazenda.example', 6) },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a user who is there, under another e-mail',
              values: { user: user(ids.fazenda, 'maria', 'Maria', 'nova@fazenda.example', 6) },
              error: 'TransactionCanceledException',
            },
          ],
        },
      },
    },

    RuralCreditAI: {
      items: ruralCreditAI,
      documented: {},
      written: ruralCreditAIWritten,
      stored: stored.RuralCreditAI,
      patterns: {
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

        getFile: { values: { tenantId: ids.fazenda, fileId: ids.soilReport }, returns: ['soilReport'] },
        filesOfTenant: {
          values: { tenantId: ids.fazenda },
          returns: ['fieldMap', 'invoice', 'soilReport', 'portrait', 'policy'],
        },
        filesOfConversation: {
          values: { conversationId: ids.costs },
          returns: ['soilReport', 'fieldMap', 'invoice'],
        },
        filesOfUser: {
          values: { userId: 'maria' },
          returns: ['policy', 'portrait', 'fieldMap', 'invoice', 'siloPlan'],
        },
        getDocument: { values: { tenantId: ids.fazenda, documentId: ids.contract }, returns: ['contract'] },
        documentsOfTenant: {
          values: { tenantId: ids.fazenda },
          returns: ['simulation', 'report', 'contract', 'quotation'],
        },
        documentsOfConversation: {
          values: { conversationId: ids.costs },
          returns: ['contract', 'simulation', 'report'],
        },
        documentsOfUser: {
          values: { userId: 'maria' },
          returns: ['quotation', 'simulation', 'report', 'siloContract'],
        },
        conversationArtifacts: {
          values: { conversationId: ids.costs },
          returns: ['contract', 'simulation', 'report', 'soilReport', 'fieldMap', 'invoice'],
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
              returns: ['insuranceHeader', 'insuranceQuestion', 'insuranceAnswer', 'insuranceReminder'],
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
      },
    },
  },
  procedures: {},
});

import { at, ids, LATER, newDocument, newFile, otherDocument } from '../examples';

const fieldMap = { tenantId: ids.fazenda, fileId: '00000000-0000-4000-8000-000000000031' };
const portrait = { tenantId: ids.fazenda, fileId: '00000000-0000-4000-8000-000000000034' };
const nowhere = { tenantId: ids.fazenda, fileId: ids.nowhere, updatedAt: LATER };
const contract = { tenantId: ids.fazenda, documentId: ids.contract };
const ofCosts = { conversationId: ids.costs };
const REFUSED = 'ConditionalCheckFailedException';
export const artifactCases = {
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

  createFile: {
    values: newFile,
    shows: [
      { pattern: 'getFile', values: { tenantId: ids.cooperativa, fileId: newFile.id }, returns: ['newFile'] },
      { pattern: 'filesOfConversation', values: { conversationId: ids.silo }, returns: ['siloPlan', 'newFile'] },
      {
        pattern: 'filesOfUser',
        values: { userId: 'maria' },
        returns: ['policy', 'portrait', 'fieldMap', 'invoice', 'siloPlan', 'newFile'],
      },
    ],
    refuses: [
      { why: 'an id that is taken', values: { ...newFile, name: 'outra.pdf' }, error: REFUSED },
      { why: 'an unknown state', values: { ...newFile, id: ids.nowhere, status: 'DONE' }, error: 'ItemError' },
    ],
  },
  updateFile: {
    values: { ...fieldMap, name: 'talhao.png', status: 'READY', analysis: { hectares: 12 }, updatedAt: LATER },
    shows: [
      { pattern: 'getFile', values: fieldMap, returns: ['fieldMapReady'] },
      { pattern: 'filesOfConversation', values: ofCosts, returns: ['soilReport', 'fieldMapReady', 'invoice'] },
    ],
    refuses: [{ why: 'a file that does not exist', values: { ...nowhere, name: 'x' }, error: REFUSED }],
  },
  attachFile: {
    values: {
      ...portrait,
      ...ofCosts,
      messageId: '00000000-0000-4000-8000-000000000023',
      createdAt: at(40),
      updatedAt: LATER,
    },
    shows: [
      { pattern: 'getFile', values: portrait, returns: ['portraitAttached'] },
      {
        pattern: 'filesOfConversation',
        values: ofCosts,
        returns: ['portraitAttached', 'soilReport', 'fieldMap', 'invoice'],
      },
    ],
    refuses: [
      {
        why: "a date other than the file's creation time",
        values: { ...portrait, ...ofCosts, createdAt: at(46), updatedAt: LATER },
        error: REFUSED,
      },
    ],
  },
  deleteFile: {
    values: fieldMap,
    shows: [
      { pattern: 'getFile', values: fieldMap, returns: [] },
      { pattern: 'filesOfConversation', values: ofCosts, returns: ['soilReport', 'invoice'] },
    ],
  },

  createDocument: {
    values: newDocument,
    shows: [
      {
        pattern: 'getDocument',
        values: { tenantId: ids.cooperativa, documentId: newDocument.id },
        returns: ['newDocument'],
      },
      {
        pattern: 'documentsOfUser',
        values: { userId: 'maria' },
        returns: ['quotation', 'simulation', 'report', 'siloContract', 'newDocument'],
      },
    ],
    refuses: [{ why: 'an id that is taken', values: { ...newDocument, title: 'Outro' }, error: REFUSED }],
  },
  updateDocument: {
    values: { ...contract, ...otherDocument, updatedAt: LATER },
    shows: [{ pattern: 'getDocument', values: contract, returns: ['contractChanged'] }],
    refuses: [
      {
        why: 'a document that does not exist',
        values: { ...contract, documentId: ids.nowhere, ...otherDocument, updatedAt: LATER },
        error: REFUSED,
      },
    ],
  },
  deleteDocument: {
    values: contract,
    shows: [{ pattern: 'documentsOfConversation', values: ofCosts, returns: ['simulation', 'report'] }],
  },
} as const;

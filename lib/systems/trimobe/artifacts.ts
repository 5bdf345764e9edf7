import type { PatternDesign } from '../../design/pattern';

/** Fluxo de Documentos/Arquivos: what a conversation was given, and what it made. */
export const artifactPatterns = {
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

  createFile: { op: 'put', purpose: 'A file that is being processed', entity: 'File' },
  renameFile: {
    op: 'update',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { name: '<name>', updatedAt: '<updatedAt>' },
  },
  markFileReady: {
    op: 'update',
    purpose: 'READY, with the result of the analysis',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { status: 'READY', analysis: '<analysis>', updatedAt: '<updatedAt>' },
    condition: { status: 'PROCESSING' },
  },
  markFileFailed: {
    op: 'update',
    purpose: 'ERROR: there is no result',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { status: 'ERROR', updatedAt: '<updatedAt>' },
    condition: { status: 'PROCESSING' },
  },
  processFileAgain: {
    op: 'update',
    purpose: 'PROCESSING, without the result that there was',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { status: 'PROCESSING', updatedAt: '<updatedAt>' },
    remove: ['analysis'],
    condition: { status: { not: 'PROCESSING' } },
  },
  attachFile: {
    op: 'update',
    purpose: 'A file that becomes part of a conversation, and is found there by its date',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { conversationId: '<conversationId>', messageId: '<messageId?>', updatedAt: '<updatedAt>' },
    condition: { createdAt: '<createdAt>' },
  },
  detachFile: {
    op: 'update',
    purpose: 'A file that leaves its conversation, and stays with its user',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { updatedAt: '<updatedAt>' },
    remove: ['conversationId', 'messageId'],
  },
  deleteFile: {
    op: 'delete',
    purpose: 'The row; the object in S3 is deleted by whoever calls this',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
  },

  createDocument: { op: 'put', purpose: 'What a conversation has made', entity: 'Document' },
  updateDocument: {
    op: 'update',
    purpose: 'Another title, description or content',
    entity: 'Document',
    where: { PK: 'TENANT#<tenantId>', SK: 'DOCUMENT#<documentId>' },
    set: {
      title: '<title?>',
      description: '<description?>',
      s3Key: '<s3Key?>',
      metadata: '<metadata?>',
      updatedAt: '<updatedAt>',
    },
  },
  deleteDocument: {
    op: 'delete',
    purpose: 'The row; the object in S3 is deleted by whoever calls this',
    entity: 'Document',
    where: { PK: 'TENANT#<tenantId>', SK: 'DOCUMENT#<documentId>' },
  },
} as const satisfies Readonly<Record<string, PatternDesign>>;

import type { PatternDesign } from '../../design/pattern';

/** Fluxo de Documentos/Arquivos: the files that users upload to a conversation, and the documents that it generates. */
export const artifactPatterns = {
  getFile: { op: 'get', where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' }, returns: ['File'] },
  filesOfTenant: { op: 'query', where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'FILE#' } }, returns: ['File'] },
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
  getDocument: { op: 'get', where: { PK: 'TENANT#<tenantId>', SK: 'DOCUMENT#<documentId>' }, returns: ['Document'] },
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
    index: 'GSI1',
    where: { GSI1PK: 'CONVERSATION#<conversationId>' },
    returns: ['File', 'Document'],
  },

  createFile: { op: 'put', entity: 'File' },
  updateFile: {
    op: 'update',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { name: '<name?>', status: '<status?>', analysis: '<analysis?>', updatedAt: '<updatedAt>' },
  },
  attachFile: {
    op: 'update',
    purpose: 'Puts a file into a conversation, by the date of the file',
    entity: 'File',
    where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' },
    set: { conversationId: '<conversationId>', messageId: '<messageId?>', updatedAt: '<updatedAt>' },
    condition: { createdAt: '<createdAt>' },
  },
  // The caller deletes the object in S3.
  deleteFile: { op: 'delete', entity: 'File', where: { PK: 'TENANT#<tenantId>', SK: 'FILE#<fileId>' } },

  createDocument: { op: 'put', entity: 'Document' },
  updateDocument: {
    op: 'update',
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
    entity: 'Document',
    where: { PK: 'TENANT#<tenantId>', SK: 'DOCUMENT#<documentId>' },
  },
} as const satisfies Readonly<Record<string, PatternDesign>>;

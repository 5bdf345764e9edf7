import type { PatternDesign } from '../../design/pattern';

const ofTenant = { PK: 'TENANT#<tenantId>' } as const;
const file = { ...ofTenant, SK: 'FILE#<fileId>' } as const;
const document = { ...ofTenant, SK: 'DOCUMENT#<documentId>' } as const;

/** Fluxo de Documentos/Arquivos: the files that users upload to a conversation, and the documents generated in it. */
export const artifactPatterns = {
  getFile: { op: 'get', where: file, returns: ['File'] },
  filesOfTenant: { op: 'query', where: { ...ofTenant, SK: { beginsWith: 'FILE#' } }, returns: ['File'] },
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
  getDocument: { op: 'get', where: document, returns: ['Document'] },
  documentsOfTenant: { op: 'query', where: { ...ofTenant, SK: { beginsWith: 'DOCUMENT#' } }, returns: ['Document'] },
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
    where: file,
    set: { name: '<name?>', status: '<status?>', analysis: '<analysis?>', updatedAt: '<updatedAt>' },
  },
  attachFile: {
    op: 'update',
    purpose: "Assigns a file to a conversation; createdAt must be the file's creation time",
    entity: 'File',
    where: file,
    set: { conversationId: '<conversationId>', messageId: '<messageId?>', updatedAt: '<updatedAt>' },
    condition: { createdAt: '<createdAt>' },
  },
  // This does not delete the S3 object, so the caller must delete it.
  deleteFile: { op: 'delete', entity: 'File', where: file },

  createDocument: { op: 'put', entity: 'Document' },
  updateDocument: {
    op: 'update',
    entity: 'Document',
    where: document,
    set: {
      title: '<title?>',
      description: '<description?>',
      s3Key: '<s3Key?>',
      metadata: '<metadata?>',
      updatedAt: '<updatedAt>',
    },
  },
  deleteDocument: { op: 'delete', entity: 'Document', where: document },
} as const satisfies Readonly<Record<string, PatternDesign>>;

import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { documentType, key, numberLog, pendingLog, positive, separator, timestamp, uuid, year } from './attributes';
import { usersByEmailTable, usersTable } from './users';

// 1. Users and their lookup table are in users.ts

// 2. DocumentTypes
const types = { PartitionKey: 'DOCTYPE' } as const;
const type = { ...types, RowKey: '<Id>' } as const;

const changeOfType = {
  op: 'update',
  entity: 'DocumentType',
  where: type,
  set: {
    Name: '<Name?>',
    Prefix: '<Prefix?>',
    IsActive: '<IsActive?>',
    SortOrder: '<SortOrder?>',
    UpdatedAt: '<UpdatedAt>',
  },
  unchanged: true,
} as const;

const rewriteFirst = {
  op: 'update',
  entity: 'DocumentType',
  where: { ...types, RowKey: '<FirstId>' },
  set: { IsActive: '<FirstIsActive>' },
  unchanged: true,
} as const;

export const documentTypesTable = defineTable({
  name: 'DocumentTypes',
  purpose: 'Tipos de documentos que podem ser numerados',
  key,
  separator,
  entities: { DocumentType: { attributes: documentType, keys: type, keyOnly: ['Id'] } },
  patterns: {
    documentTypeById: { op: 'get', where: type, returns: ['DocumentType'] },
    // Azure Tables returns the types in id order; the procedure documentTypes sorts them by SortOrder.
    activeDocumentTypes: { op: 'query', where: types, filter: { IsActive: true }, returns: ['DocumentType'] },
    allDocumentTypes: { op: 'query', where: types, returns: ['DocumentType'] },
    // An empty table has no first type to rewrite, so the procedure adds the new type as inactive, then activates it.
    addDocumentType: { op: 'put', entity: 'DocumentType', procedureOnly: true },
    // Each batch also rewrites the partition's first type, unchanged, so that concurrent batches conflict. Two types
    // can therefore never become active under the same name.
    addActiveType: {
      op: 'transaction',
      steps: { type: { op: 'put', entity: 'DocumentType' }, first: rewriteFirst },
      procedureOnly: true,
    },
    renameType: { op: 'transaction', steps: { type: changeOfType, first: rewriteFirst }, procedureOnly: true },
    saveDocumentType: { ...changeOfType, purpose: 'Changes the first type in the partition', procedureOnly: true },
    deleteDocumentType: {
      op: 'delete',
      purpose: 'Deletes a type that is unchanged since it was read; if the type has numbers, deactivate it instead',
      entity: 'DocumentType',
      where: type,
      unchanged: true,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.DocumentType.keys.PartitionKey': 'the document estimates about ten types' },
  },
});

// 3. Sequences: "Partição crítica para concorrência"
export const sequencesTable = defineTable({
  name: 'Sequences',
  purpose: 'Controle de sequência numérica por tipo e ano',
  key,
  separator,
  entities: {
    Sequence: {
      attributes: z.object({
        DocumentTypeId: uuid,
        Year: year,
        LastNumber: positive,
        UpdatedAt: timestamp,
        // No transaction spans both tables, so the sequence keeps the log entry until the log table has it.
        PendingLog: pendingLog.optional(),
      }),
      keys: { PartitionKey: 'SEQ_<DocumentTypeId>', RowKey: '<Year:4>' },
      keyOnly: ['DocumentTypeId', 'Year'],
    },
  },
  patterns: {
    getSequence: {
      op: 'get',
      purpose: 'GET entidade com PartitionKey="SEQ_{type_id}", RowKey="{year}"',
      where: { PartitionKey: 'SEQ_<DocumentTypeId>', RowKey: '<Year:4>' },
      returns: ['Sequence'],
    },
    openSequence: {
      op: 'put',
      purpose: 'SE não existe: CREATE com LastNumber=1',
      entity: 'Sequence',
      procedureOnly: true,
    },
    saveSequence: {
      op: 'put',
      purpose: 'UPDATE com If-Match: ETag',
      entity: 'Sequence',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
  },
});

// 4. NumberLogs
const month = { PartitionKey: 'LOG_<year:4>_<month:2>' } as const;
const log = { PartitionKey: 'LOG_<GeneratedAt:year>_<GeneratedAt:month>', RowKey: '<GeneratedAt>_<Id>' } as const;

export const numberLogsTable = defineTable({
  name: 'NumberLogs',
  purpose: 'Registro histórico de todos os números gerados. Partição temporal',
  key,
  separator,
  entities: { NumberLog: { attributes: numberLog, keys: log, keyOnly: ['Id'] } },
  patterns: {
    logsOfMonth: { op: 'query', where: month, returns: ['NumberLog'] },
    logsByType: { op: 'query', where: month, filter: { DocumentTypeId: '<DocumentTypeId>' }, returns: ['NumberLog'] },
    logsByUser: { op: 'query', where: month, filter: { UserId: '<UserId>' }, returns: ['NumberLog'] },
    getLog: { op: 'get', where: log, returns: ['NumberLog'] },
    writeLog: { op: 'put', entity: 'NumberLog', procedureOnly: true },
  },
  acknowledge: {
    'imprecise-time': {
      'entities.NumberLog.keys.RowKey':
        'new rows have milliseconds, older rows microseconds or whole seconds; latestLogs sorts rows of the same second by time',
    },
  },
});

const changingEmails = ['allUsers', 'userById', 'setEmail', 'emailOwner', 'claimEmail', 'saveEmail'] as const;
const changingTypes = ['allDocumentTypes', 'renameType', 'saveDocumentType'] as const;
const addingTypes = [...changingTypes, 'addDocumentType', 'addActiveType', 'deleteDocumentType'] as const;

export const controlePgm = defineSystem({
  name: 'controle-pgm',
  purpose: 'Controle de Numeração de Documentos',
  cloud: 'azure',
  tables: {
    Users: usersTable,
    DocumentTypes: documentTypesTable,
    Sequences: sequencesTable,
    NumberLogs: numberLogsTable,
    UsersByEmail: usersByEmailTable,
  },
  procedures: {
    userByEmail: {
      purpose: 'Por Email: through UsersByEmail, or with a scan if UsersByEmail has no row',
      uses: ['emailOwner', 'userById', 'allUsers'],
    },
    createUser: {
      purpose: 'Creates a user unless another user has the e-mail',
      uses: [...changingEmails, 'addUser', 'deleteUser', 'releaseEmail'],
    },
    changeEmail: {
      purpose: "Changes a user's e-mail, unless another user has the new one",
      uses: changingEmails,
    },
    documentTypes: { purpose: 'Lists the selectable types, sorted by SortOrder', uses: ['activeDocumentTypes'] },
    createDocumentType: { purpose: 'Creates a type unless another active type has the name', uses: addingTypes },
    changeDocumentType: {
      purpose: "Changes a type's name, prefix, order or state, unless another active type has the same name",
      uses: changingTypes,
    },
    seedDocumentTypes: {
      purpose: 'Adds Comunicação Interna, Ofício and Despacho if they are missing',
      uses: addingTypes,
    },
    nextNumber: {
      purpose: 'Takes the next number of a document type and year, and logs it; never repeats or skips a number',
      uses: ['userById', 'documentTypeById', 'getSequence', 'openSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    repairSequence: {
      purpose: "Writes a sequence's pending log",
      uses: ['getSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    logsOfPeriod: { purpose: 'Por período', uses: ['logsOfMonth', 'logsByType', 'logsByUser'] },
    latestLogs: { purpose: 'Últimos N registros, newest first, going back month by month', uses: ['logsOfMonth'] },
  },
});

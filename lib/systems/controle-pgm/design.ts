import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { documentType, key, numberLog, pendingLog, positive, separator, timestamp, uuid, year } from './attributes';
import { usersByEmailTable, usersTable } from './users';

// 1. Users, with their look-up table, are in users.ts

// 2. DocumentTypes
export const documentTypesTable = defineTable({
  name: 'DocumentTypes',
  purpose: 'Tipos de documentos que podem ser numerados',
  key,
  separator,
  entities: {
    DocumentType: { attributes: documentType, keys: { PartitionKey: 'DOCTYPE', RowKey: '<Id>' }, keyOnly: ['Id'] },
  },
  patterns: {
    documentTypeById: {
      op: 'get',
      where: { PartitionKey: 'DOCTYPE', RowKey: '<Id>' },
      returns: ['DocumentType'],
    },
    // In the order of their ids: Azure Tables know no other. The procedure documentTypes sorts them.
    activeDocumentTypes: {
      op: 'query',
      purpose: 'The types that appear for selection',
      where: { PartitionKey: 'DOCTYPE' },
      filter: { IsActive: true },
      returns: ['DocumentType'],
    },
    allDocumentTypes: {
      op: 'query',
      purpose: 'Active or not, and those that are about to be',
      where: { PartitionKey: 'DOCTYPE' },
      returns: ['DocumentType'],
    },
    // Not active, so that its name is in nobody's way until createDocumentType has looked for it.
    addDocumentType: {
      op: 'put',
      purpose: 'A type that is not active; see createDocumentType',
      entity: 'DocumentType',
      item: {
        Id: '<Id>',
        Name: '<Name>',
        Prefix: '<Prefix?>',
        IsActive: false,
        SortOrder: '<SortOrder>',
        CreatedAt: '<CreatedAt>',
        UpdatedAt: '<UpdatedAt>',
        PendingName: '<PendingName?>',
      },
    },
    arrangeDocumentType: {
      op: 'update',
      purpose: 'Another prefix or place in the list, unless somebody else has changed the type since it was read',
      entity: 'DocumentType',
      where: { PartitionKey: 'DOCTYPE', RowKey: '<Id>' },
      set: { Prefix: '<Prefix?>', SortOrder: '<SortOrder?>', UpdatedAt: '<UpdatedAt>' },
      unchanged: true,
    },
    settleDocumentType: {
      op: 'put',
      purpose: 'All of a type, with a name that the procedure is sure of; a merge cannot take PendingName away',
      entity: 'DocumentType',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
    deleteDocumentType: {
      op: 'delete',
      purpose: 'A type as it was read; one that has given numbers is better set inactive',
      entity: 'DocumentType',
      where: { PartitionKey: 'DOCTYPE', RowKey: '<Id>' },
      unchanged: true,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.DocumentType.keys.PartitionKey': 'some ten types, as the document estimates' },
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
        // The number and its log are in two tables, which no transaction spans: the log waits here until it is written.
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
export const numberLogsTable = defineTable({
  name: 'NumberLogs',
  purpose: 'Registro histórico de todos os números gerados. Partição temporal',
  key,
  separator,
  entities: {
    NumberLog: {
      attributes: numberLog,
      keys: {
        PartitionKey: 'LOG_<GeneratedAt:year>_<GeneratedAt:month>',
        RowKey: '<GeneratedAt>_<Id>',
      },
      keyOnly: ['Id'],
    },
  },
  patterns: {
    logsOfMonth: {
      op: 'query',
      purpose: 'A month, oldest first; logsOfPeriod and latestLogs are made of it',
      where: { PartitionKey: 'LOG_<year:4>_<month:2>' },
      returns: ['NumberLog'],
    },
    logsByType: {
      op: 'query',
      purpose: 'Por tipo, within a month',
      where: { PartitionKey: 'LOG_<year:4>_<month:2>' },
      filter: { DocumentTypeId: '<DocumentTypeId>' },
      returns: ['NumberLog'],
    },
    logsByUser: {
      op: 'query',
      purpose: 'Por usuário, within a month',
      where: { PartitionKey: 'LOG_<year:4>_<month:2>' },
      filter: { UserId: '<UserId>' },
      returns: ['NumberLog'],
    },
    getLog: {
      op: 'get',
      purpose: 'The log of one number, to see whether it was written',
      where: { PartitionKey: 'LOG_<GeneratedAt:year>_<GeneratedAt:month>', RowKey: '<GeneratedAt>_<Id>' },
      returns: ['NumberLog'],
    },
    // Every field by name: a log that is read may be an old one without FormattedNumber, one that is written may not.
    writeLog: {
      op: 'put',
      purpose: 'The log of a number; that it is written already is no failure',
      entity: 'NumberLog',
      item: {
        Id: '<Id>',
        DocumentTypeId: '<DocumentTypeId>',
        DocumentTypeName: '<DocumentTypeName>',
        Number: '<Number>',
        Year: '<Year>',
        FormattedNumber: '<FormattedNumber>',
        UserId: '<UserId>',
        UserName: '<UserName>',
        UserEmail: '<UserEmail>',
        GeneratedAt: '<GeneratedAt>',
        GeneratedAtLocal: '<GeneratedAtLocal>',
      },
      procedureOnly: true,
    },
    // "Histórico é imutável": this alone is added, to logs of the time before it.
    formatLog: {
      op: 'update',
      purpose: 'The number as text, where a log has none yet',
      entity: 'NumberLog',
      where: { PartitionKey: 'LOG_<GeneratedAt:year>_<GeneratedAt:month>', RowKey: '<GeneratedAt>_<Id>' },
      set: { FormattedNumber: '<FormattedNumber>' },
      procedureOnly: true,
    },
  },
  acknowledge: {
    'imprecise-time': {
      'entities.NumberLog.keys.RowKey':
        'what is written has milliseconds; older rows have six digits or none, and within such a second latestLogs sorts by time',
    },
    'unacceptable-item': {
      'patterns.formatLog': 'the schema holds Year to GeneratedAt, and this changes neither',
    },
  },
});

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
    userByEmail: { purpose: 'Por Email, through UsersByEmail', uses: ['emailOwner', 'userById'] },
    createUser: {
      purpose: 'A user with an e-mail that no other has',
      uses: [
        'userById',
        'addUser',
        'settleUser',
        'deleteUser',
        'emailOwner',
        'claimEmail',
        'saveEmail',
        'releaseEmail',
      ],
    },
    updateUser: {
      purpose: 'Another name, role, state or password; the e-mail has changeEmail',
      uses: ['userById', 'settleUser'],
    },
    changeEmail: {
      purpose: 'Another e-mail, which no other has; the one before is free',
      uses: ['userById', 'settleUser', 'deleteUser', 'emailOwner', 'claimEmail', 'saveEmail', 'releaseEmail'],
    },
    removeUser: {
      purpose: 'The end of a user, whose e-mail is free',
      uses: ['userById', 'deleteUser', 'emailOwner', 'releaseEmail'],
    },
    documentTypes: { purpose: 'The types that appear for selection, by SortOrder', uses: ['activeDocumentTypes'] },
    createDocumentType: {
      purpose: 'A type with a name that no other active one has',
      uses: ['documentTypeById', 'allDocumentTypes', 'addDocumentType', 'settleDocumentType', 'deleteDocumentType'],
    },
    changeDocumentType: {
      purpose: 'Another name, prefix, place or state; under a name that no other active one has',
      uses: ['documentTypeById', 'allDocumentTypes', 'settleDocumentType', 'deleteDocumentType'],
    },
    removeDocumentType: {
      purpose: 'The end of a type that was never used',
      uses: ['documentTypeById', 'deleteDocumentType'],
    },
    seedDocumentTypes: {
      purpose: 'Comunicação Interna, Ofício and Despacho, where they are not there yet',
      uses: ['documentTypeById', 'allDocumentTypes', 'addDocumentType', 'settleDocumentType', 'deleteDocumentType'],
    },
    fillIn: {
      purpose: 'The guards of e-mails and the FormattedNumber of logs, for data of the time before',
      uses: [
        'allUsers',
        'userById',
        'emailOwner',
        'claimEmail',
        'saveEmail',
        'settleUser',
        'deleteUser',
        'logsOfMonth',
        'formatLog',
      ],
    },
    nextNumber: {
      purpose: 'The next number of a type and year, with its log: none twice, none skipped',
      uses: ['userById', 'documentTypeById', 'getSequence', 'openSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    settleSequence: {
      purpose: 'The log that a sequence still carries, in its place',
      uses: ['getSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    logsOfPeriod: { purpose: 'Por período', uses: ['logsOfMonth', 'logsByType', 'logsByUser'] },
    latestLogs: { purpose: 'Últimos N registros, newest first, from month to month', uses: ['logsOfMonth'] },
  },
});

import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { documentType, numberLog, pendingLog, positive, timestamp, user, uuid, year } from './attributes';

const key = { partition: 'PartitionKey', sort: 'RowKey' } as const;
const separator = '_';

// 1. Users
export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Armazena servidores públicos com acesso ao sistema',
  key,
  separator,
  entities: {
    User: { attributes: user, keys: { PartitionKey: 'USER', RowKey: '<Id>' }, keyOnly: ['Id'] },
  },
  patterns: {
    userById: {
      op: 'get',
      purpose: 'Por ID',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
      returns: ['User'],
    },
    activeUsers: {
      op: 'query',
      purpose: 'Listar ativos',
      where: { PartitionKey: 'USER' },
      filter: { IsActive: true },
      returns: ['User'],
    },
    addUser: { op: 'put', purpose: 'A user whose e-mail has been claimed; see createUser', entity: 'User' },
    saveUser: {
      op: 'put',
      purpose: 'A user as it is now, unless somebody else has changed it since it was read',
      entity: 'User',
      replace: true,
      unchanged: true,
    },
    removeUser: {
      op: 'delete',
      purpose: 'Takes back a user whose e-mail went to another',
      entity: 'User',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.User.keys.PartitionKey': 'some fifty users, as the document estimates' },
  },
});

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
    addDocumentType: { op: 'put', entity: 'DocumentType' },
    saveDocumentType: {
      op: 'put',
      purpose: 'A type as it is now, unless somebody else has changed it since it was read',
      entity: 'DocumentType',
      replace: true,
      unchanged: true,
    },
    removeDocumentType: {
      op: 'delete',
      purpose: 'Takes back a type whose name went to another',
      entity: 'DocumentType',
      where: { PartitionKey: 'DOCTYPE', RowKey: '<Id>' },
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
    openSequence: { op: 'put', purpose: 'SE não existe: CREATE com LastNumber=1', entity: 'Sequence' },
    saveSequence: {
      op: 'put',
      purpose: 'UPDATE com If-Match: ETag',
      entity: 'Sequence',
      replace: true,
      unchanged: true,
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
    },
  },
});

// "Tabela de lookup UsersByEmail". An e-mail may hold '_', so that another character has to be the separator.
export const usersByEmailTable = defineTable({
  name: 'UsersByEmail',
  purpose: 'Who has an e-mail: it is unique because it is a key here',
  key,
  separator: '|',
  entities: {
    UserEmail: {
      attributes: z.object({
        /** In small letters, so that one address has one key. */
        Email: z.email().lowercase(),
        UserId: uuid,
        /** Since when the e-mail is claimed for a user that is not there yet; gone as soon as it is. */
        ClaimedAt: timestamp.optional(),
      }),
      keys: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      keyOnly: ['Email'],
    },
  },
  patterns: {
    emailOwner: {
      op: 'get',
      where: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      returns: ['UserEmail'],
    },
    claimEmail: { op: 'put', purpose: 'Refused if the e-mail is taken', entity: 'UserEmail' },
    saveEmail: {
      op: 'put',
      purpose: 'Confirms a claim, or takes over one that was left behind',
      entity: 'UserEmail',
      replace: true,
      unchanged: true,
    },
    releaseEmail: {
      op: 'delete',
      purpose: 'Undoes a claim whose user could not be made',
      entity: 'UserEmail',
      where: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      unchanged: true,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.UserEmail.keys.PartitionKey': 'one row a user, and there are some fifty' },
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
      uses: ['emailOwner', 'claimEmail', 'saveEmail', 'releaseEmail', 'userById', 'addUser', 'removeUser'],
    },
    documentTypes: { purpose: 'The types that appear for selection, by SortOrder', uses: ['activeDocumentTypes'] },
    createDocumentType: {
      purpose: 'A type with a name that no other active one has',
      uses: ['activeDocumentTypes', 'documentTypeById', 'addDocumentType', 'removeDocumentType'],
    },
    seedDocumentTypes: {
      purpose: 'Comunicação Interna, Ofício and Despacho, where they are not there yet',
      uses: ['activeDocumentTypes', 'addDocumentType'],
    },
    nextNumber: {
      purpose: 'The next number of a type and year, with its log: none twice, none skipped',
      uses: ['documentTypeById', 'getSequence', 'openSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    settleSequence: {
      purpose: 'The log that a sequence still carries, in its place',
      uses: ['getSequence', 'saveSequence', 'writeLog', 'getLog'],
    },
    logsOfPeriod: { purpose: 'Por período', uses: ['logsOfMonth', 'logsByType', 'logsByUser'] },
    latestLogs: { purpose: 'Últimos N registros, newest first, from month to month', uses: ['logsOfMonth'] },
  },
});

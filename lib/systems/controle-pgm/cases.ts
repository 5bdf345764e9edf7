import { defineCases } from '../../proof/cases';
import { procedureCases } from './cases/procedures';
import {
  active,
  addedType,
  changedAna,
  changedType,
  changeOfAna,
  changeOfType,
  emailOfAna,
  everybody,
  first,
  given,
  inJune,
  june,
  NEW,
  NOW,
  newType,
  newUser,
  nextSequence,
  oficio2024,
  oficio2025,
  openedSequence,
  otherUser,
  passwordOfZe,
  settled,
} from './cases/values';
import { controlePgm } from './design';
import {
  ANA,
  DESPACHO,
  documented,
  emails,
  left,
  logs,
  MARIA,
  OFICIO,
  oldLogs,
  sequences,
  types,
  users,
} from './examples';

export const controlePgmCases = defineCases(controlePgm, {
  tables: {
    Users: {
      documented: { user: { entity: 'User', item: documented.user } },
      items: users,
      written: {
        changedAna: ['User', changedAna],
        zeWithPassword: ['User', { ...users.invited[1], ...passwordOfZe }],
        madeUser: ['User', newUser],
        movedAna: ['User', { ...users.ana[1], Email: 'Ana@itajai.sc.gov.br', UpdatedAt: NOW }],
        readdressedAna: ['User', { ...users.ana[1], ...emailOfAna }],
      },
      patterns: {
        userById: { values: { Id: MARIA }, returns: ['user'] },
        activeUsers: { values: {}, returns: ['invited', 'user', 'ana'] },
        allUsers: { values: {}, returns: everybody },
        usersWithEmail: { values: { Email: 'Rui@itajai.sc.gov.br' }, returns: ['python'] },
        addUser: {
          values: newUser,
          shows: [
            { pattern: 'userById', values: { Id: NEW }, returns: ['madeUser'] },
            { pattern: 'usersWithEmail', values: { Email: newUser.Email }, returns: ['madeUser'] },
          ],
          refuses: [
            { why: 'an id that is taken', values: { ...newUser, Id: MARIA }, error: 'EntityExists' },
            {
              why: 'a one-letter name',
              values: { ...newUser, Id: otherUser.Id, Name: 'O' },
              error: 'ItemError',
            },
          ],
        },
        changeUser: {
          values: changeOfAna,
          shows: [{ pattern: 'userById', values: { Id: ANA }, returns: ['changedAna'] }],
          refuses: [
            { why: 'a user who does not exist', values: { ...changeOfAna, Id: NEW }, error: 'EntityMissing' },
            { why: 'a one-letter name', values: { ...changeOfAna, Name: 'A' }, error: 'ItemError' },
          ],
        },
        changePassword: {
          values: passwordOfZe,
          shows: [{ pattern: 'userById', values: { Id: passwordOfZe.Id }, returns: ['zeWithPassword'] }],
          refuses: [
            { why: 'a user who does not exist', values: { ...passwordOfZe, Id: NEW }, error: 'EntityMissing' },
            { why: 'no password', values: { ...passwordOfZe, PasswordHash: undefined }, error: 'KeyError' },
          ],
        },
        setEmail: {
          reads: { pattern: 'userById', values: { Id: ANA } },
          values: emailOfAna,
          shows: [{ pattern: 'userById', values: { Id: ANA }, returns: ['readdressedAna'] }],
          refuses: [{ why: 'a user who has changed since the read', values: emailOfAna, error: 'EntityChanged' }],
        },
        deleteUser: {
          reads: { pattern: 'userById', values: { Id: ANA } },
          values: { Id: ANA },
          shows: [
            { pattern: 'userById', values: { Id: ANA }, returns: [] },
            { pattern: 'activeUsers', values: {}, returns: ['invited', 'user'] },
          ],
          refuses: [
            { why: 'a user who was deleted', values: { Id: ANA }, error: 'EntityMissing' },
            { why: 'a user whom the caller has not read', values: { Id: MARIA }, error: 'EntityChanged' },
          ],
        },
      },
    },

    DocumentTypes: {
      documented: { documentType: { entity: 'DocumentType', item: documented.documentType } },
      items: types,
      written: {
        addedType: ['DocumentType', addedType],
        changedType: ['DocumentType', changedType],
        portaria: ['DocumentType', newType],
        renamedParecer: ['DocumentType', { ...types.parecer[1], Name: 'Portaria', Prefix: 'POR', UpdatedAt: NOW }],
        activeTelegrama: ['DocumentType', { ...types.telegrama[1], IsActive: true, UpdatedAt: NOW }],
        inactiveDespacho: ['DocumentType', { ...types.despacho[1], IsActive: false, UpdatedAt: NOW }],
      },
      patterns: {
        documentTypeById: { values: { Id: OFICIO }, returns: ['documentType'] },
        activeDocumentTypes: { values: {}, returns: active },
        allDocumentTypes: { values: {}, returns: ['documentType', 'despacho', 'telegrama', 'parecer', 'edital'] },
        addDocumentType: {
          values: addedType,
          shows: [
            { pattern: 'documentTypeById', values: { Id: newType.Id }, returns: ['addedType'] },
            { pattern: 'activeDocumentTypes', values: {}, returns: active },
          ],
          refuses: [{ why: 'an id that is taken', values: { ...addedType, Name: 'Outra' }, error: 'EntityExists' }],
        },
        addActiveType: {
          reads: { steps: { first: { pattern: 'documentTypeById', values: { Id: OFICIO } } } },
          values: { type: newType, ...first },
          shows: [
            { pattern: 'activeDocumentTypes', values: {}, returns: [...active, 'portaria'] },
            { pattern: 'documentTypeById', values: { Id: OFICIO }, returns: ['documentType'] },
          ],
          refuses: [
            {
              why: 'a first type that has changed since it was read',
              values: { type: { ...newType, Id: NEW }, ...first },
              error: 'EntityChanged',
            },
          ],
        },
        renameType: {
          reads: {
            steps: {
              type: { pattern: 'documentTypeById', values: { Id: changeOfType.Id } },
              first: { pattern: 'documentTypeById', values: { Id: OFICIO } },
            },
          },
          values: { ...changeOfType, ...first },
          shows: [
            { pattern: 'documentTypeById', values: { Id: changeOfType.Id }, returns: ['changedType'] },
            { pattern: 'documentTypeById', values: { Id: OFICIO }, returns: ['documentType'] },
          ],
          refuses: [
            {
              why: 'an item that has changed since it was read',
              values: { ...changeOfType, ...first },
              error: 'EntityChanged',
            },
          ],
        },
        saveDocumentType: {
          reads: { pattern: 'documentTypeById', values: { Id: changeOfType.Id } },
          values: changeOfType,
          shows: [
            { pattern: 'documentTypeById', values: { Id: changeOfType.Id }, returns: ['changedType'] },
            { pattern: 'activeDocumentTypes', values: {}, returns: ['documentType', 'despacho'] },
          ],
          refuses: [
            { why: 'an item that has changed since it was read', values: changeOfType, error: 'EntityChanged' },
            { why: 'the place 0', values: { ...changeOfType, SortOrder: 0 }, error: 'ItemError' },
          ],
        },
        deleteDocumentType: {
          reads: { pattern: 'documentTypeById', values: { Id: DESPACHO } },
          values: { Id: DESPACHO },
          shows: [{ pattern: 'activeDocumentTypes', values: {}, returns: ['documentType', 'parecer'] }],
          refuses: [
            { why: 'a type that was deleted', values: { Id: DESPACHO }, error: 'EntityMissing' },
            { why: 'a type that the caller has not read', values: { Id: OFICIO }, error: 'EntityChanged' },
          ],
        },
      },
    },

    Sequences: {
      documented: { sequence: { entity: 'Sequence', item: documented.sequence } },
      items: sequences,
      written: {
        nextSequence: ['Sequence', nextSequence],
        carrying: ['Sequence', { ...nextSequence, PendingLog: given }],
        openedSequence: ['Sequence', openedSequence],
        settled: ['Sequence', settled],
      },
      patterns: {
        getSequence: { values: oficio2024, returns: ['leftBehind'] },
        openSequence: {
          values: openedSequence,
          shows: [
            { pattern: 'getSequence', values: { DocumentTypeId: DESPACHO, Year: 2026 }, returns: ['openedSequence'] },
          ],
          refuses: [
            {
              why: 'a year whose sequence already exists',
              values: { ...openedSequence, LastNumber: 2 },
              error: 'EntityExists',
            },
            { why: 'the number 0', values: { ...openedSequence, Year: 2027, LastNumber: 0 }, error: 'ItemError' },
          ],
        },
        saveSequence: {
          reads: { pattern: 'getSequence', values: oficio2025 },
          values: { ...nextSequence, PendingLog: given },
          shows: [{ pattern: 'getSequence', values: oficio2025, returns: ['carrying'] }],
          refuses: [
            { why: 'an item that has changed since it was read', values: nextSequence, error: 'EntityChanged' },
          ],
        },
      },
    },

    NumberLogs: {
      documented: { numberLog: { entity: 'NumberLog', item: documented.numberLog } },
      items: { ...logs, ...oldLogs },
      written: {
        given: ['NumberLog', given],
        left: ['NumberLog', left],
      },
      // The keys of these logs are exactly as Python wrote them.
      stored: {
        microseconds: { RowKey: '2024-03-05T10:00:00.123456Z_650e8400-e29b-41d4-a716-000000000011' },
        wholeSecond: { RowKey: '2024-03-05T10:00:00Z_650e8400-e29b-41d4-a716-000000000010' },
      },
      patterns: {
        logsOfMonth: { values: june, returns: inJune },
        logsByType: { values: { ...june, DocumentTypeId: DESPACHO }, returns: ['despachoInJune'] },
        logsByUser: { values: { ...june, UserId: ANA }, returns: ['lastOfJune'] },
        getLog: {
          values: { GeneratedAt: '2025-06-15T14:30:00.123Z', Id: logs.sameMoment[1].Id },
          returns: ['sameMoment'],
        },
        writeLog: {
          values: given,
          shows: [{ pattern: 'logsOfMonth', values: june, returns: inJune.toSpliced(4, 0, 'given') }],
          refuses: [
            { why: 'a log that already exists', values: { ...given, Number: 44 }, error: 'EntityExists' },
            {
              why: 'a log with the wrong year',
              values: { ...given, Year: 2024 },
              error: 'ItemError',
            },
          ],
        },
      },
    },

    UsersByEmail: {
      documented: { userEmail: { entity: 'UserEmail', item: documented.userEmail } },
      items: emails,
      written: {
        ofNew: ['UserEmail', { Email: 'novo@itajai.sc.gov.br', UserId: NEW }],
        claimed: ['UserEmail', { Email: 'outro@itajai.sc.gov.br', UserId: NEW }],
        ofAnaNow: ['UserEmail', { Email: 'ana@itajai.sc.gov.br', UserId: ANA }],
      },
      patterns: {
        emailOwner: { values: { Email: "ana.d'avila@itajai.sc.gov.br" }, returns: ['ofAna'] },
        claimEmail: {
          values: { Email: 'outro@itajai.sc.gov.br', UserId: NEW },
          shows: [{ pattern: 'emailOwner', values: { Email: 'outro@itajai.sc.gov.br' }, returns: ['claimed'] }],
          refuses: [
            {
              why: 'an e-mail that another user has claimed',
              values: { Email: 'outro@itajai.sc.gov.br', UserId: ANA },
              error: 'EntityExists',
            },
          ],
        },
        saveEmail: {
          reads: { pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' } },
          values: { Email: 'novo@itajai.sc.gov.br', UserId: NEW },
          shows: [{ pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' }, returns: ['ofNew'] }],
          refuses: [
            {
              why: 'a claim that another user has taken over',
              values: { Email: 'novo@itajai.sc.gov.br', UserId: ANA },
              error: 'EntityChanged',
            },
          ],
        },
        releaseEmail: {
          values: { Email: 'novo@itajai.sc.gov.br' },
          shows: [
            { pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' }, returns: [] },
            { pattern: 'emailOwner', values: { Email: "ana.d'avila@itajai.sc.gov.br" }, returns: ['ofAna'] },
          ],
        },
      },
    },
  },

  procedures: procedureCases,
});

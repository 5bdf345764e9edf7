import { defineCases } from '../../proof/cases';
import { controlePgm } from './design';
import {
  ANA,
  DESPACHO,
  documented,
  emails,
  left,
  logOf,
  logs,
  MARIA,
  OFICIO,
  sequences,
  typeOf,
  types,
  userOf,
  users,
} from './examples';
import { createDocumentType, documentTypes, seedDocumentTypes } from './procedures/document-types';
import { latestLogs, logsOfPeriod } from './procedures/logs';
import { nextNumber, settleSequence } from './procedures/next-number';
import { createUser, userByEmail } from './procedures/users';

const NEW = '850e8400-e29b-41d4-a716-446655440000';
const newUser = userOf(NEW, 'Novo Servidor', 'Novo@itajai.sc.gov.br');
const otherUser = userOf('950e8400-e29b-41d4-a716-446655440000', 'Outro', 'outro@itajai.sc.gov.br');
const changedAna = { ...users.ana[1], Name: 'Ana Ávila', UpdatedAt: '2025-07-01T00:00:00Z' };
const newType = typeOf('d1b2c3d4-e5f6-7890-abcd-ef1234567890', 'Portaria', 5, { Prefix: 'P' });
const changedType = { ...types.parecer[1], IsActive: false };
const june = { year: 2025, month: 6 };
const oficio2025 = { DocumentTypeId: OFICIO, Year: 2025 };
const oficio2024 = { DocumentTypeId: OFICIO, Year: 2024 };
const ofMaria = { UserId: MARIA, UserName: 'Maria Silva', UserEmail: 'maria.silva@itajai.sc.gov.br' };

const moment = '2025-06-20T12:00:00.500Z';
const clock = { now: () => new Date(moment), pause: () => Promise.resolve() };
const given = { ...logOf('6', 43, moment), GeneratedAtLocal: '2025-06-20T09:00:00-03:00' };
const nextSequence = { ...oficio2025, LastNumber: 43, UpdatedAt: '2025-06-20T12:00:00Z' };
const openedSequence = { DocumentTypeId: DESPACHO, Year: 2026, LastNumber: 1, UpdatedAt: '2026-01-01T00:00:00Z' };
const { PendingLog: _, ...settled } = sequences.leftBehind[1];

const inJune = ['firstOfJune', 'despachoInJune', 'numberLog', 'sameMoment', 'lastOfJune'];
const active = ['documentType', 'despacho', 'parecer'];
const names = (found: readonly { readonly FormattedNumber?: string | undefined }[]) =>
  found.map(({ FormattedNumber }) => FormattedNumber);

export const controlePgmCases = defineCases(controlePgm, {
  tables: {
    Users: {
      documented: { user: { entity: 'User', item: documented.user } },
      items: users,
      written: { newUser: ['User', newUser], changedAna: ['User', changedAna], otherUser: ['User', otherUser] },
      patterns: {
        userById: { values: { Id: MARIA }, returns: ['user'] },
        activeUsers: { values: {}, returns: ['invited', 'user', 'ana'] },
        addUser: {
          values: newUser,
          shows: [{ pattern: 'userById', values: { Id: NEW }, returns: ['newUser'] }],
          refuses: [
            { why: 'an id that is taken', values: userOf(MARIA, 'Outra Maria', 'm@x.com'), error: 'EntityExists' },
            { why: 'a name of one letter', values: { ...otherUser, Name: 'O' }, error: 'ItemError' },
          ],
        },
        saveUser: {
          reads: { pattern: 'userById', values: { Id: ANA } },
          values: changedAna,
          shows: [{ pattern: 'userById', values: { Id: ANA }, returns: ['changedAna'] }],
          refuses: [{ why: 'what has changed since it was read', values: users.ana[1], error: 'EntityChanged' }],
        },
        removeUser: {
          values: { Id: ANA },
          shows: [
            { pattern: 'userById', values: { Id: ANA }, returns: [] },
            { pattern: 'activeUsers', values: {}, returns: ['invited', 'user'] },
          ],
        },
      },
    },

    DocumentTypes: {
      documented: { documentType: { entity: 'DocumentType', item: documented.documentType } },
      items: types,
      written: { newType: ['DocumentType', newType], changedType: ['DocumentType', changedType] },
      patterns: {
        documentTypeById: { values: { Id: OFICIO }, returns: ['documentType'] },
        activeDocumentTypes: { values: {}, returns: active },
        addDocumentType: {
          values: newType,
          shows: [{ pattern: 'documentTypeById', values: { Id: newType.Id }, returns: ['newType'] }],
          refuses: [{ why: 'an id that is taken', values: { ...newType, Name: 'Outra' }, error: 'EntityExists' }],
        },
        saveDocumentType: {
          reads: { pattern: 'documentTypeById', values: { Id: changedType.Id } },
          values: changedType,
          shows: [
            { pattern: 'documentTypeById', values: { Id: changedType.Id }, returns: ['changedType'] },
            { pattern: 'activeDocumentTypes', values: {}, returns: ['documentType', 'despacho'] },
          ],
          refuses: [{ why: 'what has changed since it was read', values: types.parecer[1], error: 'EntityChanged' }],
        },
        removeDocumentType: {
          values: { Id: DESPACHO },
          shows: [{ pattern: 'activeDocumentTypes', values: {}, returns: ['documentType', 'parecer'] }],
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
            { why: 'a year that is open', values: { ...openedSequence, LastNumber: 2 }, error: 'EntityExists' },
            { why: 'the number 0', values: { ...openedSequence, Year: 2027, LastNumber: 0 }, error: 'ItemError' },
          ],
        },
        saveSequence: {
          reads: { pattern: 'getSequence', values: oficio2025 },
          values: { ...nextSequence, PendingLog: given },
          shows: [{ pattern: 'getSequence', values: oficio2025, returns: ['carrying'] }],
          refuses: [{ why: 'what has changed since it was read', values: nextSequence, error: 'EntityChanged' }],
        },
      },
    },

    NumberLogs: {
      documented: { numberLog: { entity: 'NumberLog', item: documented.numberLog } },
      items: logs,
      written: { given: ['NumberLog', given], left: ['NumberLog', left] },
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
            { why: 'a log that is written', values: { ...given, Number: 44 }, error: 'EntityExists' },
            { why: 'a log of another year', values: { ...given, Year: 2024 }, error: 'ItemError' },
            {
              why: 'a log without its number as text',
              values: { ...given, FormattedNumber: undefined },
              error: 'KeyError',
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
        claimed: ['UserEmail', { Email: 'outro@itajai.sc.gov.br', UserId: NEW, ClaimedAt: '2025-06-20T12:00:00Z' }],
      },
      patterns: {
        emailOwner: { values: { Email: "ana.d'avila@itajai.sc.gov.br" }, returns: ['ofAna'] },
        claimEmail: {
          values: { Email: 'outro@itajai.sc.gov.br', UserId: NEW, ClaimedAt: '2025-06-20T12:00:00Z' },
          shows: [{ pattern: 'emailOwner', values: { Email: 'outro@itajai.sc.gov.br' }, returns: ['claimed'] }],
          refuses: [
            {
              why: 'an e-mail that is claimed',
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
              why: 'a claim that is another by now',
              values: { Email: 'novo@itajai.sc.gov.br', UserId: ANA },
              error: 'EntityChanged',
            },
          ],
        },
        releaseEmail: {
          reads: { pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' } },
          values: { Email: 'novo@itajai.sc.gov.br' },
          shows: [{ pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' }, returns: [] }],
          refuses: [
            { why: 'a claim that is gone', values: { Email: 'novo@itajai.sc.gov.br' }, error: 'EntityMissing' },
            {
              why: 'a claim of which another one was read',
              values: { Email: "ana.d'avila@itajai.sc.gov.br" },
              error: 'EntityChanged',
            },
          ],
        },
      },
    },
  },

  procedures: {
    userByEmail: {
      run: async (client: Parameters<typeof userByEmail>[0], values: { Email: string }) =>
        (await userByEmail(client, values))?.Name,
      values: { Email: 'Maria.Silva@itajai.sc.gov.br' },
      gives: 'Maria Silva',
      shows: [],
    },
    createUser: {
      run: (client: Parameters<typeof createUser>[0], user: Parameters<typeof createUser>[1]) =>
        createUser(client, user, clock),
      values: newUser,
      shows: [
        { pattern: 'userById', values: { Id: NEW }, returns: ['newUser'] },
        { pattern: 'emailOwner', values: { Email: 'novo@itajai.sc.gov.br' }, returns: ['ofNew'] },
        { pattern: 'userById', values: { Id: otherUser.Id }, returns: [] },
        { pattern: 'emailOwner', values: { Email: 'outro@itajai.sc.gov.br' }, returns: [] },
      ],
      refuses: [
        {
          why: 'an e-mail that is taken',
          values: { ...otherUser, Email: 'NOVO@itajai.sc.gov.br' },
          error: 'EmailTaken',
        },
        {
          why: "an e-mail of the document's example",
          values: { ...otherUser, Email: documented.user.Email },
          error: 'EmailTaken',
        },
        {
          why: 'an id that is taken, whose e-mail is then free',
          values: { ...otherUser, Id: MARIA },
          error: 'EntityExists',
        },
        { why: 'a user who is none', values: { ...otherUser, Name: '' }, error: 'ItemError' },
      ],
    },
    documentTypes: {
      run: async (client: Parameters<typeof documentTypes>[0]) => (await documentTypes(client)).map(({ Name }) => Name),
      values: {},
      gives: ['Ofício', 'Parecer', 'Despacho'],
      shows: [],
    },
    createDocumentType: {
      run: createDocumentType,
      values: newType,
      shows: [{ pattern: 'activeDocumentTypes', values: {}, returns: [...active, 'newType'] }],
      refuses: [
        { why: 'a name that an active type has', values: typeOf(NEW, 'OFÍCIO', 9), error: 'NameTaken' },
        { why: 'an id that is taken', values: { ...newType, Name: 'Outra' }, error: 'EntityExists' },
      ],
    },
    seedDocumentTypes: {
      run: async (client: Parameters<typeof seedDocumentTypes>[0]) => {
        const first = await seedDocumentTypes(client, {}, clock);
        const again = await seedDocumentTypes(client, {}, clock);
        return [first, again].map((seeded) => seeded.filter(({ added }) => added).map(({ Name }) => Name));
      },
      values: {},
      // Two of the three are there under ids of their own.
      gives: [['Comunicação Interna'], []],
      shows: [{ pattern: 'documentTypeById', values: { Id: OFICIO }, returns: ['documentType'] }],
    },
    nextNumber: {
      run: (client: Parameters<typeof nextNumber>[0], values: Parameters<typeof nextNumber>[1]) =>
        nextNumber(client, values, { ...clock, newId: () => given.Id }),
      values: { DocumentTypeId: OFICIO, ...ofMaria },
      gives: given,
      shows: [
        { pattern: 'getSequence', values: oficio2025, returns: ['nextSequence'] },
        { pattern: 'logsOfMonth', values: june, returns: inJune.toSpliced(4, 0, 'given') },
      ],
      refuses: [
        {
          why: 'a type that is not active',
          values: { DocumentTypeId: types.telegrama[1].Id, ...ofMaria },
          error: 'DocumentTypeUnavailable',
        },
        { why: 'a type that never was', values: { DocumentTypeId: NEW, ...ofMaria }, error: 'DocumentTypeUnavailable' },
        {
          why: 'a user without a name',
          values: { DocumentTypeId: OFICIO, ...ofMaria, UserName: '' },
          error: 'ItemError',
        },
      ],
    },
    settleSequence: {
      run: settleSequence,
      values: oficio2024,
      shows: [
        { pattern: 'getSequence', values: oficio2024, returns: ['settled'] },
        { pattern: 'logsOfMonth', values: { year: 2024, month: 12 }, returns: ['left'] },
      ],
    },
    logsOfPeriod: {
      run: async (client: Parameters<typeof logsOfPeriod>[0], period: Parameters<typeof logsOfPeriod>[1]) =>
        names(await logsOfPeriod(client, period)),
      values: { from: '2025-05', to: '2025-07', DocumentTypeId: OFICIO },
      gives: ['39/2025', '40/2025', '42/2025', '43/2025', '44/2025', '45/2025'],
      shows: [],
      refuses: [
        { why: 'an end before the beginning', values: { from: '2025-07', to: '2025-05' }, error: 'PeriodInvalid' },
        { why: 'the thirteenth month', values: { from: '2025-13', to: '2025-13' }, error: 'PeriodInvalid' },
      ],
    },
    latestLogs: {
      run: async (client: Parameters<typeof latestLogs>[0], latest: Parameters<typeof latestLogs>[1]) =>
        names(await latestLogs(client, latest)),
      values: { count: 7, before: '2025-07-20T00:00:00.000Z' },
      gives: ['45/2025', '44/2025', '43/2025', '42/2025', '7/2025', '40/2025', '39/2025'],
      shows: [],
      refuses: [{ why: 'none', values: { count: 0 }, error: 'PeriodInvalid' }],
    },
  },
});

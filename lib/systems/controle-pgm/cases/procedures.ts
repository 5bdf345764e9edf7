import { ANA, DESPACHO, documented, MARIA, OFICIO, typeOf, types, users } from '../examples';
import { changeDocumentType, createDocumentType, documentTypes, seedDocumentTypes } from '../procedures/document-types';
import { latestLogs, logsOfPeriod } from '../procedures/logs';
import { nextNumber, repairSequence } from '../procedures/next-number';
import { changeEmail, createUser, userByEmail } from '../procedures/users';
import {
  active,
  clock,
  given,
  inJune,
  june,
  NEW,
  names,
  newType,
  newUser,
  oficio2024,
  oficio2025,
  otherUser,
} from './values';

export const procedureCases = {
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
      { pattern: 'userById', values: { Id: NEW }, returns: ['madeUser'] },
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
        why: "the e-mail of the document's example user",
        values: { ...otherUser, Email: documented.user.Email },
        error: 'EmailTaken',
      },
      {
        why: 'the e-mail of another user who has no row in UsersByEmail',
        values: { ...otherUser, Email: 'ZE_novo@itajai.sc.gov.br' },
        error: 'EmailTaken',
      },
      {
        why: 'a taken id with a free e-mail',
        values: { ...otherUser, Id: MARIA },
        error: 'IdTaken',
      },
      { why: 'an invalid user', values: { ...otherUser, Name: '' }, error: 'ItemError' },
    ],
  },
  changeEmail: {
    run: async (client: Parameters<typeof changeEmail>[0], values: Parameters<typeof changeEmail>[1]) =>
      (await changeEmail(client, values, clock)).Email,
    values: { Id: ANA, Email: 'Ana@itajai.sc.gov.br' },
    gives: 'Ana@itajai.sc.gov.br',
    shows: [
      { pattern: 'userById', values: { Id: ANA }, returns: ['movedAna'] },
      { pattern: 'emailOwner', values: { Email: 'ana@itajai.sc.gov.br' }, returns: ['ofAnaNow'] },
      { pattern: 'userById', values: { Id: MARIA }, returns: ['user'] },
    ],
    refuses: [
      {
        why: 'an e-mail that is taken',
        values: { Id: ANA, Email: 'Maria.Silva@itajai.sc.gov.br' },
        error: 'EmailTaken',
      },
      { why: 'a user who does not exist', values: { Id: NEW, Email: 'x@itajai.sc.gov.br' }, error: 'UserNotFound' },
      { why: 'no e-mail', values: { Id: MARIA, Email: 'x' }, error: 'ItemError' },
    ],
  },
  documentTypes: {
    run: async (client: Parameters<typeof documentTypes>[0]) => (await documentTypes(client)).map(({ Name }) => Name),
    values: {},
    gives: ['Ofício', 'Parecer', 'Despacho'],
    shows: [],
  },
  createDocumentType: {
    run: (client: Parameters<typeof createDocumentType>[0], type: Parameters<typeof createDocumentType>[1]) =>
      createDocumentType(client, type, clock),
    values: newType,
    shows: [{ pattern: 'activeDocumentTypes', values: {}, returns: [...active, 'portaria'] }],
    refuses: [
      { why: 'the name of an active type', values: typeOf(NEW, 'OFÍCIO', 9), error: 'NameTaken' },
      { why: 'an id that is taken', values: { ...newType, Name: 'Outra' }, error: 'IdTaken' },
    ],
  },
  changeDocumentType: {
    run: async (
      client: Parameters<typeof changeDocumentType>[0],
      changes: Parameters<typeof changeDocumentType>[1],
    ) => {
      const changed = await changeDocumentType(client, changes, clock);
      await changeDocumentType(client, { Id: types.telegrama[1].Id, IsActive: true }, clock);
      await changeDocumentType(client, { Id: DESPACHO, IsActive: false }, clock);
      return changed.Name;
    },
    values: { Id: types.parecer[1].Id, Name: 'Portaria', Prefix: 'POR' },
    gives: 'Portaria',
    shows: [
      { pattern: 'activeDocumentTypes', values: {}, returns: ['documentType', 'activeTelegrama', 'renamedParecer'] },
      { pattern: 'documentTypeById', values: { Id: DESPACHO }, returns: ['inactiveDespacho'] },
    ],
    refuses: [
      {
        why: 'the name of an active type',
        values: { Id: types.parecer[1].Id, Name: 'ofício' },
        error: 'NameTaken',
      },
      {
        why: 'activating a type whose name another active type already has',
        values: { Id: DESPACHO, Name: 'Ofício', IsActive: true },
        error: 'NameTaken',
      },
      { why: 'a type that does not exist', values: { Id: NEW, SortOrder: 1 }, error: 'DocumentTypeNotFound' },
    ],
  },
  seedDocumentTypes: {
    run: async (client: Parameters<typeof seedDocumentTypes>[0]) => {
      const first = await seedDocumentTypes(client, {}, clock);
      const again = await seedDocumentTypes(client, {}, clock);
      return [first, again].map((seeded) => seeded.filter(({ added }) => added).map(({ Name }) => Name));
    },
    values: {},
    // Two of the three types already exist under other ids.
    gives: [['Comunicação Interna'], []],
    shows: [{ pattern: 'documentTypeById', values: { Id: OFICIO }, returns: ['documentType'] }],
  },
  nextNumber: {
    run: (client: Parameters<typeof nextNumber>[0], values: Parameters<typeof nextNumber>[1]) =>
      nextNumber(client, values, { ...clock, newId: () => given.Id }),
    values: { DocumentTypeId: OFICIO, UserId: MARIA },
    gives: given,
    shows: [
      { pattern: 'getSequence', values: oficio2025, returns: ['nextSequence'] },
      { pattern: 'logsOfMonth', values: june, returns: inJune.toSpliced(4, 0, 'given') },
    ],
    refuses: [
      {
        why: 'a type that is not active',
        values: { DocumentTypeId: types.telegrama[1].Id, UserId: MARIA },
        error: 'DocumentTypeUnavailable',
      },
      {
        why: 'a type that does not exist',
        values: { DocumentTypeId: NEW, UserId: MARIA },
        error: 'DocumentTypeUnavailable',
      },
      {
        why: 'a user who is not active',
        values: { DocumentTypeId: OFICIO, UserId: users.retired[1].Id },
        error: 'UserUnavailable',
      },
      { why: 'a user who does not exist', values: { DocumentTypeId: OFICIO, UserId: NEW }, error: 'UserUnavailable' },
    ],
  },
  repairSequence: {
    run: repairSequence,
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
    refuses: [{ why: 'the thirteenth month', values: { from: '2025-13', to: '2025-13' }, error: 'PeriodInvalid' }],
  },
  latestLogs: {
    run: async (client: Parameters<typeof latestLogs>[0], latest: Parameters<typeof latestLogs>[1]) =>
      names(await latestLogs(client, latest)),
    values: { count: 7, before: '2025-07-20T00:00:00.000Z' },
    gives: ['45/2025', '44/2025', '43/2025', '42/2025', '7/2025', '40/2025', '39/2025'],
    shows: [],
    refuses: [{ why: 'a time without a month', values: { count: 1, before: 'yesterday' }, error: 'PeriodInvalid' }],
  },
};

import { ANA, DESPACHO, logOf, OFICIO, sequences, typeOf, types, userOf, users } from '../examples';

export const NOW = '2025-06-20T12:00:00Z';
export const NEW = '850e8400-e29b-41d4-a716-446655440000';
export const newUser = userOf(NEW, 'Novo Servidor', 'Novo@itajai.sc.gov.br');
export const otherUser = userOf('950e8400-e29b-41d4-a716-446655440000', 'Outro', 'outro@itajai.sc.gov.br');
const july = '2025-07-01T00:00:00Z';
export const changeOfAna = { Id: ANA, Name: 'Ana Ávila', Role: 'user', IsActive: false, UpdatedAt: july };
export const changedAna = { ...users.ana[1], ...changeOfAna };
export const passwordOfZe = {
  Id: users.invited[1].Id,
  PasswordHash: '$2b$12$xyz',
  MustChangePassword: false,
  UpdatedAt: july,
};
export const emailOfAna = { Id: ANA, Email: 'Ana@itajai.sc.gov.br', UpdatedAt: july };
export const newType = typeOf('d1b2c3d4-e5f6-7890-abcd-ef1234567890', 'Portaria', 5, { Prefix: 'P' });
export const addedType = { ...newType, IsActive: false };
export const first = { FirstId: OFICIO, FirstIsActive: true };
export const changeOfType = {
  ...{ Id: types.parecer[1].Id, Name: 'Laudo', Prefix: 'LAU', IsActive: false, SortOrder: 3, UpdatedAt: july },
};
export const changedType = { ...types.parecer[1], ...changeOfType };
export const june = { year: 2025, month: 6 };
export const oficio2025 = { DocumentTypeId: OFICIO, Year: 2025 };
export const oficio2024 = { DocumentTypeId: OFICIO, Year: 2024 };

export const moment = '2025-06-20T12:00:00.500Z';
export const clock = { now: () => new Date(moment), pause: () => Promise.resolve() };
export const given = { ...logOf('6', 43, moment), GeneratedAtLocal: '2025-06-20T09:00:00-03:00' };
export const nextSequence = { ...oficio2025, LastNumber: 43, UpdatedAt: '2025-06-20T12:00:00Z' };
export const openedSequence = {
  DocumentTypeId: DESPACHO,
  Year: 2026,
  LastNumber: 1,
  UpdatedAt: '2026-01-01T00:00:00Z',
};
export const { PendingLog: __, ...settled } = sequences.leftBehind[1];

export const inJune = ['firstOfJune', 'despachoInJune', 'numberLog', 'sameMoment', 'lastOfJune'];
export const everybody = ['invited', 'python', 'user', 'retired', 'ana'];
export const active = ['documentType', 'despacho', 'parecer'];
export const names = (found: readonly { readonly FormattedNumber?: string | undefined }[]) =>
  found.map(({ FormattedNumber }) => FormattedNumber);

import type { Item } from '../../../lib/items/item';
import { type Message, postMessage, trimobe } from '../../../lib/systems/trimobe';
import { describeDocument, onDynamoDB } from '../../support/documented';

jest.setTimeout(60_000);

/** Times as programs write them: to the minute, to the second, in Python's format, and in JavaScript's. */
const [early, noon, night, late] = [
  '2026-03-01T08:00Z',
  '2026-03-01T12:00:00Z',
  '2026-03-01T20:15:30.123456+00:00',
  '2026-03-02T09:30:00.250Z',
] as const;
const now = '2026-04-01T10:00:00.000Z';
const audit = (createdAt: string) => ({ createdAt, updatedAt: createdAt });

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [tenantId, otherTenant, chat, quiet] = [uuid(1), uuid(2), uuid(11), uuid(12)];
const tenantKey = `TENANT#${tenantId}`;
const chatKey = `CONVERSATION#${chat}`;

const tenantOf = (id: string): Item => ({
  ...{ PK: `TENANT#${id}`, SK: 'METADATA#1', id, name: 'Fazenda Boa Vista', status: 'ACTIVE' },
  ...{ settings: { plan: 'PRO', features: ['contracts'] }, ...audit(noon) },
});
const userOf = (cognitoId: string, of: string, createdAt: string): Item => ({
  ...{ PK: `TENANT#${of}`, SK: `USER#${cognitoId}`, GSI1PK: `USER#${cognitoId}`, GSI1SK: `TENANT#${of}` },
  ...{ tenantId: of, cognitoId, email: `${cognitoId}@Fazenda.example`, name: cognitoId, role: 'USER' },
  ...{ status: 'CONFIRMED', ...audit(createdAt) },
});
const guardOf = (cognitoId: string, email: string): Item => ({
  PK: `EMAIL#${email.toLowerCase()}`,
  SK: `EMAIL#${email.toLowerCase()}`,
  ...{ email, uniqueOwner: { cognitoId } },
});
const conversationOf = (id: string, lastMessageAt: string): Item => ({
  ...{ PK: tenantKey, SK: `CONVERSATION#${id}`, GSI1PK: 'USER#maria', GSI1SK: `CONVERSATION#${lastMessageAt}` },
  ...{ GSI2PK: `${tenantKey}#CONVERSATION`, GSI2SK: lastMessageAt },
  ...{ id, tenantId, userId: 'maria', title: 'Custeio', summary: 'Taxas', status: 'ACTIVE' },
  ...{ lastMessageAt, ...audit(early) },
});
const messageOf = (n: number, createdAt: string): Item => ({
  ...{ PK: chatKey, SK: `MESSAGE#${createdAt}`, GSI1PK: tenantKey, GSI1SK: `${chatKey}#${createdAt}` },
  ...{ id: uuid(n), tenantId, conversationId: chat, role: 'USER', content: 'E a taxa?', attachments: [uuid(31)] },
  createdAt,
});
const fileOf = (n: number, createdAt: string, isInChat = true): Item => ({
  ...{ PK: tenantKey, SK: `FILE#${uuid(n)}`, GSI2PK: 'USER#maria', GSI2SK: `FILE#${createdAt}` },
  ...(isInChat && { GSI1PK: chatKey, GSI1SK: `FILE#${createdAt}`, conversationId: chat, messageId: uuid(21) }),
  ...{ id: uuid(n), tenantId, userId: 'maria', name: 'solo.pdf', type: 'application/pdf', size: 1_000 },
  ...{ s3Key: 'files/solo.pdf', status: 'PROCESSING', ...audit(createdAt) },
});
const documentOf = (n: number, createdAt: string): Item => ({
  ...{ PK: tenantKey, SK: `DOCUMENT#${uuid(n)}`, GSI1PK: chatKey, GSI1SK: `DOCUMENT#${createdAt}` },
  ...{ GSI2PK: 'USER#maria', GSI2SK: `DOCUMENT#${createdAt}` },
  ...{ id: uuid(n), tenantId, conversationId: chat, messageId: uuid(21), userId: 'maria', type: 'CONTRACT' },
  ...{ title: 'Contrato', description: 'Custeio', s3Key: 'documents/1', metadata: { rate: 7.5 }, ...audit(createdAt) },
});

/** Returns an item without its keys. */
const valuesOf = (item: Item) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !/^(GSI\d)?[PS]K$/.test(name)));

const items = {
  Tenants: { tenant: { ...tenantOf(tenantId), cnpj: '00.000.000/0001-00' } },
  // Maria belongs to two tenants. The document has no guards.
  Users: {
    maria: { ...userOf('maria', tenantId, noon), phone: '+55 65 0000-0000' },
    mariaElsewhere: userOf('maria', otherTenant, night),
    joao: userOf('joao', tenantId, early),
  },
  // No conversation in the document has a header.
  RuralCreditAI: {
    chat: conversationOf(chat, night),
    quietChat: conversationOf(quiet, noon),
    first: messageOf(21, early),
    atNoon: messageOf(22, noon),
    last: messageOf(23, night),
    file: fileOf(31, noon),
    fileAtNight: { ...fileOf(32, night), status: 'READY', analysis: { pages: 3, crops: ['soja'] } },
    looseFile: fileOf(33, early, false),
    contract: documentOf(51, noon),
    contractAtNight: { ...documentOf(52, night), type: 'REPORT' },
  },
};

const partition = (key: string, value: string, IndexName?: string) => ({
  KeyConditionExpression: `${key} = :pk`,
  ExpressionAttributeValues: { ':pk': value },
  ...(IndexName && { IndexName }),
});
const asks = (request: object, table = 'RuralCreditAI') => ({ table, request });
const ofTenant = { tenantId };
const ofChat = { tenantId, conversationId: chat };
const messages = ['first', 'atNoon', 'last'];

const posted = (n: number, createdAt: string) => (db: never) =>
  postMessage(db, valuesOf(messageOf(n, createdAt)) as Message);
const headerOf = (more: object = {}): Item => ({
  ...{ PK: chatKey, SK: 'HEADER', id: chat, tenantId, userId: 'maria' },
  ...{ title: 'Custeio', summary: 'Taxas', status: 'ACTIVE', ...more },
});
const newChat = conversationOf(uuid(19), late);
const newUser = userOf('ana', tenantId, late);

describeDocument(trimobe, onDynamoDB(trimobe), {
  items,
  reads: {
    getTenant: { values: ofTenant, returns: ['tenant'] },
    getUser: { values: { tenantId, cognitoId: 'maria' }, returns: ['maria'] },
    usersOfTenant: { values: ofTenant, returns: ['joao', 'maria'], asks: asks(partition('PK', tenantKey), 'Users') },
    tenantsOfUser: {
      values: { cognitoId: 'maria' },
      returns: ['maria', 'mariaElsewhere'],
      asks: asks(partition('GSI1PK', 'USER#maria', 'GSI1'), 'Users'),
    },
    getConversation: { values: ofChat, returns: ['chat'] },
    conversationsOfTenant: { values: ofTenant, returns: ['chat', 'quietChat'] },
    conversationsOfUser: {
      values: { userId: 'maria' },
      returns: ['chat', 'quietChat'],
      asks: asks(partition('GSI1PK', 'USER#maria', 'GSI1')),
    },
    latestConversationsOfTenant: {
      values: ofTenant,
      returns: ['chat', 'quietChat'],
      asks: asks(partition('GSI2PK', `${tenantKey}#CONVERSATION`, 'GSI2')),
    },
    conversationWithMessages: {
      values: { conversationId: chat },
      returns: messages,
      asks: asks(partition('PK', chatKey)),
    },
    messagesOfConversation: {
      values: { conversationId: chat },
      returns: messages,
      asks: asks(partition('PK', chatKey)),
    },
    messagesOfTenant: { values: ofTenant, returns: messages, asks: asks(partition('GSI1PK', tenantKey, 'GSI1')) },
    messagesOfTenantConversation: { values: ofChat, returns: messages },
    getFile: [
      { values: { tenantId, fileId: uuid(32) }, returns: ['fileAtNight'] },
      { values: { tenantId, fileId: uuid(33) }, returns: ['looseFile'] },
    ],
    filesOfTenant: { values: ofTenant, returns: ['file', 'fileAtNight', 'looseFile'] },
    filesOfConversation: {
      values: { conversationId: chat },
      returns: ['file', 'fileAtNight'],
      asks: asks(partition('GSI1PK', chatKey, 'GSI1')),
      besides: ['contract', 'contractAtNight'],
    },
    filesOfUser: { values: { userId: 'maria' }, returns: ['looseFile', 'file', 'fileAtNight'] },
    getDocument: { values: { tenantId, documentId: uuid(51) }, returns: ['contract'] },
    documentsOfTenant: { values: ofTenant, returns: ['contract', 'contractAtNight'] },
    documentsOfConversation: { values: { conversationId: chat }, returns: ['contract', 'contractAtNight'] },
    documentsOfUser: {
      values: { userId: 'maria' },
      returns: ['contract', 'contractAtNight'],
      asks: asks(partition('GSI2PK', 'USER#maria', 'GSI2')),
      besides: ['looseFile', 'file', 'fileAtNight'],
    },
    conversationArtifacts: {
      values: { conversationId: chat },
      returns: ['contract', 'contractAtNight', 'file', 'fileAtNight'],
      asks: asks(partition('GSI1PK', chatKey, 'GSI1')),
    },
  },
  writes: {
    createTenant: {
      values: { ...valuesOf(tenantOf(uuid(9))), cnpj: 'x' },
      into: 'Tenants',
      changes: { new: { ...tenantOf(uuid(9)), cnpj: 'x' } },
    },
    updateTenant: {
      values: { tenantId, status: 'SUSPENDED', settings: {}, updatedAt: now },
      changes: { tenant: { status: 'SUSPENDED', settings: {}, updatedAt: now } },
    },
    deleteTenant: { values: ofTenant, changes: { tenant: null } },

    createUser: [
      {
        values: { ...valuesOf(newUser), phone: 'x' },
        into: 'Users',
        changes: { new: { ...newUser, phone: 'x' }, guard: guardOf('ana', newUser.email as string) },
      },
      // The same person joins a third tenant.
      {
        values: valuesOf(userOf('maria', uuid(3), late)),
        into: 'Users',
        changes: { new: userOf('maria', uuid(3), late), guard: guardOf('maria', 'maria@Fazenda.example') },
      },
    ],
    updateUser: {
      values: { tenantId, cognitoId: 'maria', role: 'ADMIN', status: 'LOCKED', updatedAt: now },
      changes: { maria: { role: 'ADMIN', status: 'LOCKED', updatedAt: now } },
    },
    changeEmail: {
      values: {
        ...{ tenantId, cognitoId: 'maria', formerEmail: 'maria@Fazenda.example' },
        ...{ email: 'Nova@fazenda.example', updatedAt: now },
      },
      into: 'Users',
      changes: {
        maria: { email: 'Nova@fazenda.example', updatedAt: now },
        guard: guardOf('maria', 'Nova@fazenda.example'),
      },
    },
    removeUser: { values: { tenantId, cognitoId: 'maria' }, changes: { maria: null } },
    // The users in the document have no guard to release.
    releaseEmail: { values: { cognitoId: 'maria', email: 'maria@Fazenda.example' }, changes: {} },

    createConversation: {
      values: { conversation: valuesOf(newChat) },
      into: 'RuralCreditAI',
      changes: { new: newChat, header: headerOf({ PK: `CONVERSATION#${newChat.id}`, id: newChat.id }) },
    },
    updateConversation: {
      values: { ...ofChat, userId: 'maria', title: 'Seguro', summary: 'Taxas', status: 'ARCHIVED', updatedAt: now },
      into: 'RuralCreditAI',
      changes: {
        chat: { title: 'Seguro', status: 'ARCHIVED', updatedAt: now },
        header: headerOf({ title: 'Seguro', status: 'ARCHIVED' }),
      },
    },
    deleteConversation: { values: ofChat, changes: { chat: null } },

    postMessage: [
      {
        run: posted(24, late),
        into: 'RuralCreditAI',
        changes: {
          new: messageOf(24, late),
          chat: { lastMessageAt: late, GSI1SK: `CONVERSATION#${late}`, GSI2SK: late, updatedAt: late },
        },
      },
      // This message arrives late: its time is between the times of the documented messages.
      {
        run: posted(25, '2026-03-01T10:00:00Z'),
        into: 'RuralCreditAI',
        changes: { new: messageOf(25, '2026-03-01T10:00:00.000Z') },
      },
    ],
    addMessage: {
      values: { message: valuesOf(messageOf(24, late)) },
      into: 'RuralCreditAI',
      changes: {
        new: messageOf(24, late),
        chat: { lastMessageAt: late, GSI1SK: `CONVERSATION#${late}`, GSI2SK: late, updatedAt: late },
      },
    },
    addLateMessage: {
      values: { message: valuesOf(messageOf(25, '2026-03-01T10:00:00.000Z')) },
      into: 'RuralCreditAI',
      changes: { new: messageOf(25, '2026-03-01T10:00:00.000Z') },
    },
    deleteMessage: { values: { ...ofChat, createdAt: noon }, changes: { atNoon: null } },

    createFile: { values: valuesOf(fileOf(34, late)), into: 'RuralCreditAI', changes: { new: fileOf(34, late) } },
    updateFile: {
      values: { tenantId, fileId: uuid(31), status: 'READY', analysis: { pages: 1 }, updatedAt: now },
      changes: { file: { status: 'READY', analysis: { pages: 1 }, updatedAt: now } },
    },
    attachFile: {
      values: { tenantId, fileId: uuid(33), conversationId: chat, createdAt: early, updatedAt: now },
      changes: {
        looseFile: { conversationId: chat, GSI1PK: chatKey, GSI1SK: `FILE#${early}`, updatedAt: now },
      },
    },
    deleteFile: { values: { tenantId, fileId: uuid(31) }, changes: { file: null } },
    createDocument: {
      values: valuesOf(documentOf(53, late)),
      into: 'RuralCreditAI',
      changes: { new: documentOf(53, late) },
    },
    updateDocument: {
      values: { tenantId, documentId: uuid(51), title: 'Contrato 2', metadata: { rate: 8 }, updatedAt: now },
      changes: { contract: { title: 'Contrato 2', metadata: { rate: 8 }, updatedAt: now } },
    },
    deleteDocument: { values: { tenantId, documentId: uuid(52) }, changes: { contractAtNight: null } },
  },
});

import type { EntityValues } from '../../design/infer';
import type { Sample } from '../../proof/cases';
import type { ruralCreditAITable, tenantsTable, usersTable } from './design';

type Values<E extends keyof (typeof ruralCreditAITable)['entities']> = EntityValues<typeof ruralCreditAITable, E>;
type Examples<D extends typeof tenantsTable | typeof usersTable | typeof ruralCreditAITable> = Readonly<
  Record<string, Sample<D>>
>;

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Returns a time on the day of the examples: the given number of milliseconds after noon. */
export const at = (millisecond: number) => `2026-03-01T12:00:00.${String(millisecond).padStart(3, '0')}Z`;

/**
 * By default, items created later have an earlier `updatedAt`. Sorting a list by the wrong time therefore gives the
 * wrong order.
 */
const made = (created: number, updated = 999 - created) => ({ createdAt: at(created), updatedAt: at(updated) });

export const ids = {
  fazenda: uuid(1),
  cooperativa: uuid(2),
  costs: uuid(11),
  insurance: uuid(12),
  harvest: uuid(13),
  silo: uuid(14),
  oldChat: uuid(15),
  newChat: uuid(16),
  nowhere: uuid(99),
  soilReport: uuid(33),
  contract: uuid(53),
} as const;

// Tenants

export const tenants: Examples<typeof tenantsTable> = {
  fazenda: [
    'Tenant',
    { id: ids.fazenda, name: 'Fazenda Boa Vista', status: 'ACTIVE', settings: { plan: 'PRO' }, ...made(1) },
  ],
  cooperativa: [
    'Tenant',
    { id: ids.cooperativa, name: 'Cooperativa Central', status: 'SUSPENDED', settings: {}, ...made(2) },
  ],
};

// Users

export const user = (
  tenantId: string,
  cognitoId: string,
  name: string,
  email: string,
  created: number,
  updated?: number,
): EntityValues<typeof usersTable, 'User'> => ({
  tenantId,
  cognitoId,
  email,
  name,
  role: tenantId === ids.fazenda ? 'USER' : 'ADMIN',
  status: tenantId === ids.fazenda ? 'CONFIRMED' : 'ACTIVE',
  ...made(created, updated),
});

export const users: Examples<typeof usersTable> = {
  joao: ['User', user(ids.fazenda, 'joao', 'João', 'Joao@Fazenda.example', 2)],
  // Maria belongs to two tenants, with a different address in each.
  maria: ['User', user(ids.fazenda, 'maria', 'Maria', 'maria@fazenda.example', 4, 994)],
  mariaAtCooperativa: ['User', user(ids.cooperativa, 'maria', 'Dona Maria', 'eu@cooperativa.example', 1, 1)],
  // Maria's id is a prefix of this user's id.
  mariana: ['User', user(ids.fazenda, 'mariana', 'Ana', 'ana@fazenda.example', 3, 993)],
};

const elsewhere = user(ids.cooperativa, 'mariana', 'Ana', 'ana@fazenda.example', 3, 993);

/** A user with an undeclared attribute, and with the same address as in another tenant. */
export const documentedUsers = {
  marianaAtCooperativa: {
    entity: 'User',
    item: {
      ...{ PK: `TENANT#${ids.cooperativa}`, SK: 'USER#mariana' },
      ...{ GSI1PK: 'USER#mariana', GSI1SK: `TENANT#${ids.cooperativa}`, ...elsewhere, phone: '+55 65 0000-0000' },
    },
  },
} as const;

export const pedro = user(ids.fazenda, 'pedro', 'Pedro', 'pedro@fazenda.example', 5);
/** The time at which the cases change items. It is later than all times in the examples. */
export const LATER = at(999);

const changedMaria = (more: object): Sample<typeof usersTable> => [
  'User',
  { ...user(ids.fazenda, 'maria', 'Maria', 'maria@fazenda.example', 4), updatedAt: LATER, ...more },
];

export const usersWritten: Examples<typeof usersTable> = {
  pedro: ['User', pedro],
  joaoAtCooperativa: ['User', user(ids.cooperativa, 'joao', 'João', 'joao@FAZENDA.example', 5)],
  mariaPromoted: changedMaria({ name: 'Maria Souza', role: 'ADMIN', status: 'SUSPENDED' }),
  mariaMoved: changedMaria({ email: 'Nova@fazenda.example' }),
};

// RuralCreditAI

const conversation = (
  id: string,
  tenantId: string,
  userId: string,
  title: string,
  lastMessage: number,
  created: number,
): Values<'Conversation'> => ({
  id,
  tenantId,
  userId,
  title,
  summary: `Sobre ${title}`,
  status: title === 'Seguro' ? 'ARCHIVED' : 'ACTIVE',
  lastMessageAt: at(lastMessage),
  ...made(created),
});

/** Makes a conversation's header: the same details, without the times. */
const headerOf = ({
  lastMessageAt: _,
  createdAt: __,
  updatedAt: ___,
  ...details
}: Values<'Conversation'>): Values<'ConversationHeader'> => details;

const conversations = {
  costs: conversation(ids.costs, ids.fazenda, 'maria', 'Custeio', 32, 12),
  insurance: conversation(ids.insurance, ids.fazenda, 'maria', 'Seguro', 30, 11),
  harvest: conversation(ids.harvest, ids.fazenda, 'mariana', 'Colheita', 31, 13),
  silo: conversation(ids.silo, ids.cooperativa, 'maria', 'Armazém', 33, 10),
  oldChat: conversation(ids.oldChat, ids.cooperativa, 'joao', 'Barragem', 29, 9),
  newChat: conversation(ids.newChat, ids.fazenda, 'maria', 'Irrigação', 34, 34),
};

export const { newChat } = conversations;

export const message = (
  n: number,
  [tenantId, conversationId]: readonly [string, string],
  content: string,
  created: number,
): Values<'Message'> => ({
  id: uuid(n),
  tenantId,
  conversationId,
  role: content.endsWith('?') ? 'USER' : 'ASSISTANT',
  content,
  attachments: content.endsWith('?') ? [uuid(n + 1000)] : [],
  createdAt: at(created),
});

interface Place {
  readonly tenantId: string;
  readonly userId: string;
  readonly conversationId?: string;
  readonly messageId?: string;
}

const file = (id: string, place: Place, name: string, created: number): Sample<typeof ruralCreditAITable> => [
  'File',
  {
    id,
    ...place,
    name,
    type: name.endsWith('pdf') ? 'application/pdf' : 'image/png',
    size: 1_000_000 - created,
    s3Key: `files/${name}`,
    status: name.endsWith('pdf') ? 'READY' : 'PROCESSING',
    ...(name.endsWith('pdf') ? { analysis: { pages: created } } : {}),
    ...made(created),
  },
];

const document = (
  id: string,
  place: Required<Place>,
  type: Values<'Document'>['type'],
  title: string,
  created: number,
): Sample<typeof ruralCreditAITable> => [
  'Document',
  {
    id,
    ...place,
    type,
    title,
    description: `${title}, gerado pela conversa`,
    s3Key: `documents/${title}`,
    metadata: { rate: 7.5 },
    ...made(created),
  },
];

const aboutCosts: [string, string] = [ids.fazenda, ids.costs];
const aboutInsurance: [string, string] = [ids.fazenda, ids.insurance];
const mariaAboutCosts = { tenantId: ids.fazenda, userId: 'maria', conversationId: ids.costs, messageId: uuid(23) };
const marianaAboutCosts = { ...mariaAboutCosts, userId: 'mariana' };
const mariaAboutInsurance = { ...mariaAboutCosts, conversationId: ids.insurance, messageId: uuid(20) };
const mariaAboutSilo = { ...mariaAboutCosts, tenantId: ids.cooperativa, conversationId: ids.silo, messageId: uuid(19) };

export const ruralCreditAI: Examples<typeof ruralCreditAITable> = {
  costs: ['Conversation', conversations.costs],
  costsHeader: ['ConversationHeader', headerOf(conversations.costs)],
  insurance: ['Conversation', conversations.insurance],
  insuranceHeader: ['ConversationHeader', headerOf(conversations.insurance)],
  harvest: ['Conversation', conversations.harvest],
  harvestHeader: ['ConversationHeader', headerOf(conversations.harvest)],
  // Another of Maria's conversations, in her second tenant.
  silo: ['Conversation', conversations.silo],
  siloHeader: ['ConversationHeader', headerOf(conversations.silo)],
  // This conversation is as in the document, without a header.
  oldChat: ['Conversation', conversations.oldChat],

  // Later messages have smaller ids, so that sorting by id gives the wrong order.
  costsQuestion: ['Message', message(23, aboutCosts, 'Quanto custa o plantio?', 21)],
  costsAnswer: ['Message', message(22, aboutCosts, 'Depende da área.', 22)],
  costsThanks: ['Message', message(21, aboutCosts, 'Obrigada, e a taxa?', 32)],
  // This conversation has a greater id than the previous one, but its first message was sent before all of the messages
  // above.
  insuranceQuestion: ['Message', message(20, aboutInsurance, 'Cobre granizo?', 20)],
  insuranceAnswer: ['Message', message(18, aboutInsurance, 'Cobre.', 30)],
  siloQuestion: ['Message', message(19, [ids.cooperativa, ids.silo], 'Há vaga no silo?', 33)],

  // The files and documents sort differently by conversation, by user and by tenant.
  fieldMap: file(uuid(31), mariaAboutCosts, 'mapa.png', 42),
  invoice: file(uuid(32), mariaAboutCosts, 'boleto.pdf', 43),
  soilReport: file(ids.soilReport, marianaAboutCosts, 'solo.pdf', 41),
  // This file was uploaded outside of any conversation, so it is not in the index by conversation.
  portrait: file(uuid(34), { tenantId: ids.fazenda, userId: 'maria' }, 'foto.png', 40),
  policy: file(uuid(35), mariaAboutInsurance, 'apolice.pdf', 39),
  siloPlan: file(uuid(36), mariaAboutSilo, 'planta.pdf', 44),

  simulation: document(uuid(51), mariaAboutCosts, 'SIMULATION', 'Simulação', 62),
  report: document(uuid(52), mariaAboutCosts, 'REPORT', 'Relatório', 63),
  contract: document(ids.contract, marianaAboutCosts, 'CONTRACT', 'Contrato', 61),
  quotation: document(uuid(54), mariaAboutInsurance, 'SIMULATION', 'Cotação', 59),
  siloContract: document(uuid(55), mariaAboutSilo, 'CONTRACT', 'Aluguel', 64),
};

/** This message continues the least recently active conversation. */
export const insuranceReminder = message(17, aboutInsurance, 'E contra a seca?', 50);
/** A message that arrives after a message with a later time. */
export const lateReminder = message(16, aboutInsurance, 'E contra o fogo?', 25);
/** A message to a conversation without a header. */
export const oldChatAnswer = message(15, [ids.cooperativa, ids.oldChat], 'Há.', 51);

const insuranceReminded = { ...conversations.insurance, lastMessageAt: at(50), updatedAt: at(50) };
export const changedChat = { title: 'Custeio 2026', summary: 'Taxas', status: 'ARCHIVED' as const };
const changed = { ...conversations.costs, ...changedChat, updatedAt: LATER };
const changedOldChat = { ...conversations.oldChat, ...changedChat, updatedAt: LATER };
const fileNamed = (name: string) => (ruralCreditAI[name] as readonly ['File', Values<'File'>])[1];
const changedFile = (name: string, more: object): Sample<typeof ruralCreditAITable> => [
  'File',
  { ...fileNamed(name), updatedAt: LATER, ...more },
];
export const newFile = { ...fileNamed('siloPlan'), id: uuid(37), createdAt: at(45) };
export const newDocument = {
  ...(ruralCreditAI.siloContract as readonly ['Document', Values<'Document'>])[1],
  id: uuid(56),
  createdAt: at(65),
};
export const otherDocument = {
  title: 'Contrato 2',
  description: 'Revisto',
  s3Key: 'documents/2',
  metadata: { rate: 8 },
};
export const ruralCreditAIWritten: Examples<typeof ruralCreditAITable> = {
  newChat: ['Conversation', newChat],
  newChatHeader: ['ConversationHeader', headerOf(newChat)],
  insuranceReminder: ['Message', insuranceReminder],
  insuranceReminded: ['Conversation', insuranceReminded],
  lateReminder: ['Message', lateReminder],
  changed: ['Conversation', changed],
  changedHeader: ['ConversationHeader', headerOf(changed)],
  changedOldChat: ['Conversation', changedOldChat],
  oldChatHeader: ['ConversationHeader', headerOf(changedOldChat)],
  oldChatAnswer: ['Message', oldChatAnswer],
  oldChatAnswered: ['Conversation', { ...conversations.oldChat, lastMessageAt: at(51), updatedAt: at(51) }],
  costsQuestionEdited: [
    'Message',
    { ...message(23, aboutCosts, 'Quanto custa o plantio?', 21), content: 'Quanto?', attachments: [uuid(7)] },
  ],

  newFile: ['File', newFile],
  fieldMapReady: changedFile('fieldMap', { name: 'talhao.png', status: 'READY', analysis: { hectares: 12 } }),
  portraitAttached: changedFile('portrait', { conversationId: ids.costs, messageId: uuid(23) }),
  newDocument: ['Document', newDocument],
  contractChanged: [
    'Document',
    {
      ...(ruralCreditAI.contract as readonly ['Document', Values<'Document'>])[1],
      ...otherDocument,
      updatedAt: LATER,
    },
  ],
};

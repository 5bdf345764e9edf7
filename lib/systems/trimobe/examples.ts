import type { EntityValues } from '../../design/infer';
import type { Sample } from '../../proof/cases';
import type { ruralCreditAITable, tenantsTable, usersTable } from './design';

type Values<E extends keyof (typeof ruralCreditAITable)['entities']> = EntityValues<typeof ruralCreditAITable, E>;
type Examples<D extends typeof tenantsTable | typeof usersTable | typeof ruralCreditAITable> = Readonly<
  Record<string, Sample<D>>
>;

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A moment of the day on which everything happens, a millisecond apart. */
export const at = (millisecond: number) => `2026-03-01T12:00:00.${String(millisecond).padStart(3, '0')}Z`;

/** Unless said otherwise, what is made later was changed earlier: a list by the wrong one is in the wrong order. */
const made = (created: number, updated = 999 - created) => ({ createdAt: at(created), updatedAt: at(updated) });

export const ids = {
  fazenda: uuid(1),
  cooperativa: uuid(2),
  usina: uuid(3),
  costs: uuid(11),
  insurance: uuid(12),
  harvest: uuid(13),
  silo: uuid(14),
  oldChat: uuid(15),
  newChat: uuid(16),
  olderChat: uuid(17),
  staleChat: uuid(18),
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

const address = (email: string, cognitoId: string, memberships: number): Sample<typeof usersTable> => [
  'UserEmail',
  { email, cognitoId, memberships },
];

const older = (address: string, cognitoId?: string): Sample<typeof usersTable> => [
  'OlderEmail',
  { address, ...(cognitoId === undefined ? {} : { cognitoId }), tenantId: ids.fazenda },
];

export const users: Examples<typeof usersTable> = {
  joao: ['User', user(ids.fazenda, 'joao', 'João', 'Joao@Fazenda.example', 2)],
  joaosAddress: address('joao@fazenda.example', 'joao', 1),
  // From before addresses were compared in lower case: his own, one that does not say whose it is, and one of another.
  joaosOlderAddress: older('Joao@Fazenda.example', 'joao'),
  olderAddress: older('JOAO@fazenda.example'),
  olderAddressOfAnother: older('Maria@fazenda.example', 'lia'),
  maria: ['User', user(ids.fazenda, 'maria', 'Maria', 'maria@fazenda.example', 4, 994)],
  mariasAddress: address('maria@fazenda.example', 'maria', 1),
  // Her id begins as that of another. She has one address in two tenants.
  mariana: ['User', user(ids.fazenda, 'mariana', 'Ana', 'ana@fazenda.example', 3, 993)],
  marianaAtCooperativa: ['User', user(ids.cooperativa, 'mariana', 'Ana', 'ana@fazenda.example', 3, 993)],
  marianasAddress: address('ana@fazenda.example', 'mariana', 2),
  marianaAtUsina: ['User', user(ids.usina, 'mariana', 'Ana', 'ana@usina.example', 3)],
  marianasAddressAtUsina: address('ana@usina.example', 'mariana', 1),
  // One person in two tenants, with an address for each.
  mariaAtCooperativa: ['User', user(ids.cooperativa, 'maria', 'Dona Maria', 'eu@cooperativa.example', 1, 1)],
  mariasAddressAtCooperativa: address('eu@cooperativa.example', 'maria', 1),
  // In three tenants, with one address in two of them.
  nina: ['User', user(ids.fazenda, 'nina', 'Nina', 'nina@fazenda.example', 9)],
  ninaAtCooperativa: ['User', user(ids.cooperativa, 'nina', 'Nina', 'nina@fazenda.example', 9)],
  ninaAtUsina: ['User', user(ids.usina, 'nina', 'Nina', 'nina@usina.example', 9)],
  ninasAddress: address('nina@fazenda.example', 'nina', 2),
  ninasOtherAddress: address('nina@usina.example', 'nina', 1),
  // From before there were guards: their addresses are those of others, and they have some of their own.
  zesAddress: address('ze@fazenda.example', 'ze', 1),
  biasAddress: address('bia@fazenda.example', 'bia', 1),
  lia: ['User', user(ids.usina, 'lia', 'Lia', 'bia@fazenda.example', 8)],
  liasAddress: address('lia@fazenda.example', 'lia', 1),
  bia: ['User', user(ids.fazenda, 'bia', 'Bia', 'ana@fazenda.example', 7)],
  ze: ['User', user(ids.fazenda, 'ze', 'Zé', 'eu@cooperativa.example', 8)],
  // And one whose address has no guard yet.
  raulsOtherAddress: address('raul@usina.example', 'raul', 1),
  raul: ['User', user(ids.cooperativa, 'raul', 'Raul', 'raul@cooperativa.example', 9)],
};

export const pedro = user(ids.fazenda, 'pedro', 'Pedro', 'pedro@fazenda.example', 5);
/** The last moment of the day, when things are changed. */
export const LATER = at(999);

const changed = ({ tenantId, cognitoId, email, name, createdAt }: typeof pedro, more: object) =>
  ['User', { ...user(tenantId, cognitoId, name, email, 1), createdAt, updatedAt: LATER, ...more }] as const;
const userNamed = (name: string) => (users[name] as readonly ['User', typeof pedro])[1];

export const usersWritten: Examples<typeof usersTable> = {
  pedro: ['User', pedro],
  pedrosAddress: address('pedro@fazenda.example', 'pedro', 1),
  joaoAtCooperativa: ['User', user(ids.cooperativa, 'joao', 'João', 'joao@FAZENDA.example', 5)],
  joaosAddressTwice: address('joao@fazenda.example', 'joao', 2),
  mariasAddressTwice: address('maria@fazenda.example', 'maria', 2),
  marianasAddressOnce: address('ana@fazenda.example', 'mariana', 1),
  mariaPromoted: changed(userNamed('maria'), { name: 'Maria Souza', role: 'ADMIN', status: 'SUSPENDED' }),
  mariaMoved: changed(userNamed('maria'), { email: 'Nova@fazenda.example' }),
  mariasNewAddress: address('nova@fazenda.example', 'maria', 1),
  mariaOfOneAddress: changed(userNamed('mariaAtCooperativa'), { email: 'maria@fazenda.example' }),
  marianaMoved: changed(userNamed('marianaAtCooperativa'), { email: 'ana@cooperativa.example' }),
  marianasNewAddressTwice: address('ana@cooperativa.example', 'mariana', 2),
  marianaMovedToo: changed(userNamed('mariana'), { email: 'ana@cooperativa.example' }),
  ninaMovedAtCooperativa: changed(userNamed('ninaAtCooperativa'), { email: 'nina@cooperativa.example' }),
  ninasNewAddress: address('nina@cooperativa.example', 'nina', 1),
  ninaMoved: changed(userNamed('nina'), { email: 'nina@usina.example' }),
  ninasAddressOnce: address('nina@fazenda.example', 'nina', 1),
  ninasOtherAddressTwice: address('nina@usina.example', 'nina', 2),
  zeMoved: changed(userNamed('ze'), { email: 'ze@cooperativa.example' }),
  zesNewAddress: address('ze@cooperativa.example', 'ze', 1),
  zeMovedToOwn: changed(userNamed('ze'), { email: 'ze@fazenda.example' }),
  zesAddressTwice: address('ze@fazenda.example', 'ze', 2),
  biaMoved: changed(userNamed('bia'), { email: 'bia@fazenda.example' }),
  biasAddressTwice: address('bia@fazenda.example', 'bia', 2),
  liaMoved: changed(userNamed('lia'), { email: 'lia@usina.example' }),
  liasNewAddress: address('lia@usina.example', 'lia', 1),
  raulsAddress: address('raul@cooperativa.example', 'raul', 1),
  claimed: address('antiga@fazenda.example', 'joao', 3),
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

/** The row that heads the messages says the same. */
const headerOf = (conversation: Values<'Conversation'>): Values<'ConversationHeader'> => conversation;

const conversations = {
  costs: conversation(ids.costs, ids.fazenda, 'maria', 'Custeio', 32, 12),
  insurance: conversation(ids.insurance, ids.fazenda, 'maria', 'Seguro', 30, 11),
  harvest: conversation(ids.harvest, ids.fazenda, 'mariana', 'Colheita', 31, 13),
  silo: conversation(ids.silo, ids.cooperativa, 'maria', 'Armazém', 33, 10),
  oldChat: conversation(ids.oldChat, ids.cooperativa, 'joao', 'Barragem', 29, 9),
  olderChat: conversation(ids.olderChat, ids.usina, 'nina', 'Safra', 28, 8),
  staleChat: conversation(ids.staleChat, ids.usina, 'nina', 'Frete', 27, 7),
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
  // Maria's too, but in her other tenant.
  silo: ['Conversation', conversations.silo],
  siloHeader: ['ConversationHeader', headerOf(conversations.silo)],
  // From before there were headers.
  oldChat: ['Conversation', conversations.oldChat],
  olderChat: ['Conversation', conversations.olderChat],
  // With a header that is not as it is.
  staleChat: ['Conversation', conversations.staleChat],
  staleHeader: ['ConversationHeader', { ...headerOf(conversations.staleChat), title: 'Outra' }],

  // The later a message, the smaller its id.
  costsQuestion: ['Message', message(23, aboutCosts, 'Quanto custa o plantio?', 21)],
  costsAnswer: ['Message', message(22, aboutCosts, 'Depende da área.', 22)],
  costsThanks: ['Message', message(21, aboutCosts, 'Obrigada, e a taxa?', 32)],
  // Of a later conversation, and from before all of those.
  insuranceQuestion: ['Message', message(20, aboutInsurance, 'Cobre granizo?', 20)],
  insuranceAnswer: ['Message', message(18, aboutInsurance, 'Cobre.', 30)],
  siloQuestion: ['Message', message(19, [ids.cooperativa, ids.silo], 'Há vaga no silo?', 33)],

  // Files and documents of one conversation, one user and one tenant: each in an order of its own.
  fieldMap: file(uuid(31), mariaAboutCosts, 'mapa.png', 42),
  invoice: file(uuid(32), mariaAboutCosts, 'boleto.pdf', 43),
  soilReport: file(ids.soilReport, marianaAboutCosts, 'solo.pdf', 41),
  // Given outside of any conversation: not in its index.
  portrait: file(uuid(34), { tenantId: ids.fazenda, userId: 'maria' }, 'foto.png', 40),
  policy: file(uuid(35), mariaAboutInsurance, 'apolice.pdf', 39),
  siloPlan: file(uuid(36), mariaAboutSilo, 'planta.pdf', 44),

  simulation: document(uuid(51), mariaAboutCosts, 'SIMULATION', 'Simulação', 62),
  report: document(uuid(52), mariaAboutCosts, 'REPORT', 'Relatório', 63),
  contract: document(ids.contract, marianaAboutCosts, 'CONTRACT', 'Contrato', 61),
  quotation: document(uuid(54), mariaAboutInsurance, 'SIMULATION', 'Cotação', 59),
  siloContract: document(uuid(55), mariaAboutSilo, 'CONTRACT', 'Aluguel', 64),
};

/** Goes on with a conversation that was last spoken in before all others. */
export const insuranceReminder = message(17, aboutInsurance, 'E contra a seca?', 50);

const insuranceReminded = { ...conversations.insurance, lastMessageAt: at(50), updatedAt: at(50) };
const renamed = { ...conversations.costs, title: 'Custeio 2026', summary: 'Taxas', updatedAt: LATER };
const archived = { ...conversations.costs, status: 'ARCHIVED' as const, updatedAt: LATER };
const fileNamed = (name: string) => (ruralCreditAI[name] as readonly ['File', Values<'File'>])[1];
const changedFile = (name: string, more: object): Sample<typeof ruralCreditAITable> => [
  'File',
  { ...fileNamed(name), updatedAt: LATER, ...more },
];
const without = <T extends object, K extends keyof T>(values: T, ...names: readonly K[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name as K)));

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
/** The headers of conversations that have none. */
export const oldChatHeader = headerOf(conversations.oldChat);
export const olderChatHeader = headerOf(conversations.olderChat);
/** And of one that has another. */
export const staleChatHeader = headerOf(conversations.staleChat);

export const ruralCreditAIWritten: Examples<typeof ruralCreditAITable> = {
  newChat: ['Conversation', newChat],
  newChatHeader: ['ConversationHeader', headerOf(newChat)],
  insuranceReminder: ['Message', insuranceReminder],
  insuranceReminded: ['Conversation', insuranceReminded],
  insuranceRemindedHeader: ['ConversationHeader', headerOf(insuranceReminded)],
  oldChatHeader: ['ConversationHeader', oldChatHeader],
  staleChatHeader: ['ConversationHeader', staleChatHeader],
  renamed: ['Conversation', renamed],
  renamedHeader: ['ConversationHeader', headerOf(renamed)],
  archived: ['Conversation', archived],
  archivedHeader: ['ConversationHeader', headerOf(archived)],
  costsQuestionEdited: [
    'Message',
    { ...message(23, aboutCosts, 'Quanto custa o plantio?', 21), content: 'Quanto?', attachments: [uuid(7)] },
  ],

  newFile: ['File', newFile],
  fieldMapRenamed: changedFile('fieldMap', { name: 'talhao.png' }),
  fieldMapReady: changedFile('fieldMap', { status: 'READY', analysis: { hectares: 12 } }),
  fieldMapFailed: changedFile('fieldMap', { status: 'ERROR' }),
  soilReportAgain: [
    'File',
    { ...without(fileNamed('soilReport'), 'analysis'), status: 'PROCESSING', updatedAt: LATER },
  ],
  portraitAttached: changedFile('portrait', { conversationId: ids.costs, messageId: uuid(23) }),
  fieldMapDetached: ['File', { ...without(fileNamed('fieldMap'), 'conversationId', 'messageId'), updatedAt: LATER }],
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

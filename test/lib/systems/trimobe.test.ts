import { requests } from '../../../lib/dynamodb';
import { unique } from '../../../lib/dynamodb/unique';
import { ruralCreditAITable, usersTable } from '../../../lib/systems/trimobe';

const at = '2026-03-01T12:00:00.000Z';
const id = 'a1b2c3d4-e5f6-4890-abcd-ef1234567890';
const tenantId = 'b1b2c3d4-e5f6-4890-abcd-ef1234567890';
const patterns = requests(ruralCreditAITable, 'ai');
// The values are distinct, so that a test fails if the design replaces a parameter with a constant.
const details = { title: 'Custeio', summary: 'Soja', status: 'ARCHIVED' as const };
const header = { PK: `CONVERSATION#${id}`, SK: 'HEADER', id, tenantId, userId: 'u', ...details };

test("a conversation's header item copies its details, but none of its times", () => {
  const conversation = { id, tenantId, userId: 'u', ...details, lastMessageAt: at, createdAt: at, updatedAt: at };
  const [, made] = patterns.createConversation({ conversation }).TransactItems;
  expect(made?.Put?.Item).toEqual(header);
  const change = { tenantId, conversationId: id, userId: 'u', ...details, updatedAt: at };
  const [, changed] = patterns.updateConversation(change).TransactItems;
  expect(changed?.Put?.Item).toEqual(header);
});

test('the guard for an address has a lower-case key, so that letter case does not matter', () => {
  const { releaseEmail } = requests(usersTable, 'users', { unique });
  const keyOf = (email: string) => (releaseEmail({ email, cognitoId: 'ana' }) as { readonly Key: object }).Key;
  expect(keyOf('Ana@Exemplo.com.br')).toEqual(keyOf('ana@exemplo.com.br'));
});

test('the Users table has at most nine patterns', () => {
  expect(Object.keys(usersTable.patterns).length).toBeLessThanOrEqual(9);
});

test('trimobe accepts only the states that the document lists', () => {
  const set = (status: string) => () =>
    patterns.updateFile({ tenantId, fileId: id, status: status as 'READY', updatedAt: at });
  for (const status of ['PROCESSING', 'READY', 'ERROR']) expect(set(status)).not.toThrow();
  for (const status of ['DELETED', 'ready', '']) expect(set(status)).toThrow('status');
});

import { hasSteps, isRead } from '../../../lib/blueprint/accesses';
import { outline } from '../../../lib/blueprint/outline';
import type { PatternDesign, TransactionStep } from '../../../lib/design/pattern';
import { requests } from '../../../lib/dynamodb';
import { entityOf } from '../../../lib/items/item';
import { ruralCreditAITable } from '../../../lib/systems/trimobe/design';
import { usersTable } from '../../../lib/systems/trimobe/users';

/** What each pattern writes, by step; a write that is alone is a step of its own name. */
const writes = Object.entries(ruralCreditAITable.patterns as Readonly<Record<string, PatternDesign>>)
  .filter(([, pattern]) => !isRead(pattern))
  .map(([name, pattern]) => {
    const steps = hasSteps(pattern) ? pattern.steps : { [name]: pattern };
    return [name, Object.values(steps) as readonly TransactionStep[]] as const;
  });

const stepOn = (steps: readonly TransactionStep[], entity: string) =>
  steps.find((step) => step.entity === entity && step.op !== 'require');

test('a guard is known by its key alone, with capitals from the time before and without them now', () => {
  const plan = outline(usersTable);
  const guard = (key: string) => entityOf(plan, { PK: key, SK: key, cognitoId: 'ana' }, plan.entities)?.name;
  expect(guard('EMAIL#ana@fazenda.example')).toBe('UserEmail');
  expect(guard('EMAIL#Ana@fazenda.example')).toBe('OlderEmail');
});

describe('the header of a conversation', () => {
  const both = writes.filter(([, steps]) => stepOn(steps, 'Conversation') ?? stepOn(steps, 'ConversationHeader'));

  test('has all that the conversation has', () => {
    const { Conversation, ConversationHeader } = ruralCreditAITable.entities;
    expect(ConversationHeader.attributes).toBe(Conversation.attributes);
  });

  test('is written by these, and by no other', () => {
    expect(both.map(([name]) => name)).toEqual([
      ...['createConversation', 'headConversation', 'updateConversation', 'setConversationStatus'],
      ...['deleteConversation', 'postMessage'],
    ]);
  });

  test.each(both.filter(([name]) => name !== 'headConversation'))(
    'is changed by %s as the conversation is',
    (_, steps) => {
      const [conversation, header] = ['Conversation', 'ConversationHeader'].map((entity) => stepOn(steps, entity));
      expect(header?.op).toBe(conversation?.op);
      if (conversation?.op === 'update') expect(header).toMatchObject({ set: conversation.set });
    },
  );

  test('is made with every attribute of the conversation that is made', () => {
    const at = '2026-03-01T12:00:00.000Z';
    const conversation = {
      ...{ id: 'a1b2c3d4-e5f6-4890-abcd-ef1234567890', tenantId: 'b1b2c3d4-e5f6-4890-abcd-ef1234567890', userId: 'u' },
      ...{
        title: 'Custeio',
        summary: 'Soja',
        // A constant in the place of any of these would show.
        status: 'ARCHIVED' as const,
        lastMessageAt: at,
        createdAt: at,
        updatedAt: at,
      },
    };
    const made = requests(ruralCreditAITable, 'ai').patterns.createConversation({ conversation }).TransactItems;
    const [, header] = made.map(({ Put }) => Put?.Item);
    expect(header).toEqual({ ...conversation, PK: `CONVERSATION#${conversation.id}`, SK: 'HEADER' });
  });
});

test('an address is compared in lower case: its guard has one key, however it is written', () => {
  const { patterns } = requests(usersTable, 'users');
  expect(patterns.emailOwner({ email: 'Ana@Exemplo.com.br' }).Key).toEqual(
    patterns.emailOwner({ email: 'ana@exemplo.com.br' }).Key,
  );
});

test('states are those that the document lists, and no others', () => {
  const { patterns } = requests(ruralCreditAITable, 'ai');
  const conversation = {
    tenantId: '11111111-1111-4111-8111-111111111111',
    conversationId: 'a1b2c3d4-e5f6-4890-abcd-ef1234567890',
  };
  const set = (status: string) => () =>
    patterns.setConversationStatus({
      ...conversation,
      status: status as 'ACTIVE',
      updatedAt: '2026-03-01T12:00:00.000Z',
    });
  for (const status of ['ACTIVE', 'ARCHIVED']) expect(set(status)).not.toThrow();
  for (const status of ['DELETED', 'active', '']) expect(set(status)).toThrow('status');
});

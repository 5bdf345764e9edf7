import { client } from '../../../lib/dynamodb/client';
import { booking } from '../../../lib/systems';
import { conversationStateTable } from '../../../lib/systems/booking/design';
import { embedded } from '../../support/embedded';

const tables = embedded(booking);
const conversations = client(conversationStateTable, tables.nameOf('ConversationState'), tables.send);
const conversation = { tenantId: 'andina', conversationId: 'conv_abc123' };

test('each update of a conversation adds its own attributes and keeps all earlier attributes', async () => {
  const began = { ...conversation, state: 'INIT', updatedAt: '2025-12-01T15:00:00Z' };
  await conversations.updateConversation(began);
  expect(await conversations.getConversation(conversation)).toEqual(began);

  const chosen = { state: 'SERVICE_SELECTED', serviceId: 'svc_123', updatedAt: '2025-12-01T15:10:00Z' };
  await conversations.updateConversation({ ...conversation, ...chosen, slotStart: null });
  const next = { state: 'PROVIDER_SELECTED', providerId: 'pro_55', updatedAt: '2025-12-01T15:20:00Z' };
  await conversations.updateConversation({ ...conversation, ...next });
  expect(await conversations.getConversation(conversation)).toEqual({
    ...began,
    ...chosen,
    ...next,
    slotStart: null,
  });
});

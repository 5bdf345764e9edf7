import { defineCases } from '../../proof/cases';
import { bookingsCases, procedureCases } from './cases/bookings';
import { availabilityCases, providersCases, servicesCases } from './cases/offers';
import { apiKeysCases, tenantsCases } from './cases/tenants';
import { booking } from './design';
import { conversationOf, conversations, documented } from './examples';

const fullConversation = conversationOf('andina', 'conv_new');
const ended = { tenantId: 'andina', conversationId: 'conv_new1' };

export const bookingCases = defineCases(booking, {
  tables: {
    Tenants: tenantsCases,
    TenantApiKeys: apiKeysCases,
    Services: servicesCases,
    Providers: providersCases,
    ProviderAvailability: availabilityCases,
    Bookings: bookingsCases,

    ConversationState: {
      documented: { conv_abc123: { entity: 'ConversationState', item: documented.conversation } },
      items: conversations,
      written: { fullConversation: ['ConversationState', fullConversation] },
      patterns: {
        getConversation: { values: { tenantId: 'andina', conversationId: 'conv_abc123' }, returns: ['conv_abc123'] },
        updateConversation: {
          values: fullConversation,
          shows: [
            {
              pattern: 'getConversation',
              values: { tenantId: 'andina', conversationId: 'conv_new' },
              returns: ['fullConversation'],
            },
            {
              pattern: 'getConversation',
              values: { tenantId: 'andina', conversationId: 'conv_new1' },
              returns: ['other'],
            },
            {
              pattern: 'getConversation',
              values: { tenantId: 'aconcagua', conversationId: 'conv_new' },
              returns: [],
            },
          ],
          refuses: [
            { why: 'an empty state', values: { ...fullConversation, state: '' }, error: 'ItemError' },
            {
              why: 'a time with an offset, which would not sort in chronological order',
              values: { ...fullConversation, slotStart: '2025-12-01T17:30:00+01:00' },
              error: 'ItemError',
            },
          ],
        },
        endConversation: {
          values: ended,
          shows: [
            { pattern: 'getConversation', values: ended, returns: [] },
            {
              pattern: 'getConversation',
              values: { tenantId: 'andina', conversationId: 'conv_abc123' },
              returns: ['conv_abc123'],
            },
          ],
        },
      },
    },
  },

  procedures: procedureCases,
});

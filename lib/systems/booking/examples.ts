import type { NewBooking } from './procedures';

/** The document's exact example items. The service and the booking have no GSI1 keys, so they are not in the index. */
export const documented = {
  tenant: {
    tenantId: 'andina',
    name: 'Coca-Cola Andina',
    slug: 'andina',
    status: 'ACTIVE',
    plan: 'PRO',
    createdAt: '2025-01-01T00:00:00Z',
    ownerUserId: 'user_123',
    billingEmail: 'billing@andina.com',
    settings: {
      language: 'es-CL',
      defaultTimezone: 'America/Santiago',
      widget: {
        primaryColor: '#f44336',
        position: 'bottom-right',
      },
    },
  },
  apiKey: {
    tenantId: 'andina',
    apiKeyId: 'key_001',
    apiKeyHash: 'sha256_hash_here',
    status: 'ACTIVE',
    allowedOrigins: ['https://www.andina.cl'],
    rateLimit: 100,
    createdAt: '2025-01-01T10:00:00Z',
  },
  service: {
    tenantId: 'andina',
    serviceId: 'svc_123',
    name: 'Masaje descontracturante',
    description: 'Masaje de 60 minutos',
    durationMinutes: 60,
    price: 25000,
    category: 'masajes',
    active: true,
  },
  provider: {
    tenantId: 'andina',
    providerId: 'pro_55',
    name: 'María González',
    bio: 'Masajista profesional',
    services: ['svc_123', 'svc_456'],
    timezone: 'America/Santiago',
    active: true,
  },
  monday: {
    PK: 'andina#pro_55',
    SK: 'MON',
    timeRanges: [
      { startTime: '09:00', endTime: '13:00' },
      { startTime: '15:00', endTime: '19:00' },
    ],
    breaks: [{ startTime: '11:00', endTime: '11:15' }],
    exceptions: [],
  },
  booking: {
    PK: 'andina#pro_55',
    SK: '2025-12-01T17:30:00Z',
    bookingId: 'book_789',
    tenantId: 'andina',
    providerId: 'pro_55',
    serviceId: 'svc_123',
    customerId: 'cust_001',
    endTime: '2025-12-01T18:30:00Z',
    status: 'CONFIRMED',
    paymentStatus: 'PAID',
    createdAt: '2025-12-01T10:00:00Z',
  },
  conversation: {
    PK: 'andina',
    SK: 'conv_abc123',
    state: 'PROVIDER_SELECTED',
    serviceId: 'svc_123',
    providerId: 'pro_55',
    slotStart: null,
    slotEnd: null,
    updatedAt: '2025-12-01T15:30:00Z',
    userContext: {
      userId: 'user_ext_001',
      name: 'Juan Pérez',
    },
  },
};

// If a pattern used the wrong key, index or range, it would also return the neighbors below, or return items in the
// wrong order.

const tenant = (tenantId: string, ownerUserId: string, createdAt: string) =>
  [
    'Tenant',
    {
      tenantId,
      ownerUserId,
      createdAt,
      name: `Empresa ${tenantId}`,
      slug: tenantId,
      status: 'TRIAL',
      plan: 'FREE',
      settings: {},
      billingEmail: `billing@${tenantId}.example`,
    },
  ] as const;

/** These tenants sort differently by id and by date. */
export const tenants = {
  zapallar: tenant('zapallar', 'user_123', '2024-06-01T00:00:00Z'),
  aconcagua: tenant('aconcagua', 'user_123', '2025-03-01T00:00:00Z'),
  and: tenant('and', 'user_12', '2025-01-01T00:00:00Z'),
  closed: ['Tenant', { ...tenant('closed', 'user_5', '2023-01-01T00:00:00Z')[1], status: 'CANCELLED' }] as const,
  andina2: tenant('andina2', 'user_1234', '2025-01-01T00:00:00Z'),
};

const apiKey = (tenantId: string, apiKeyId: string, apiKeyHash: string, status: 'ACTIVE' | 'REVOKED' = 'ACTIVE') =>
  [
    'TenantApiKey',
    {
      tenantId,
      apiKeyId,
      apiKeyHash,
      status,
      apiKeyPublic: `pk_${apiKeyId}`,
      allowedOrigins: [],
      createdAt: '2025-02-01T10:00:00Z',
      lastUsedAt: '2025-03-01T10:00:00Z',
      rateLimit: 600,
    },
  ] as const;

/** A lookup by hash also finds a revoked key of a different tenant, so the caller must check the status of each key. */
export const apiKeys = {
  revokedElsewhere: apiKey('aconcagua', 'key_900', 'sha256_hash_here', 'REVOKED'),
  first: apiKey('andina', 'key_000', 'sha256_hash_zero', 'REVOKED'),
  longer: apiKey('andina', 'key_0010', 'sha256_hash_here_too'),
  shorterHash: apiKey('andina', 'key_002', 'sha256_hash_her'),
  ofLongerTenant: apiKey('andina2', 'key_001', 'sha256_hash_andina2'),
};

const service = (tenantId: string, serviceId: string, category: string, name: string, active = true) =>
  [
    'Service',
    { tenantId, serviceId, category, name, active, description: serviceId, durationMinutes: 45, price: 18000 },
  ] as const;

/** These services sort differently by name and by id. */
export const services = {
  stones: service('andina', 'svc_9', 'masajes', 'Masaje con piedras'),
  relaxing: service('andina', 'svc_2', 'masajes', 'Masaje relajante', false),
  singular: service('andina', 'svc_1', 'masaje', 'Masaje de prueba'),
  sports: service('andina', 'svc_1234', 'masajes deportivos', 'Masaje deportivo'),
  elsewhere: service('aconcagua', 'svc_123', 'masajes', 'Masaje descontracturante'),
  longerTenant: service('andina2', 'svc_123', 'masajes', 'Masaje descontracturante'),
};

const provider = (tenantId: string, providerId: string, services: readonly string[], active = true) =>
  [
    'Provider',
    { tenantId, providerId, services: [...services], active, name: providerId, bio: '', timezone: 'America/Santiago' },
  ] as const;

export const providers = {
  shorter: provider('andina', 'pro_5', ['svc_12', 'svc_1234']),
  longer: provider('andina', 'pro_550', ['svc_456', 'svc_123'], false),
  elsewhere: provider('aconcagua', 'pro_55', ['svc_123']),
  longerTenant: provider('andina2', 'pro_55', ['svc_123']),
};

const availability = (tenantId: string, providerId: string, dayOfWeek: 'MON' | 'TUE' | 'WED' | 'FRI', from: string) =>
  [
    'ProviderAvailability',
    {
      tenantId,
      providerId,
      dayOfWeek,
      timeRanges: [{ startTime: from, endTime: '20:00' }],
      breaks: [],
      exceptions: ['2025-12-25'],
    },
  ] as const;

export const availabilities = {
  friday: availability('andina', 'pro_55', 'FRI', '10:00'),
  wednesday: availability('andina', 'pro_55', 'WED', '11:00'),
  tuesday: availability('andina', 'pro_55', 'TUE', '12:00'),
  ofShorter: availability('andina', 'pro_5', 'MON', '13:00'),
  ofLonger: availability('andina', 'pro_550', 'MON', '14:00'),
  elsewhere: availability('aconcagua', 'pro_55', 'MON', '15:00'),
};

/** Makes a booking, by default with the document's provider, service and customer. */
export const bookingOf = (bookingId: string, startTime: string, endTime: string, other: Partial<NewBooking> = {}) => ({
  bookingId,
  startTime: `${startTime}:00Z`,
  endTime: `${endTime}:00Z`,
  tenantId: 'andina',
  providerId: 'pro_55',
  serviceId: 'svc_123',
  customerId: 'cust_002',
  status: 'CONFIRMED' as const,
  paymentStatus: 'NONE' as const,
  createdAt: '2025-11-01T10:00:00Z',
  ...other,
});

const booking = (...values: Parameters<typeof bookingOf>) => ['Booking', bookingOf(...values)] as const;

/** The booking that `bookingOf` makes, after its cancellation. */
export const cancelledOf = (...values: Parameters<typeof bookingOf>) => ({
  ...bookingOf(...values),
  status: 'CANCELLED' as const,
  cancelledAt: '2025-11-20T10:00:00Z',
});

const cancelled = (...values: Parameters<typeof bookingOf>) => ['CancelledBooking', cancelledOf(...values)] as const;

const day = (date: string, version: number, providerId = 'pro_55', tenantId = 'andina') =>
  ['ProviderDay', { tenantId, providerId, date, version }] as const;

/** A customer's bookings sort differently by provider and by time. */
export const bookings = {
  overMidnight: booking('book_700', '2025-11-30T23:30', '2025-12-01T00:30'),
  morning: booking('book_701', '2025-12-01T09:00', '2025-12-01T10:00', { customerId: 'cust_001' }),
  cancelled: booking('book_702', '2025-12-01T12:00', '2025-12-01T13:00', { status: 'CANCELLED' }),
  midnight: booking('book_703', '2025-12-02T00:00', '2025-12-02T01:00', { customerId: 'cust_0010' }),
  afterMidnight: booking('book_704', '2025-12-02T01:00', '2025-12-02T02:00', { customerId: 'cust_00' }),
  ofLater: booking('book_705', '2025-11-15T09:00', '2025-11-15T10:00', { providerId: 'pro_9', customerId: 'cust_001' }),
  ofEarlier: booking('book_706', '2025-12-20T09:00', '2025-12-20T10:00', {
    providerId: 'pro_1',
    customerId: 'cust_001',
  }),
  ofShorter: booking('book_707', '2025-12-01T16:30', '2025-12-01T17:30', { providerId: 'pro_5' }),
  ofLonger: booking('book_708', '2025-12-01T16:30', '2025-12-01T17:30', { providerId: 'pro_550' }),
  elsewhere: booking('book_789', '2025-12-01T16:30', '2025-12-01T17:30', {
    tenantId: 'aconcagua',
    customerId: 'cust_001',
  }),
  unopened: booking('book_710', '2025-12-10T09:00', '2025-12-10T10:00', { customerId: 'cust_003' }),
  // Bookings of a separate provider: two are PENDING, and one is CONFIRMED.
  pending: booking('book_720', '2025-12-11T09:00', '2025-12-11T10:00', { providerId: 'pro_7', status: 'PENDING' }),
  confirmed: booking('book_721', '2025-12-11T10:00', '2025-12-11T11:00', { providerId: 'pro_7' }),
  stillPending: booking('book_722', '2025-12-11T12:00', '2025-12-11T13:00', { providerId: 'pro_7', status: 'PENDING' }),
  // The same booking id occurs twice: once in its slot, and once cancelled.
  twice: booking('book_723', '2025-12-11T09:00', '2025-12-11T10:00', { providerId: 'pro_8' }),
  twiceCancelled: cancelled('book_723', '2025-12-11T09:00', '2025-12-11T10:00', { providerId: 'pro_8' }),
  // These bookings are cancelled, so their slots are free or have new bookings.
  takenBack: cancelled('book_730', '2025-12-01T15:00', '2025-12-01T16:00', { customerId: 'cust_001' }),
  takenBackPaid: cancelled('book_731', '2025-12-01T17:30', '2025-12-01T18:00', { paymentStatus: 'PAID' }),
  takenBackLater: cancelled('book_732', '2025-12-02T00:00', '2025-12-02T01:00'),
  takenBackOfLonger: cancelled('book_733', '2025-12-01T15:00', '2025-12-01T16:00', { providerId: 'pro_550' }),
  // `bookingsOfProvider` would return these rows if their keys sorted between times.
  day: day('2025-12-01', 3),
  lastDay: day('2025-12-05', 2),
  dayAfter: day('2025-12-06', 7),
  dayOfLonger: day('2025-12-01', 5, 'pro_550'),
  dayOfElsewhere: day('2025-12-01', 6, 'pro_55', 'aconcagua'),
};

/** The day rows that the write cases store. */
export const written = {
  newDay: day('2025-12-03', 1),
  movedDay: day('2025-12-01', 4),
  dayMovedFourTimes: day('2025-12-01', 7),
  movedLastDay: day('2025-12-05', 3),
  movedDayAfter: day('2025-12-06', 8),
  dayOfUnopened: day('2025-12-10', 1),
};

/** A finished conversation with every attribute. */
export const conversationOf = (tenantId: string, conversationId: string) => ({
  tenantId,
  conversationId,
  state: 'SLOT_SELECTED',
  serviceId: 'svc_9',
  providerId: 'pro_5',
  slotStart: '2025-12-01T16:30:00Z',
  slotEnd: '2025-12-01T17:30:00Z',
  updatedAt: '2025-12-01T15:40:00Z',
  userContext: { userId: conversationId },
  // In the year 2100, so that an engine that deletes expired items keeps this one.
  ttl: 4_102_444_800,
});

const conversation = (tenantId: string, conversationId: string) =>
  ['ConversationState', conversationOf(tenantId, conversationId)] as const;

export const conversations = {
  shorter: conversation('andina', 'conv_abc12'),
  longer: conversation('andina', 'conv_abc1234'),
  elsewhere: conversation('aconcagua', 'conv_abc123'),
  other: conversation('andina', 'conv_new1'),
};

import { availabilities, documented, providers, services } from '../examples';

const gone = 'ConditionalCheckFailedException';
const ofAndina = { tenantId: 'andina' };

const newService = { ...services.stones[1], serviceId: 'svc_77', name: 'Masaje tailandés' };
const stones = { tenantId: 'andina', serviceId: 'svc_9' };
const otherService = {
  name: 'Masaje facial',
  description: 'Con aceite',
  durationMinutes: 30,
  price: 12_000,
  category: 'faciales',
  active: false,
};

export const servicesCases = {
  documented: { svc_123: { entity: 'Service', item: documented.service } },
  items: services,
  written: { created: ['Service', newService], changed: ['Service', { ...services.stones[1], ...otherService }] },
  stored: { stones: { GSI1PK: 'andina#masajes' } },
  patterns: {
    servicesOfTenant: { values: ofAndina, returns: ['singular', 'svc_123', 'sports', 'relaxing', 'stones'] },
    getService: { values: { tenantId: 'andina', serviceId: 'svc_123' }, returns: ['svc_123'] },
    servicesByCategory: { values: { tenantId: 'andina', category: 'masajes' }, returns: ['stones', 'relaxing'] },
    servicesWithCategory: {
      values: { tenantId: 'andina', category: 'masajes' },
      returns: ['svc_123', 'relaxing', 'stones'],
    },
    createService: {
      values: newService,
      shows: [
        { pattern: 'getService', values: { tenantId: 'andina', serviceId: 'svc_77' }, returns: ['created'] },
        {
          pattern: 'servicesByCategory',
          values: { tenantId: 'andina', category: 'masajes' },
          returns: ['stones', 'relaxing', 'created'],
        },
      ],
      refuses: [{ why: 'an id that is taken', values: { ...newService, serviceId: 'svc_9' }, error: gone }],
    },
    updateService: {
      values: { ...stones, ...otherService },
      shows: [
        { pattern: 'getService', values: stones, returns: ['changed'] },
        { pattern: 'servicesByCategory', values: { tenantId: 'andina', category: 'masajes' }, returns: ['relaxing'] },
        { pattern: 'servicesByCategory', values: { tenantId: 'andina', category: 'faciales' }, returns: ['changed'] },
      ],
      refuses: [
        {
          why: 'a service that does not exist',
          values: { tenantId: 'andina', serviceId: 'svc_404', ...otherService },
          error: gone,
        },
      ],
    },
    deleteService: {
      values: stones,
      shows: [
        { pattern: 'servicesOfTenant', values: ofAndina, returns: ['singular', 'svc_123', 'sports', 'relaxing'] },
      ],
    },
  },
} as const;

const newProvider = { ...providers.shorter[1], providerId: 'pro_77' };
const shorter = { tenantId: 'andina', providerId: 'pro_5' };
const otherProvider = {
  name: 'Ana Soto',
  bio: 'Kinesióloga',
  services: ['svc_123'],
  timezone: 'America/Punta_Arenas',
  active: false,
};

export const providersCases = {
  documented: { pro_55: { entity: 'Provider', item: documented.provider } },
  items: providers,
  written: {
    created: ['Provider', newProvider],
    changed: ['Provider', { ...providers.shorter[1], ...otherProvider }],
  },
  patterns: {
    getProvider: { values: { tenantId: 'andina', providerId: 'pro_55' }, returns: ['pro_55'] },
    providersOfTenant: { values: ofAndina, returns: ['shorter', 'pro_55', 'longer'] },
    providersOfService: { values: { tenantId: 'andina', serviceId: 'svc_123' }, returns: ['pro_55', 'longer'] },
    createProvider: {
      values: newProvider,
      shows: [{ pattern: 'providersOfTenant', values: ofAndina, returns: ['shorter', 'pro_55', 'longer', 'created'] }],
      refuses: [{ why: 'an id that is taken', values: { ...newProvider, providerId: 'pro_5' }, error: gone }],
    },
    updateProvider: {
      values: { ...shorter, ...otherProvider },
      shows: [
        { pattern: 'getProvider', values: shorter, returns: ['changed'] },
        {
          pattern: 'providersOfService',
          values: { tenantId: 'andina', serviceId: 'svc_123' },
          returns: ['changed', 'pro_55', 'longer'],
        },
      ],
      refuses: [
        {
          why: 'a provider who does not exist',
          values: { tenantId: 'andina', providerId: 'pro_404', ...otherProvider },
          error: gone,
        },
      ],
    },
    deleteProvider: {
      values: shorter,
      shows: [{ pattern: 'providersOfTenant', values: ofAndina, returns: ['pro_55', 'longer'] }],
    },
  },
} as const;

const provider = { tenantId: 'andina', providerId: 'pro_55' };
const saturday = {
  ...availabilities.friday[1],
  dayOfWeek: 'SAT',
  timeRanges: [{ startTime: '09:00', endTime: '12:00' }],
  breaks: [{ startTime: '10:00', endTime: '10:15' }],
  exceptions: [],
};
const laterFriday = { ...availabilities.friday[1], timeRanges: [{ startTime: '14:00', endTime: '20:00' }] };

export const availabilityCases = {
  documented: { monday: { entity: 'ProviderAvailability', item: documented.monday } },
  items: availabilities,
  written: {
    saturday: ['ProviderAvailability', saturday],
    laterFriday: ['ProviderAvailability', laterFriday],
  },
  patterns: {
    weekOfProvider: { values: provider, returns: ['friday', 'monday', 'tuesday', 'wednesday'] },
    setAvailability: {
      values: laterFriday,
      shows: [
        { pattern: 'weekOfProvider', values: provider, returns: ['laterFriday', 'monday', 'tuesday', 'wednesday'] },
      ],
      refuses: [
        { why: 'an eighth day', values: { ...saturday, dayOfWeek: 'DOM' }, error: 'ItemError' },
        {
          why: 'an invalid time',
          values: { ...saturday, timeRanges: [{ startTime: '25:00', endTime: '26:00' }] },
          error: 'ItemError',
        },
      ],
    },
    clearAvailability: {
      values: { ...provider, dayOfWeek: 'TUE' },
      shows: [{ pattern: 'weekOfProvider', values: provider, returns: ['friday', 'monday', 'wednesday'] }],
    },
  },
} as const;

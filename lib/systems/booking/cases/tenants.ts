import { apiKeys, documented, tenants } from '../examples';

const gone = 'ConditionalCheckFailedException';
const newTenant = {
  ...tenants.zapallar[1],
  tenantId: 'nueva',
  ownerUserId: 'user_123',
  createdAt: '2024-12-01T00:00:00Z',
};
const changes = {
  name: 'Zapallar Spa',
  slug: 'zapallar-spa',
  status: 'SUSPENDED',
  plan: 'PRO',
  settings: { language: 'es-CL' },
  ownerUserId: 'user_9',
  billingEmail: 'pagos@zapallar.example',
} as const;

export const tenantsCases = {
  documented: { andina: { entity: 'Tenant', item: documented.tenant } },
  items: tenants,
  written: {
    nueva: ['Tenant', newTenant],
    changed: ['Tenant', { ...tenants.zapallar[1], ...changes }],
  },
  patterns: {
    getTenant: { values: { tenantId: 'andina' }, returns: ['andina'] },
    tenantsOfOwner: { values: { ownerUserId: 'user_123' }, returns: ['zapallar', 'andina', 'aconcagua'] },
    createTenant: {
      values: newTenant,
      shows: [
        { pattern: 'getTenant', values: { tenantId: 'nueva' }, returns: ['nueva'] },
        {
          pattern: 'tenantsOfOwner',
          values: { ownerUserId: 'user_123' },
          returns: ['zapallar', 'nueva', 'andina', 'aconcagua'],
        },
        { pattern: 'getTenant', values: { tenantId: 'andina' }, returns: ['andina'] },
      ],
      refuses: [
        { why: 'an id that is taken', values: { ...newTenant, tenantId: 'andina' }, error: gone },
        {
          why: 'an unknown plan',
          values: { ...newTenant, tenantId: 'otra', plan: 'GOLD' },
          error: 'ItemError',
        },
      ],
    },
    updateTenant: {
      values: { tenantId: 'zapallar', ...changes },
      shows: [
        { pattern: 'getTenant', values: { tenantId: 'zapallar' }, returns: ['changed'] },
        { pattern: 'tenantsOfOwner', values: { ownerUserId: 'user_123' }, returns: ['andina', 'aconcagua'] },
        { pattern: 'tenantsOfOwner', values: { ownerUserId: 'user_9' }, returns: ['changed'] },
        { pattern: 'getTenant', values: { tenantId: 'nowhere' }, returns: [] },
      ],
      refuses: [{ why: 'a tenant that does not exist', values: { tenantId: 'nowhere', ...changes }, error: gone }],
    },
  },
} as const;

const ofAndina = { tenantId: 'andina' };
const longer = { tenantId: 'andina', apiKeyId: 'key_0010' };
const nowhere = { tenantId: 'andina', apiKeyId: 'key_404' };
const newKey = {
  ...apiKeys.longer[1],
  apiKeyId: 'key_0011',
  apiKeyHash: 'sha256_hash_new',
  apiKeyPublic: 'pk_live_11',
};
const at = '2025-06-01T12:00:00Z';
const otherKey = {
  status: 'REVOKED',
  allowedOrigins: ['https://nueva.example'],
  lastUsedAt: at,
  rateLimit: 7,
} as const;

export const apiKeysCases = {
  documented: { key_001: { entity: 'TenantApiKey', item: documented.apiKey } },
  items: apiKeys,
  written: {
    issued: ['TenantApiKey', newKey],
    changed: ['TenantApiKey', { ...apiKeys.longer[1], ...otherKey }],
  },
  patterns: {
    resolveApiKey: { values: { apiKeyHash: 'sha256_hash_here' }, returns: ['revokedElsewhere', 'key_001'] },
    apiKeysOfTenant: { values: ofAndina, returns: ['first', 'key_001', 'longer', 'shorterHash'] },
    issueApiKey: {
      values: newKey,
      shows: [
        { pattern: 'resolveApiKey', values: { apiKeyHash: 'sha256_hash_new' }, returns: ['issued'] },
        {
          pattern: 'apiKeysOfTenant',
          values: ofAndina,
          returns: ['first', 'key_001', 'longer', 'issued', 'shorterHash'],
        },
      ],
      refuses: [{ why: 'an id that is taken', values: { ...newKey, apiKeyId: 'key_000' }, error: gone }],
    },
    updateApiKey: {
      values: { ...longer, ...otherKey },
      shows: [
        { pattern: 'apiKeysOfTenant', values: ofAndina, returns: ['first', 'key_001', 'changed', 'shorterHash'] },
        { pattern: 'resolveApiKey', values: { apiKeyHash: 'sha256_hash_here_too' }, returns: ['changed'] },
      ],
      refuses: [{ why: 'an API key that does not exist', values: { ...nowhere, ...otherKey }, error: gone }],
    },
  },
} as const;

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
  plan: 'PRO',
  settings: { language: 'es-CL' },
  billingEmail: 'pagos@zapallar.example',
} as const;

export const tenantsCases = {
  documented: { andina: { entity: 'Tenant', item: documented.tenant } },
  items: tenants,
  written: {
    nueva: ['Tenant', newTenant],
    changed: ['Tenant', { ...tenants.zapallar[1], ...changes }],
    transferred: ['Tenant', { ...tenants.zapallar[1], ownerUserId: 'user_9' }],
    cancelled: ['Tenant', { ...tenants.zapallar[1], status: 'CANCELLED' }],
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
        { pattern: 'getTenant', values: { tenantId: 'closed' }, returns: ['closed'] },
        { pattern: 'getTenant', values: { tenantId: 'nowhere' }, returns: [] },
      ],
      refuses: [
        { why: 'a tenant that does not exist', values: { tenantId: 'nowhere', ...changes }, error: gone },
        { why: 'a tenant that is cancelled', values: { tenantId: 'closed', ...changes }, error: gone },
      ],
    },
    transferTenant: {
      values: { tenantId: 'zapallar', ownerUserId: 'user_123', newOwnerUserId: 'user_9' },
      shows: [
        { pattern: 'tenantsOfOwner', values: { ownerUserId: 'user_123' }, returns: ['andina', 'aconcagua'] },
        { pattern: 'tenantsOfOwner', values: { ownerUserId: 'user_9' }, returns: ['transferred'] },
        { pattern: 'getTenant', values: { tenantId: 'nowhere' }, returns: [] },
      ],
      refuses: [
        {
          why: 'a former owner',
          values: { tenantId: 'zapallar', ownerUserId: 'user_123', newOwnerUserId: 'user_8' },
          error: gone,
        },
      ],
    },
    setTenantStatus: {
      values: { tenantId: 'zapallar', status: 'CANCELLED' },
      shows: [
        { pattern: 'getTenant', values: { tenantId: 'zapallar' }, returns: ['cancelled'] },
        { pattern: 'getTenant', values: { tenantId: 'nowhere' }, returns: [] },
      ],
      refuses: [
        { why: 'a tenant that is cancelled', values: { tenantId: 'zapallar', status: 'ACTIVE' }, error: gone },
        { why: 'a tenant that does not exist', values: { tenantId: 'nowhere', status: 'ACTIVE' }, error: gone },
      ],
    },
  },
} as const;

const ofAndina = { tenantId: 'andina' };
const first = { tenantId: 'andina', apiKeyId: 'key_000' };
const longer = { tenantId: 'andina', apiKeyId: 'key_0010' };
const nowhere = { tenantId: 'andina', apiKeyId: 'key_404' };
const newKey = {
  ...apiKeys.longer[1],
  apiKeyId: 'key_0011',
  apiKeyHash: 'sha256_hash_new',
  apiKeyPublic: 'pk_live_11',
};
const at = '2025-06-01T12:00:00Z';
const limits = { allowedOrigins: ['https://nueva.example'], rateLimit: 7 };

export const apiKeysCases = {
  documented: { key_001: { entity: 'TenantApiKey', item: documented.apiKey } },
  items: apiKeys,
  written: {
    issued: ['TenantApiKey', newKey],
    used: ['TenantApiKey', { ...apiKeys.longer[1], lastUsedAt: at }],
    limited: ['TenantApiKey', { ...apiKeys.longer[1], ...limits }],
    revoked: ['TenantApiKey', { ...apiKeys.longer[1], status: 'REVOKED' }],
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
    useApiKey: {
      values: { ...longer, lastUsedAt: at },
      shows: [{ pattern: 'apiKeysOfTenant', values: ofAndina, returns: ['first', 'key_001', 'used', 'shorterHash'] }],
      refuses: [
        { why: 'a key that is revoked', values: { ...first, lastUsedAt: at }, error: gone },
        { why: 'a key that does not exist', values: { ...nowhere, lastUsedAt: at }, error: gone },
      ],
    },
    updateApiKey: {
      values: { ...longer, ...limits },
      shows: [
        { pattern: 'apiKeysOfTenant', values: ofAndina, returns: ['first', 'key_001', 'limited', 'shorterHash'] },
      ],
      refuses: [
        { why: 'a key that is revoked', values: { ...first, ...limits }, error: gone },
        { why: 'a key that does not exist', values: { ...nowhere, ...limits }, error: gone },
      ],
    },
    revokeApiKey: {
      values: longer,
      shows: [
        { pattern: 'apiKeysOfTenant', values: ofAndina, returns: ['first', 'key_001', 'revoked', 'shorterHash'] },
        { pattern: 'resolveApiKey', values: { apiKeyHash: 'sha256_hash_here_too' }, returns: ['revoked'] },
      ],
      refuses: [
        { why: 'a key that is revoked', values: longer, error: gone },
        { why: 'a key that does not exist', values: nowhere, error: gone },
      ],
    },
  },
} as const;

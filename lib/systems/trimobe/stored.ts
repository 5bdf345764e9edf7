const fazenda = '00000000-0000-4000-8000-000000000001';
const costs = '00000000-0000-4000-8000-000000000011';

/** The keys of one item per entity, exactly as in the document's key tables. */
export const stored = {
  Tenants: { fazenda: { PK: `TENANT#${fazenda}`, SK: 'METADATA#1' } },

  Users: {
    maria: { PK: `TENANT#${fazenda}`, SK: 'USER#maria', GSI1PK: 'USER#maria', GSI1SK: `TENANT#${fazenda}` },
  },

  RuralCreditAI: {
    costs: {
      PK: `TENANT#${fazenda}`,
      SK: `CONVERSATION#${costs}`,
      GSI1PK: 'USER#maria',
      GSI1SK: 'CONVERSATION#2026-03-01T12:00:00.032Z',
      GSI2PK: `TENANT#${fazenda}#CONVERSATION`,
      GSI2SK: '2026-03-01T12:00:00.032Z',
    },
    costsHeader: { PK: `CONVERSATION#${costs}`, SK: 'HEADER' },
    costsQuestion: {
      PK: `CONVERSATION#${costs}`,
      SK: 'MESSAGE#2026-03-01T12:00:00.021Z',
      GSI1PK: `TENANT#${fazenda}`,
      GSI1SK: `CONVERSATION#${costs}#2026-03-01T12:00:00.021Z`,
    },
    soilReport: {
      PK: `TENANT#${fazenda}`,
      SK: 'FILE#00000000-0000-4000-8000-000000000033',
      GSI1PK: `CONVERSATION#${costs}`,
      GSI1SK: 'FILE#2026-03-01T12:00:00.041Z',
      GSI2PK: 'USER#mariana',
      GSI2SK: 'FILE#2026-03-01T12:00:00.041Z',
    },
    contract: {
      PK: `TENANT#${fazenda}`,
      SK: 'DOCUMENT#00000000-0000-4000-8000-000000000053',
      GSI1PK: `CONVERSATION#${costs}`,
      GSI1SK: 'DOCUMENT#2026-03-01T12:00:00.061Z',
      GSI2PK: 'USER#mariana',
      GSI2SK: 'DOCUMENT#2026-03-01T12:00:00.061Z',
    },
  },
};

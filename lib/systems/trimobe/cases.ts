import { defineCases } from '../../proof/cases';
import { artifactCases } from './cases/artifacts';
import { conversationCases, procedureCases } from './cases/conversations';
import { tenantsCases, usersCases } from './cases/users';
import { trimobe } from './design';
import { ruralCreditAI, ruralCreditAIWritten } from './examples';
import { stored } from './stored';

export const trimobeCases = defineCases(trimobe, {
  tables: {
    Tenants: tenantsCases,
    Users: usersCases,
    RuralCreditAI: {
      items: ruralCreditAI,
      documented: {},
      written: ruralCreditAIWritten,
      stored: stored.RuralCreditAI,
      patterns: { ...conversationCases, ...artifactCases },
    },
  },
  procedures: procedureCases,
});

import type { SystemCases } from '../../proof/cases';

export const trimobeCases = { tables: {}, procedures: {} } as unknown as SystemCases;

import type { SystemCases } from '../../proof/cases';

export const transporteCases = { tables: {}, procedures: {} } as unknown as SystemCases;

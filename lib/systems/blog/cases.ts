import type { SystemCases } from '../../proof/cases';

export const blogCases = { tables: {}, procedures: {} } as unknown as SystemCases;

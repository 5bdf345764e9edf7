import type { SystemCases } from '../../proof/cases';

export const bookingCases = { tables: {}, procedures: {} } as unknown as SystemCases;

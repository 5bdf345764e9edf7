import { conditions } from './condition-cases';
import { hostile } from './hostile-cases';
import { items, transactions } from './item-cases';
import { keyConditions, projections } from './read-cases';
import type { Request } from './requests';
import { updates } from './update-cases';

/**
 * Requests to send to both the embedded engine and AWS's DynamoDB Local. They cover every known difference between the
 * two engines.
 */
export const CASES: Readonly<Record<string, (p: string) => readonly Request[]>> = {
  ...updates(),
  ...conditions(),
  ...keyConditions(),
  ...projections(),
  ...transactions(),
  ...items(),
  ...hostile(),
};

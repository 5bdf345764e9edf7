/** One part of an environment's costs. */
export interface Cost {
  readonly part: string;
  /** Dollars a month before the first request and the first byte; 0 if it is charged by use alone. */
  readonly monthly: number;
  /** A description of the price. */
  readonly price: string;
}

/** The hours that a month is charged for. */
export const HOURS = 730;

/** The cost before the first request, in dollars a month. */
export function monthlyOf(costs: readonly Cost[]): number {
  return cents(costs.reduce((sum, { monthly }) => sum + monthly, 0));
}

export function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}

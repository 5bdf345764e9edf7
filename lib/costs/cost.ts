/** One part of an environment's costs. */
export interface Cost {
  readonly part: string;
  /**
   * The fixed cost in dollars per month, which is due even without requests or stored data; 0 if the cloud charges only
   * for usage.
   */
  readonly monthly: number;
  /** The price, in words. */
  readonly price: string;
}

/** The number of hours that clouds bill per month. */
export const HOURS = 730;

/** Returns the total fixed cost, in dollars per month. */
export function monthlyOf(costs: readonly Cost[]): number {
  return cents(costs.reduce((sum, { monthly }) => sum + monthly, 0));
}

export function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}

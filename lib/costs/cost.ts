/** One part of what an environment costs. */
export interface Cost {
  readonly part: string;
  /** Dollars a month that it costs before the first request and the first byte; none where it is charged by use alone. */
  readonly monthly: number;
  /** What it is charged by. */
  readonly price: string;
}

/** Hours that a month is charged for. */
export const HOURS = 730;

/** What is there before the first request, in dollars a month. */
export function monthlyOf(costs: readonly Cost[]): number {
  return cents(costs.reduce((sum, { monthly }) => sum + monthly, 0));
}

export function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}

import { type AwsPrices, type AzurePrices, PRICES } from './prices';

/** Returns the on-demand cost, in dollars, of a million calls that each consume this many capacity units. */
export function awsCalls(
  { reads, writes }: { readonly reads: number; readonly writes: number },
  prices: AwsPrices = PRICES.aws,
): number {
  return reads * prices.readUnitsMillion + writes * prices.writeUnitsMillion;
}

/** Returns the cost, in dollars, of a million calls that each send this many requests. */
export function azureCalls(requests: number, prices: AzurePrices = PRICES.azure): number {
  return requests * 100 * prices.requests10k;
}

import { type AwsPrices, type AzurePrices, PRICES } from './prices';

/** Returns the on-demand cost of a million calls in dollars, if each call consumes this many capacity units. */
export function awsCalls(
  { reads, writes }: { readonly reads: number; readonly writes: number },
  prices: AwsPrices = PRICES.aws,
): number {
  return reads * prices.readUnitsMillion + writes * prices.writeUnitsMillion;
}

/** Returns the cost of a million calls in dollars, if each call sends this many requests. */
export function azureCalls(requests: number, prices: AzurePrices = PRICES.azure): number {
  return requests * 100 * prices.requests10k;
}

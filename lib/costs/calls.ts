import { type AwsPrices, type AzurePrices, PRICES } from './prices';

/** What a million calls cost in dollars, on demand, if each consumes this many capacity units. */
export function awsCalls(
  { reads, writes }: { readonly reads: number; readonly writes: number },
  prices: AwsPrices = PRICES.aws,
): number {
  return reads * prices.readUnitsMillion + writes * prices.writeUnitsMillion;
}

/** What a million calls cost in dollars, if each sends this many requests. */
export function azureCalls(requests: number, prices: AzurePrices = PRICES.azure): number {
  return requests * 100 * prices.requests10k;
}

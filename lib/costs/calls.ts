import { PRICES } from './prices';

/** What a million calls cost in dollars, on demand, of which each consumes so many capacity units. */
export function awsCalls(
  { reads, writes }: { readonly reads: number; readonly writes: number },
  prices = PRICES.aws,
): number {
  return reads * prices.readUnitsMillion + writes * prices.writeUnitsMillion;
}

/** What a million calls cost in dollars, of which each sends so many requests. */
export function azureCalls(requests: number, prices = PRICES.azure): number {
  return requests * 100 * prices.requests10k;
}

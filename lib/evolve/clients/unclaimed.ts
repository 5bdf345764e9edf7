import { guardWriter } from '../../dynamodb/guards';
import { type Unique, unique } from '../../dynamodb/unique';
import type { ItemChange } from '../plan/plan';

/**
 * The implementation of `unique` while a release that does not know the plan's new guards may still run: it deletes new
 * guards, but creates none. An old release that deletes the item or changes its unique value would leave a new guard
 * behind, stale.
 */
export function withoutClaims(items: readonly ItemChange[]): Unique {
  const lacked = new Set(items.flatMap(({ to, guards = [] }) => guards.map((name) => `${to?.entity}.${name}`)));
  if (lacked.size === 0) return unique;
  return {
    ...unique,
    guardWriter(...given) {
      const write = guardWriter(...given);
      const isClaim = ({ part, unique: of }: ReturnType<NonNullable<typeof write>>[number]) =>
        part === 'Put' && of !== undefined && lacked.has(`${of.entity}.${of.name}`);
      return write && ((...values) => write(...values).filter((prepared) => !isClaim(prepared)));
    },
  };
}

import { guardWriter } from '../../dynamodb/guards';
import { type Unique, unique } from '../../dynamodb/unique';
import type { ItemChange } from '../plan/plan';

/**
 * The version of `unique` for the time in which a release that does not know the plan's new guards may still be
 * running. It deletes new guards but creates none, because the old release would leave a stale guard behind when it
 * deletes an item or changes the unique value.
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

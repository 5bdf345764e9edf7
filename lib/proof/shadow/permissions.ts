import { isDeepStrictEqual } from 'node:util';
import { namesIn } from '../../blueprint/system';
import type { SystemDesign } from '../../design/system';
import type { Phase, Plan } from '../../evolve';
import { movingOf } from '../../evolve/plan/moving';
import { touchedBy } from '../../permissions/azure-tables';
import { GrantError, grantOf } from '../../permissions/grant';
import { type AccessStatement, partitionsText } from '../../permissions/statements';
import type { ReleasesOf } from './releases';
import type { Release } from './writers';

/**
 * Describes a permission that a running release uses but a deployment removes, if there is one. Grants cover the old
 * design as long as the phase's release writes the old form.
 */
export function takenFrom(
  running: readonly Release[],
  { code }: Phase,
  { before, system, plan }: Grounds,
): string | undefined {
  const release = running.find(({ code: { reads } }) => reads !== 'new');
  if (code.writes !== 'new' || release === undefined) return undefined;
  const named = release.code.reads === 'old' ? namesIn(before) : namesIn(system);
  const lostBy = before.cloud === 'azure' ? lostTable : lostGrant;
  const moving = release.code.reads === 'both' ? movingOf(before, system, plan.items) : undefined;
  const needed = [before, ...(moving === undefined ? [] : [moving])];
  for (const name of named) {
    const lost = needed.map((design) => lostBy(design, system, name)).find((found) => found !== undefined);
    if (lost !== undefined)
      return `this deployment takes ${lost} away from '${name}', but ${release.name} still runs and needs it; first deploy a release that reads only the new form and still writes both forms`;
  }
  return undefined;
}

type Grounds = Pick<ReleasesOf, 'before' | 'system'> & { readonly plan: Pick<Plan, 'items'> };

/** An Azure table that a pattern or procedure no longer accesses. */
function lostTable(before: SystemDesign, system: SystemDesign, name: string): string | undefined {
  const tablesOf = (design: SystemDesign) =>
    namesIn(design).includes(name) ? touchedBy(design, [name]).map(({ table }) => table) : [];
  const lost = tablesOf(before).find((table) => !tablesOf(system).includes(table));
  return lost && `table ${lost}`;
}

interface Allowed extends AccessStatement {
  readonly table: string;
}

/** A permission that a pattern or procedure loses, such as `dynamodb:Query on blog/index/GSI1: POST#*`. */
function lostGrant(before: SystemDesign, system: SystemDesign, name: string): string | undefined {
  const now = allowedBy(system, name);
  for (const old of allowedBy(before, name)) {
    for (const action of old.actions) {
      const there = now.filter(
        ({ table, index, actions }) => table === old.table && index === old.index && actions.includes(action),
      );
      if (there.some((other) => covers(other, old))) continue;
      const place = old.index === undefined ? old.table : `${old.table}/index/${old.index}`;
      return `${action} on ${place}: ${partitionsText(old)}`;
    }
  }
  return undefined;
}

function covers(now: Allowed, old: Allowed): boolean {
  const { leadingKeys: keys } = now;
  const isWithin = keys === undefined || (old.leadingKeys?.every((key) => keys.includes(key)) ?? false);
  return isWithin && isDeepStrictEqual(now.partitionKeys, old.partitionKeys);
}

/**
 * Returns the permissions of a pattern or procedure. The list is empty if the name is not in the system, or cannot be
 * granted on its own.
 */
function allowedBy(system: SystemDesign, name: string): readonly Allowed[] {
  if (!namesIn(system).includes(name)) return [];
  try {
    return grantOf({ of: system, names: [name] }).flatMap(({ table, statements }) =>
      statements.map((statement) => ({ table, ...statement })),
    );
  } catch (error) {
    if (error instanceof GrantError) return [];
    throw error;
  }
}

import type { SystemDesign } from '../../lib/design/system';
import type { Difference } from '../../lib/dynamodb/template/differences';
import { designOf, type Lock, lockOf, type Plan, withEdits } from '../../lib/evolve';
import { differencesOf, type Seen } from '../../lib/evolve/deployed/evidence';
import { type SampledItems, sampleOf } from '../../lib/evolve/deployed/sample';
import { tablesAt } from '../../lib/evolve/plan/standing';
import { seenAt } from './against';
import { startAws } from './prove-engines';

/** The differences between the recorded tables and a template or the live tables. */
export interface Drift {
  readonly from: string;
  readonly differences: readonly Difference[];
  /** The plan's next step, if the deployed tables show that it is already deployed. */
  readonly unrecorded?: string;
  /** Samples of the items in the live tables, compared with the design. */
  readonly samples: readonly (SampledItems & { readonly table: string })[];
}

interface Recorded {
  readonly system: SystemDesign;
  readonly lock: Lock;
  readonly plan?: Plan;
}

export async function driftOf(
  { system, lock, plan }: Recorded,
  against: readonly string[],
  endpoint: string | undefined,
): Promise<Drift> {
  const { environment } = lock;
  const { now, next } = tablesAt(lock, plan);
  const tables = { ...now, ...next?.tables };
  const seen = await seenAt(against, { system, environment, tables }, endpoint);
  const differences = differencesOf(now, seen);
  const isNext = differences.length > 0 && next !== undefined && differencesOf(next.tables, seen).length === 0;
  return {
    from: seen.from,
    differences: isNext ? [] : differences,
    ...(isNext && { unrecorded: next.step }),
    samples: against.some((place) => place.startsWith('table:'))
      ? await samplesOf(seen, { system, lock, plan }, endpoint)
      : [],
  };
}

async function samplesOf(
  { tables }: Seen,
  { system, lock, plan }: Recorded,
  endpoint: string | undefined,
): Promise<Drift['samples']> {
  // If the current design is deployed, items are compared with the design rather than the lock, because a lock does not
  // contain the functions in schemas.
  const isDeployed =
    lockOf(system, { environment: lock.environment }).hash ===
    lockOf(designOf(lock), { environment: lock.environment }).hash;
  const systems = isDeployed
    ? [system]
    : [designOf(lock), ...(plan === undefined ? [] : [withEdits(system, plan.edits)])];
  const database = await startAws(endpoint ?? 'aws');
  try {
    const found = Object.entries(tables).map(async ([table, { name = '' }]) => {
      const designs = systems.flatMap((one) => one.tables[table] ?? []);
      return { table, ...(await sampleOf(database.send, name, designs)) };
    });
    return await Promise.all(found);
  } finally {
    await database.stop();
  }
}

import { tableNameOf } from '../../blueprint/names';
import { namesIn } from '../../blueprint/system';
import type { SystemDesign } from '../../design/system';
import { client } from '../../dynamodb/client';
import type { Send } from '../../dynamodb/sending';
import type { DefinedMigration, Lock, Phase, Plan } from '../../evolve';
import { evolving } from '../../evolve/clients/dynamodb';
import type { Call } from './reach';
import type { Release } from './writers';

export interface ReleasesOf {
  readonly plan: Plan;
  readonly lock: Lock;
  /** The design that is deployed. */
  readonly before: SystemDesign;
  /** The design that the plan leads to. */
  readonly system: SystemDesign;
  readonly migration?: DefinedMigration;
  readonly send: Send;
}

/** The release that is deployed when the plan begins. */
export function oldRelease({ lock, before, send }: ReleasesOf): Release {
  return { name: 'the old release', side: 'old', calls: callsOf(before, lock.environment, send), may: () => true };
}

/** The release of a step: the new design, and the step as a value. */
export function releaseAt({ plan, lock, before, system, migration, send }: ReleasesOf, { step, code }: Phase): Release {
  const known = new Set(namesIn(before));
  const value = evolving({ plan, lock, step, design: system, ...(migration && { migration }) });
  return {
    name: `the release of ${step}`,
    side: 'now',
    calls: callsOf(system, lock.environment, send, value),
    may: (pattern) => code.reads === 'new' || known.has(pattern),
  };
}

function callsOf(
  system: SystemDesign,
  environment: string,
  send: Send,
  value?: ReturnType<typeof evolving>,
): Readonly<Record<string, Call>> {
  const clients = Object.entries(system.tables).map(([table, design]) =>
    client(design, tableNameOf(system, environment, table), send, { onUnknown: 'throw', evolving: value }),
  );
  return Object.assign({}, ...clients);
}

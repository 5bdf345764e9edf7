import type { Action, CodeForm, ItemChange, Phase, PhaseKind, Rollback } from './plan';

/** A phase without its human-readable sentences. */
export interface PhaseDraft {
  readonly kind: PhaseKind;
  readonly actions: readonly Action[];
  readonly code: CodeForm;
  readonly items?: Phase['items'];
  /** Whether this phase's release is the first one that no longer writes the old form. */
  readonly endsOld?: true;
}

/** Describes, in a sentence, the release that runs during a phase. */
export function runsIn({ kind, code, items, endsOld }: PhaseDraft, changes: readonly ItemChange[]): string {
  if (kind === 'backfill') return fillingIn(code, changes);
  if (kind === 'verify') return 'the same release, while every stored item is read and its keys are derived again';
  if (kind === 'drain') return 'the same release, and nothing else: no old instance and no script';
  if (kind === 'switch') {
    return code.writes === 'both'
      ? 'a release that reads only the new form, through the new indexes, and still writes both forms'
      : 'the new release';
  }
  if (items === 'clean') {
    const release = endsOld ? 'a release that reads and writes only the new form' : 'the same release';
    return `${release}, while stored items lose what the plan lists under 'items'`;
  }
  if (kind === 'contract') return 'a release that reads and writes only the new form';
  if (code.reads === 'old') return 'the running release: nothing uses the new resources yet';
  const kept = changes.flatMap(({ to, downs = [] }) => downs.map((name) => `${to?.entity}.${name}`));
  const asOld = kept.length === 0 ? '' : `; it writes ${kept.join(', ')} as the previous release does`;
  return `a release that reads both forms, through the old indexes, and writes both${asOld}`;
}

function fillingIn({ reads }: CodeForm, changes: readonly ItemChange[]): string {
  const changed = changes.flatMap(({ to, needsUp, splits = [] }) =>
    to === undefined ? [] : [{ entity: to.entity, needsUp }, ...splits],
  );
  const names = [...new Set(changed.map(({ entity }) => entity))].join(', ');
  const up = changed.filter(({ needsUp }) => needsUp.length > 0);
  const asks = up.flatMap(({ entity, needsUp }) => needsUp.map((name) => `${entity}.${name}`)).join(', ');
  const release = reads === 'old' ? 'the running release' : 'the same release';
  const filling = `${release}, while stored items of ${names} get what the plan lists under 'items'`;
  return asks === '' ? filling : `${filling}; only you know the values of ${asks}`;
}

/** Returns the sentence that states what must be true before the next phase begins. */
export function untilOf({ kind, actions, code, endsOld }: PhaseDraft): string {
  const isRelease = endsOld || (kind === 'expand' && code.reads === 'both');
  if (actions.length > 0)
    return [...(isRelease ? ['the release is deployed everywhere'] : []), ...actions.map(untilDone)].join('; ');
  const until: Readonly<Record<PhaseKind, string>> = {
    expand: 'the release is deployed everywhere',
    drain: 'no instance of an earlier release is running, and no script is writing',
    backfill: 'every stored item has the new form',
    verify: 'every stored item is verified to have the new form',
    switch:
      'the release is deployed everywhere, no earlier release is running, and you are certain to keep the new release',
    contract: 'the release is deployed everywhere',
  };
  return until[kind];
}

function untilDone({ table, action, name }: Action): string {
  if (action === 'create-index') return `table ${table} and its index ${name} are ACTIVE`;
  if (action === 'disable-ttl') return `TTL on ${table} is DISABLED, and an hour has passed`;
  if (action === 'enable-ttl') return `TTL on ${table} is ENABLED`;
  return `table ${table} is ${action === 'delete-table' ? 'gone' : 'ACTIVE'}`;
}

/** Returns whether a phase can be undone, and how. */
export function rollbackOf(
  { kind, actions, items, code, endsOld }: PhaseDraft,
  changes: readonly ItemChange[],
): Rollback {
  const does = (...wanted: readonly Action['action'][]) => actions.some(({ action }) => wanted.includes(action));
  if (does('delete-table')) return LOST;
  if (items === 'clean') {
    const derived = changes.every(({ to, removed }) => to !== undefined && removed.length === 0);
    return derived ? { possible: false, how: 'only a later plan can derive the removed keys again' } : LOST;
  }
  if (does('delete-index')) return { possible: false, how: 'only a later plan can create the index again' };
  if (endsOld) {
    return {
      possible: false,
      how: 'items written from now on have only the new form, so the previous release may not find them',
    };
  }
  if (does('disable-ttl', 'enable-ttl')) {
    return {
      possible: true,
      how: 'wait an hour, then deploy the previous step again; no item expires in the meantime',
    };
  }
  if (actions.length > 0)
    return { possible: true, how: 'deploy the previous step again: nothing reads the new resources' };
  if (kind === 'backfill') {
    return { possible: true, how: 'stop the backfill: this release reads items of both forms' };
  }
  if (kind === 'switch' && code.writes === 'both')
    return { possible: true, how: 'deploy the previous release: both forms are still written' };
  return {
    possible: true,
    how:
      kind === 'switch'
        ? 'deploy the previous release'
        : 'deploy the previous release: it can read everything that this release writes',
  };
}

const LOST: Rollback = {
  possible: false,
  how: 'the data is deleted: only a restore to an earlier point in time brings it back',
};

import type { Change } from '../diff/change';
import type { Lock } from '../lock/lock';
import type { CodeForm, ItemChange, Phase } from './plan';
import { contractWaves, expandWaves, type Resources } from './waves';
import { type PhaseDraft, rollbackOf, runsIn, untilOf } from './words';

export interface Journey {
  readonly now: Resources;
  readonly target: Resources;
  readonly items: readonly ItemChange[];
  readonly changes: readonly Change[];
  readonly lock: Lock;
}

const OLD: CodeForm = { reads: 'old', writes: 'old' };
const BOTH: CodeForm = { reads: 'both', writes: 'both' };
const SWITCHED: CodeForm = { reads: 'new', writes: 'both' };
const NEW: CodeForm = { reads: 'new', writes: 'new' };

/** The phases in order: expand, drain, backfill, verify, switch, contract. A phase with nothing to do is left out. */
export function phasesOf(journey: Journey): readonly Phase[] {
  const { now, target, items, changes } = journey;
  const expands = expandWaves(now, target);
  const expanded = expands.at(-1)?.after ?? now;
  const isFilled = items.some(isFilling);
  const isTwofold =
    isFilled || items.some(isLosing) || changes.some(({ verdict, rule }) => verdict !== 'safe' && !RESOURCES.has(rule));
  const phases: Draft[] = expands.map(({ actions, after }) => ({
    kind: 'expand',
    actions,
    resources: after,
    code: OLD,
  }));
  const at = { actions: [], resources: expanded };
  if (isTwofold) phases.push({ kind: 'expand', ...at, code: BOTH }, { kind: 'drain', ...at, code: BOTH });
  if (isFilled) {
    phases.push(
      { kind: 'backfill', ...at, code: BOTH, items: 'fill' },
      { kind: 'verify', ...at, code: BOTH, items: 'verify' },
    );
  }
  phases.push({ kind: 'switch', ...at, code: isTwofold ? SWITCHED : NEW });
  if (isTwofold) phases.push({ kind: 'contract', ...at, code: NEW });
  for (const { actions, after } of contractWaves(expanded, target)) {
    phases.push({ kind: 'contract', actions, resources: after, code: NEW });
  }
  // Last, because every cleaned item would also be written to the old indexes.
  if (items.some((item) => isCleaned(item, target))) {
    phases.push({ kind: 'contract', actions: [], resources: target, code: NEW, items: 'clean' });
  }
  return phases.map((phase, i) => finished(phase, phases.slice(0, i), journey));
}

/** Changes whose contract deletes stored items for good. */
export const DESTRUCTIVE: ReadonlySet<Change['rule']> = new Set([
  'table-key',
  'local-index',
  'table-renamed',
  'table-removed',
  'entity-removed',
]);

/** Rules about resources alone: deployments in the right order are enough, and no release has to know both forms. */
const RESOURCES: ReadonlySet<Change['rule']> = new Set([
  'index-added',
  'index-removed',
  'index-key',
  'index-projection',
  'ttl',
  'replicas',
  'stream',
  'pattern-removed',
]);

/** Whether stored items get something that they lack. */
function isFilling({ to, type, keys, moves, renamed, defaults, needsUp, splits = [] }: ItemChange): boolean {
  if (to === undefined) return false;
  const named = [...Object.keys(renamed), ...defaults, ...needsUp, ...splits];
  return (
    type !== undefined || moves || named.length > 0 || Object.values(keys).some(({ after }) => after !== undefined)
  );
}

/** Whether new items lack a key by which the release before reads them. */
function isLosing({ to, keys }: ItemChange): boolean {
  return to !== undefined && Object.values(keys).some(({ after }) => after === undefined);
}

/** Whether a table that stays still holds something of the old form. */
function isCleaned({ from, to, keys, removed }: ItemChange, target: Resources): boolean {
  if (!Object.hasOwn(target, from.table)) return false;
  return to === undefined || removed.length > 0 || Object.values(keys).some(({ after }) => after === undefined);
}

interface Draft extends PhaseDraft {
  readonly resources: Resources;
}

function finished(draft: Draft, before: readonly Draft[], { items, changes }: Journey): Phase {
  const { kind, actions, resources, code } = draft;
  const nth = before.filter((other) => other.kind === kind).length + 1;
  const numbered = kind === 'expand' || kind === 'contract';
  const destroys = actions.some(({ action }) => action === 'delete-table') || draft.items === 'clean';
  const reasons = changes.filter(
    ({ rule, because }) => because !== undefined && (DESTRUCTIVE.has(rule) || rule === 'attribute-removed'),
  );
  const because =
    destroys && reasons.length > 0
      ? Object.fromEntries(reasons.map((change) => [change.path, change.because as string]))
      : undefined;
  return {
    step: numbered ? `${kind}-${nth}` : kind,
    kind,
    resources,
    wave: actions,
    ...(draft.items === undefined ? {} : { items: draft.items }),
    code,
    runs: runsIn(draft, items),
    until: untilOf(draft),
    rollback: rollbackOf(draft, items),
    ...(because === undefined ? {} : { because }),
  };
}

import type { PhysicalTables } from '../../blueprint/physical-table';
import type { Change } from '../diff/change';
import type { Lock } from '../lock/lock';
import type { CodeForm, ItemChange, Phase } from './plan';
import { contractWaves, expandWaves } from './waves';
import { type PhaseDraft, rollbackOf, runsIn, untilOf } from './words';

export interface Journey {
  readonly now: PhysicalTables;
  readonly target: PhysicalTables;
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
  const contracts = contractWaves(expanded, target);
  const isFilled = items.some(isFilling);
  const phases: Draft[] = expands.map(({ actions, after }) => ({ kind: 'expand', actions, tables: after, code: OLD }));
  const at = { actions: [], tables: expanded };
  if (isFilled) {
    phases.push(
      { kind: 'expand', ...at, code: BOTH },
      { kind: 'drain', ...at, code: BOTH },
      { kind: 'backfill', ...at, code: BOTH, items: 'fill' },
      { kind: 'verify', ...at, code: BOTH, items: 'verify' },
    );
  }
  const isOldServed = items.some(isTwofold) || changes.some((change) => servesOld(change, isFilled));
  const isRead = changes.some(({ rule, verdict }) => verdict !== 'safe' && !UNREAD.has(rule));
  if (isFilled || isOldServed || isRead) phases.push({ kind: 'switch', ...at, code: isOldServed ? SWITCHED : NEW });
  const [first, ...waves] = contracts;
  // Nothing uses an index or a stream that goes, so the release that no longer writes for it can come with the wave. A table is still
  // asked for items that have not moved, until that release is everywhere.
  const isJoint = first?.actions.every(({ action }) => action !== 'delete-table') ?? false;
  if (isOldServed && !isJoint) phases.push({ kind: 'contract', ...at, code: NEW, endsOld: true });
  for (const { actions, after } of first === undefined ? [] : [first, ...waves]) {
    const ends = isOldServed && isJoint && actions === first?.actions;
    phases.push({ kind: 'contract', actions, tables: after, code: NEW, ...(ends ? { endsOld: true } : {}) });
  }
  // Last, because every cleaned item would also be written to the old indexes.
  if (items.some((item) => isCleaned(item, target))) {
    phases.push({ kind: 'contract', actions: [], tables: target, code: NEW, items: 'clean' });
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

/** Rules about resources that no pattern reads: a deployment that changes them needs no release before it. */
const UNREAD: ReadonlySet<Change['rule']> = new Set(['ttl', 'replicas', 'stream']);

/** Rules by which the release before reads what the new one does not: it keeps its permissions until it is gone. */
const READ_OTHERWISE: ReadonlySet<Change['rule']> = new Set([
  'pattern-changed',
  'index-key',
  'index-projection',
  'index-removed',
]);

/** Whether the new release must keep writing for the one before it, or share its permissions, until that one is gone. */
function servesOld({ rule, verdict }: Change, isFilled: boolean): boolean {
  if (verdict === 'safe' || UNREAD.has(rule) || rule === 'index-added') return false;
  // In a plan that fills items, the last release that does not know the new form is gone before the switch.
  return !isFilled || READ_OTHERWISE.has(rule);
}

/** Whether stored items get something that they lack. */
function isFilling(change: ItemChange): boolean {
  const { to, type, keys, moves, renamed, nested = {}, defaults, needsUp, splits = [], guards = [] } = change;
  if (to === undefined) return false;
  const named = [...Object.keys({ ...renamed, ...nested }), ...defaults, ...needsUp, ...splits, ...guards];
  return (
    type !== undefined || moves || named.length > 0 || Object.values(keys).some(({ after }) => after !== undefined)
  );
}

/** Whether the release before reads something in stored items that the new form lacks. */
function isTwofold({ to, keys, moves, renamed, nested = {} }: ItemChange): boolean {
  if (to === undefined) return false;
  const named = Object.keys({ ...renamed, ...nested });
  return moves || named.length > 0 || Object.values(keys).some(({ after }) => after === undefined);
}

/** Whether a table that stays still holds something of the old form. */
function isCleaned({ from, to, keys, removed }: ItemChange, target: PhysicalTables): boolean {
  if (!Object.hasOwn(target, from.table)) return false;
  if (to !== undefined && to.table !== from.table) return false;
  return to === undefined || removed.length > 0 || Object.values(keys).some(({ after }) => after === undefined);
}

interface Draft extends PhaseDraft {
  readonly tables: PhysicalTables;
}

function finished(draft: Draft, before: readonly Draft[], { items, changes }: Journey): Phase {
  const { kind, actions, tables, code } = draft;
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
    tables,
    wave: actions,
    ...(draft.items === undefined ? {} : { items: draft.items }),
    code,
    runs: runsIn(draft, items),
    until: untilOf(draft),
    rollback: rollbackOf(draft, items),
    ...(because === undefined ? {} : { because }),
  };
}

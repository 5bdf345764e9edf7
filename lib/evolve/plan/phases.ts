import { isRead } from '../../blueprint/accesses';
import type { PhysicalTables } from '../../blueprint/physical-table';
import { partsOf } from '../../blueprint/template-parts';
import { template } from '../../design/template';
import type { Change } from '../diff/change';
import { storedRenames } from '../diff/pairs';
import type { Lock } from '../lock/lock';
import { isFoundInBoth, type TwoDesigns } from './found';
import type { CodeForm, ItemChange, Phase } from './plan';
import { contractWaves, expandWaves } from './waves';
import { type PhaseDraft, rollbackOf, runsIn, untilOf } from './words';

export interface Journey {
  readonly now: PhysicalTables;
  readonly target: PhysicalTables;
  readonly items: readonly ItemChange[];
  readonly changes: readonly Change[];
  readonly lock: Lock;
  readonly designs: TwoDesigns;
}

const OLD: CodeForm = { reads: 'old', writes: 'old' };
const BOTH: CodeForm = { reads: 'both', writes: 'both' };
const SWITCHED: CodeForm = { reads: 'new', writes: 'both' };
const NEW: CodeForm = { reads: 'new', writes: 'new' };

/**
 * Returns the phases in order: expand, drain, backfill, verify, switch, contract. Leaves out phases that have nothing
 * to do.
 */
export function phasesOf(journey: Journey): readonly Phase[] {
  const { now, target, items, changes } = journey;
  const expands = expandWaves(now, target);
  const expanded = expands.at(-1)?.after ?? now;
  const contracts = contractWaves(expanded, target);
  const isFilled = items.some(isFilling);
  // The plan needs no intermediate release if stored items get only values that the running release can already read.
  const isCalm = isFilled && items.filter(isFilling).every((item) => isUnnoticed(item, changes));
  const at = { actions: [], tables: expanded };
  const isReadOtherwise = changes.some((change) => servesOld(change, isFilled, journey.lock));
  const isGuarded = items.some((item) => isGuard(item, journey.lock));
  const isOldServed = items.some(isTwofold) || isReadOtherwise || isGuarded;
  const isRead = changes.some(({ rule, verdict }) => verdict !== 'safe' && !UNREAD.has(rule));
  const last = expands.at(-1);
  // Nothing reads a new index before the switch, so one deployment can both add the index and start the release. But a
  // new table, or an index whose values are formatted differently, is read immediately.
  const isReadAtOnce =
    last?.actions.some(({ action }) => action === 'create-table') || items.some(({ downs = [] }) => downs.length > 0);
  const isJoint = isFilled && !isCalm && last !== undefined && !isReadAtOnce;
  const phases: Draft[] = (isJoint ? expands.slice(0, -1) : expands).map(({ actions, after }) => ({
    ...{ kind: 'expand', actions, tables: after, code: OLD },
  }));
  if (isFilled && !isCalm) {
    phases.push(
      { kind: 'expand', ...at, code: BOTH, ...(isJoint && { actions: last.actions }) },
      { kind: 'drain', ...at, code: BOTH },
    );
  }
  if (isFilled) {
    const code = isCalm ? OLD : BOTH;
    phases.push({ kind: 'backfill', ...at, code, items: 'fill' }, { kind: 'verify', ...at, code, items: 'verify' });
  }
  const isCleaning = items.some((item) => isCleaned(item, target));
  // The plan needs no switch if the release that reads both forms finds everything that the new release writes.
  const isReadInBoth =
    isFilled &&
    !isCalm &&
    !isReadOtherwise &&
    !isGuarded &&
    items.every((item) => isFoundInBoth(item, journey.designs));
  const isNext = contracts.length > 0 || isOldServed || isCleaning;
  if ((isFilled || isOldServed || isRead) && !(isReadInBoth && isNext))
    phases.push({ kind: 'switch', ...at, code: isOldServed ? SWITCHED : NEW });
  // After the switch, no release reads the old form, so the release that stops writing it can be deployed together with
  // the first removals. Items are cleaned only once no release can write the old form anymore.
  const writesOld = isGuarded || items.some(isWrittenInBoth);
  const isLast = isOldServed && contracts.length === 0;
  const isOnce = isOldServed && isCleaning && !writesOld && contracts.length <= 1;
  if (isLast && !isOnce) phases.push({ kind: 'contract', ...at, code: NEW, endsOld: true });
  for (const [i, { actions, after }] of (isOnce ? [] : contracts).entries()) {
    const ends = isOldServed && i === 0;
    phases.push({ kind: 'contract', actions, tables: after, code: NEW, ...(ends ? { endsOld: true } : {}) });
  }
  // Cleaning comes last: as long as the old indexes exist, cleaning an item also writes to them.
  if (isCleaning) {
    const actions = isOnce ? (contracts[0]?.actions ?? []) : [];
    const draft: Draft = { kind: 'contract', actions, tables: target, code: NEW, items: 'clean' };
    phases.push({ ...draft, ...(isOnce ? { endsOld: true } : {}) });
  }
  return phases.map((phase, i) => finished(phase, phases.slice(0, i), journey));
}

/** Changes whose contract step deletes stored items for good. */
export const DESTRUCTIVE: ReadonlySet<Change['rule']> = new Set([
  'table-key',
  'local-index',
  'table-renamed',
  'table-removed',
  'entity-removed',
]);

/**
 * Rules about settings that no pattern depends on. A deployment can therefore change them even if no release precedes
 * it.
 */
const UNREAD: ReadonlySet<Change['rule']> = new Set(['ttl', 'replicas', 'stream']);

/**
 * Rules for changes after which the previous release still reads something that the new release does not. The previous
 * release keeps its permissions until it has stopped.
 */
const READ_OTHERWISE: ReadonlySet<Change['rule']> = new Set([
  'pattern-changed',
  'index-key',
  'index-projection',
  'index-removed',
]);

/**
 * Rules for changes without a transition: from the start, the new release reads and writes as it will after the plan.
 */
const UNSERVED: ReadonlySet<Change['rule']> = new Set(['index-added', 'attribute-version', 'attribute-time']);

/**
 * Whether the previous release must be supported until it has stopped: the new release also writes what the previous
 * release reads, or the previous release keeps its permissions.
 */
function servesOld({ rule, verdict, subject }: Change, isFilled: boolean, { tables }: Lock): boolean {
  if (verdict === 'safe' || UNREAD.has(rule) || UNSERVED.has(rule)) return false;
  // In a plan with a backfill, every release that does not know the new form has already stopped by the time of the
  // switch.
  if (!isFilled) return true;
  const pattern = tables[subject.table ?? '']?.design?.patterns[subject.pattern ?? ''];
  // Every release of the new design already sends writes as the new design defines them.
  return READ_OTHERWISE.has(rule) && (pattern === undefined || isRead(pattern));
}

/** Whether stored items get only values that the running release can already read and that it always writes itself. */
function isUnnoticed({ defaults, ...item }: ItemChange, changes: readonly Change[]): boolean {
  return (
    !isFilling({ ...item, defaults: [] }) &&
    defaults.every((name) =>
      changes.some(
        ({ rule, subject: { table, entity, attribute }, breaks }) =>
          rule === 'attribute-default' &&
          [table, entity, attribute].join() === [item.to?.table, item.to?.entity, name].join() &&
          !breaks.some(({ who }) => who === 'old-writers'),
      ),
    )
  );
}

/** Whether a change requires a backfill of stored items. */
export function isFilling(change: ItemChange): boolean {
  const { to, type, keys, moves, nested = {}, defaults, needsUp, splits = [], guards = [] } = change;
  if (to === undefined) return false;
  const named = [
    ...Object.keys({ ...storedRenames(change), ...nested }),
    ...defaults,
    ...needsUp,
    ...splits,
    ...guards,
  ];
  return (
    type?.after !== undefined ||
    moves ||
    named.length > 0 ||
    Object.values(keys).some(({ after }) => after !== undefined)
  );
}

/** Whether the previous release reads something that items in the new form no longer have. */
function isTwofold({ to, keys, moves, nested = {}, missed = [], ...change }: ItemChange): boolean {
  if (to === undefined) return false;
  const named = [...Object.keys({ ...storedRenames(change), ...nested }), ...missed];
  return moves || named.length > 0 || Object.values(keys).some(({ after }) => after === undefined);
}

/**
 * Whether a release that writes both forms writes any part of the old form. Such a release cannot write keys that only
 * old releases can render.
 */
function isWrittenInBoth({ keys, downs = [], ...item }: ItemChange): boolean {
  const shared = Object.entries(keys).filter(
    ([, { before = '', after }]) =>
      after !== undefined || !partsOf(template(before)).some(({ path: [name = ''] }) => downs.includes(name)),
  );
  return isTwofold({ ...item, keys: Object.fromEntries(shared) });
}

/** Whether the items are guards of a removed unique value. Every release writes such guards until the contract step. */
function isGuard({ from, to }: ItemChange, { tables }: Lock): boolean {
  return to === undefined && !Object.hasOwn(tables[from.table]?.design?.entities ?? {}, from.entity);
}

/** Whether a table that is not removed still holds items or attributes of the old form. */
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

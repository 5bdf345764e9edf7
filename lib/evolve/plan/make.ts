import { isOpen, type Schema } from '../../blueprint/attributes/schema';
import { membersOf } from '../../blueprint/attributes/unions';
import { outline } from '../../blueprint/outline';
import { keyAttributesOf } from '../../blueprint/physical-table';
import { storedName } from '../../blueprint/stored';
import { partsOf } from '../../blueprint/template-parts';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { template } from '../../design/template';
import { signed } from '../canonical';
import { readAnswers } from '../diff/answers';
import type { Answers, Change } from '../diff/change';
import { diff, verdictOf } from '../diff/diff';
import { nameOfTwo, storedRenames } from '../diff/pairs';
import { givenLock, givenSystem, givenTables } from '../given';
import { designOf } from '../lock/design';
import { FORM, type Lock } from '../lock/lock';
import { type LockOptions, lockOf } from '../lock/make';
import { EvolutionError, PlanRefused } from '../lock/read';
import { transitionOf } from '../release/transition';
import { comparedInTwoForms } from './comparisons';
import { editsFor, withEdits, withTableEdits } from './edits';
import { itemChanges } from './items';
import { DESTRUCTIVE, isFilling, phasesOf } from './phases';
import type { ItemChange, Plan } from './plan';
import { tablesOfLock, withKnown } from './waves';

/** Facts about deployed tables that their designs do not contain, keyed by table. */
type Deployed = NonNullable<LockOptions['deployed']>;

/**
 * Returns the plan that leads from a lock to a design. Throws if an answer is missing, or if the change needs no plan
 * or cannot be made in a single plan.
 */
export function planFor(recorded: Lock, design: SystemDesign, given: Answers = {}, deployed: Deployed = {}): Plan {
  const lock = givenLock(recorded, 'lock');
  givenSystem(design, 'design');
  givenTables(deployed, 'deployed', Object.keys(design.tables));
  const answers = readAnswers(given);
  const { environment } = lock;
  if (lock.progress !== undefined) {
    throw new EvolutionError(`a plan is under way (step '${lock.progress.step}' is done): finish it first`);
  }
  const changes = diff(lock, lockOf(design, { environment, deployed }), answers);
  assertAnswered(changes);
  assertPossible(changes);
  if (verdictOf(changes) === 'safe') {
    throw new PlanRefused(`no change needs a plan: deploy the design, and record it with 'npx tablewright record'`);
  }
  const { edits, edited, target, items } = wayTo(lock, design, answers, changes);
  assertComparable(edited, items);
  assertArrivals(items, lock);
  assertOneByOne(items);
  assertMembers(items, changes, lock, target);
  assertMissable(items, edited, lock);
  assertGuardsStay(items, edited);
  assertNamed(items, edited);
  assertDistinct(items, lock, target);
  assertTaken(items, edited);
  assertStored(items, lock, target);
  assertRendered(items, lock);
  assertServed(lock, edited, items);
  const now = tablesOfLock(lock);
  const known = withKnown(tablesOfLock(lockOf(edited, { environment, deployed })), now);
  return signed({
    plan: FORM,
    system: lock.system,
    environment,
    cloud: lock.cloud,
    from: lock.hash,
    to: target.hash,
    target,
    edits,
    answers,
    changes,
    items,
    phases: phasesOf({ now, target: known, items, changes, lock, designs: { before: designOf(lock), after: edited } }),
  });
}

/**
 * Returns the new names that the changes need, the design with these names, the lock of that design, and the changes to
 * stored items.
 */
export function wayTo(lock: Lock, design: SystemDesign, answers: Answers, changes: readonly Change[]) {
  const edits = editsFor(changes, design, lock);
  const edited = withEdits(design, edits);
  const target = lockOf(edited, { environment: lock.environment });
  return { edits, edited, target, items: itemChanges(lock, target, withTableEdits(answers, edits)) };
}

/** Rejects changes that no release can make while the running release reads the same items. */
function assertPossible(changes: readonly Change[]): void {
  // The reasons: If a key contains a recomputed attribute, both forms of the key would be rendered from the new value,
  // so the running release would not find its items. A guard has only one form. The release that reads both forms
  // stores nothing for a removed field, and sends a pattern's requests through the old index or guard. A run cannot
  // tell seconds from milliseconds.
  const refused = changes.filter(
    ({ rule, breaks }) =>
      rule === 'field-removed' ||
      rule === 'attribute-missing' ||
      rule === 'pattern-reused' ||
      rule === 'unique-changed' ||
      (rule === 'attribute-time' && breaks.some(({ who }) => who === 'new-readers')) ||
      (rule === 'attribute-computed' && breaks.some(({ who }) => who === 'index-entries')),
  );
  const lines = refused.map(({ path, message, fix }) => `  ${path}: ${message}\n    fix: ${fix}`);
  if (lines.length === 0) return;
  throw new PlanRefused(`no single plan can make this change\n${lines.join('\n')}`);
}

/**
 * Rejects a plan that moves items into a table while other items of that table change, or that moves items there from
 * two tables at once.
 */
function assertArrivals(items: readonly ItemChange[], lock: Lock): void {
  for (const { from, to } of items) {
    if (to === undefined || to.table === from.table || !Object.hasOwn(lock.tables, to.table)) continue;
    const other = items.find((item) => item.to?.table === to.table && item.from.table !== from.table);
    if (other === undefined) continue;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity} moves to ${to.table}, while items of ${other.from.table}.${other.from.entity} change there too\n    fix: make the two changes in separate plans`,
    );
  }
}

/**
 * Rejects removing a required attribute that is part of a key, or that an upsert of the new release would have to
 * supply.
 */
function assertMissable(items: readonly ItemChange[], { tables }: SystemDesign, lock: Lock): void {
  for (const { from, to, missed = [] } of items) {
    if (to === undefined) continue;
    const keys = Object.values(lock.tables[from.table]?.design?.entities[from.entity]?.keys ?? {});
    const inKey = missed.find((name) =>
      keys.some((text) => partsOf(template(text)).some(({ path: [first] }) => first === name)),
    );
    const upsert = outline(tables[to.table] as TableDesign).patterns.find(({ accesses }) =>
      accesses.some(
        ({ step, entities }) => step.op === 'update' && step.upsert === true && entities.includes(to.entity),
      ),
    );
    const [name] = inKey === undefined ? missed : [inKey];
    if (name === undefined || (inKey ?? upsert) === undefined) continue;
    const why = inKey === undefined ? `${upsert?.name} creates items without it` : `'${inKey}' is part of a key`;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}.${name}: the running release refuses any ${from.entity} without '${name}', and ${why}\n    fix: make '${name}' optional in one plan, and remove it in a later one`,
    );
  }
}

/**
 * Rejects a plan that both renames an attribute and converts its values: a stored item would have the old values only
 * under the old name, and the new values only under the new name.
 */
function assertOneByOne(items: readonly ItemChange[]): void {
  for (const { from, renamed, downs = [] } of items) {
    const [old, now] = Object.entries(renamed).find(([, name]) => downs.includes(name)) ?? [];
    if (old === undefined) continue;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}.${old} is renamed '${now}', and the form of its values changes\n    fix: rename the attribute in one plan, and change its values in a later one`,
    );
  }
}

/**
 * A plan converts an attribute in the same way for all members of a union. Rejects a change that a plan cannot make in
 * this way.
 */
function assertMembers(items: readonly ItemChange[], changes: readonly Change[], ...sides: readonly Lock[]): void {
  const isUnion = (at: ItemChange['from'] | undefined) =>
    sides.some(({ tables }) => at && tables[at.table]?.design?.entities[at.entity]?.attributes.discriminator);
  for (const change of items) {
    const { from, to, downs = [] } = change;
    if (!isUnion(from) && !isUnion(to)) continue;
    const own = changes.filter(({ subject }) => subject.table === to?.table && subject.entity === to?.entity);
    const refused = own.find(
      ({ rule, subject: { attribute = '', members }, breaks }) =>
        downs.includes(attribute) ||
        (rule === 'attribute-removed' && members !== undefined && breaks.some(({ who }) => who === 'old-readers')),
    );
    const added = isFilling(change) ? own.find(({ rule }) => rule === 'member-added') : undefined;
    const { path, message, fix } = refused ?? added ?? {};
    if (message === undefined) continue;
    const first = 'add the member in one plan, and make the other changes in a later one';
    throw new PlanRefused(
      `no single plan can make this change\n  ${path}: ${message}\n    fix: ${refused === undefined ? first : fix}`,
    );
  }
}

/**
 * Rejects moving items with unique values to a different table, or merging them into a different entity, because their
 * guards would not move with them.
 */
function assertGuardsStay(items: readonly ItemChange[], { tables }: SystemDesign): void {
  for (const { from, to, merged } of items) {
    const unique = to && Object.keys(tables[to.table]?.entities[to.entity]?.unique ?? {});
    if (!unique?.length || (from.table === to?.table && !merged)) continue;
    const why = `its items become ${to?.table}.${to?.entity}, whose ${unique.join(', ')} must be unique, but the guards would stay behind`;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}: ${why}\n    fix: use three plans: remove the 'unique' declaration, make this change, and add the declaration again`,
    );
  }
}

/**
 * Rejects renaming an attribute of an open entity, because its items may have an undeclared attribute under the old or
 * the new name.
 */
function assertNamed(items: readonly ItemChange[], { tables }: SystemDesign): void {
  for (const { from, to, nested = {}, ...change } of items) {
    const [old] = Object.keys({ ...storedRenames(change), ...nested });
    const attributes = to && tables[to.table]?.entities[to.entity]?.attributes;
    if (old === undefined || attributes === undefined || !membersOf(attributes as unknown as Schema).some(isOpen))
      continue;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}.${old} is renamed, but items of the open entity ${to?.entity} may use both names\n    fix: close the entity first (z.object, with all of its attributes), or keep the name`,
    );
  }
}

/**
 * Rejects changing a pattern under the same name if the old keys and indexes cannot serve the new pattern with the
 * values that its callers pass.
 */
function assertServed(lock: Lock, { tables }: SystemDesign, items: readonly ItemChange[]): void {
  const old = designOf(lock);
  for (const { from, to } of items.filter(isFilling)) {
    const [before, after] = [old.tables[from.table], to && tables[to.table]];
    if (before === undefined || after === undefined) continue;
    const { unserved } = transitionOf(before, after, items, false, true);
    const [name, why] = [...unserved].find(([own]) => Object.hasOwn(before.patterns ?? {}, own)) ?? [];
    if (name === undefined) continue;
    throw new PlanRefused(
      `no single plan can make this change\n  ${after.name}.${name}: until the switch, ${why}\n    fix: give the new pattern a different name, and remove ${name} in the same or a later change`,
    );
  }
}

/**
 * Rejects renaming a non-string attribute that is itself part of the primary key. The old key would have to be rendered
 * from the attribute under its new name, but rendered keys are always strings.
 */
function assertRendered(items: readonly ItemChange[], { tables }: Lock): void {
  for (const { from, renamed } of items) {
    const { key } = tables[from.table]?.physical ?? {};
    const own = [...(key?.partitionBy ?? []), ...(key?.sortBy ?? [])].find(
      ({ name, type }) => type !== 'string' && Object.hasOwn(renamed, name),
    );
    if (own === undefined) continue;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}.${own.name}: it is a key attribute of type ${own.type}\n    fix: declare stored: { ${renamed[own.name]}: '${own.name}' }, which keeps the table's key, so that the new name needs no plan`,
    );
  }
}

/**
 * Rejects a new name that another attribute had before: a run could not tell which of the two attributes an item has
 * under it.
 */
function assertDistinct(items: readonly ItemChange[], lock: Lock, target: Lock): void {
  const namesIn = ({ tables }: Lock, at: ItemChange['from'] | undefined) =>
    Object.keys((at && tables[at.table]?.design?.entities[at.entity]?.attributes.shape) ?? {});
  for (const { from, to, renamed } of items) {
    const two = nameOfTwo(renamed, namesIn(lock, from), namesIn(target, to));
    if (two === undefined) continue;
    const { old, now, name } = two;
    const why = `'${name}' is a different attribute before and after the change: old and new items cannot be distinguished`;
    throw new PlanRefused(
      `no single plan can make this change\n  ${from.table}.${from.entity}.${old} becomes '${now}', and ${why}\n    fix: use a name that no attribute has used before; a later plan can still rename the attribute`,
    );
  }
}

/**
 * Rejects a stored name if items may have a different attribute under it. Also rejects a stored name that belongs to a
 * key, because no plan copies values into or out of keys.
 */
function assertStored(items: readonly ItemChange[], lock: Lock, target: Lock): void {
  for (const { from, to, renamed, stored, downs = [] } of items) {
    const was = lock.tables[from.table];
    const is = to && target.tables[to.table];
    const old = was?.design?.entities[from.entity];
    const now = to && is?.design?.entities[to.entity];
    if (!was || !is || !old || !now || (old.stored ?? now.stored) === undefined) continue;
    const refuse = (attribute: string, why: string, fix: string): never => {
      throw new PlanRefused(
        `no single plan can make this change\n  ${from.table}.${from.entity}.${attribute}: ${why}\n    fix: ${fix}`,
      );
    };
    const keys = [was, is].flatMap(({ physical }) => keyAttributesOf(physical).map(({ name }) => name));
    const key = Object.entries(stored ?? {})
      .flat()
      .find((name) => keys.includes(name));
    if (key !== undefined)
      refuse(
        key,
        `it is a key, and no plan copies values into or out of keys`,
        'keep the stored name that belongs to the key',
      );
    const twice = downs.find((name) => Object.values(stored ?? {}).includes(storedName(now, name)));
    if (twice !== undefined)
      refuse(twice, 'its stored name and the form of its values both change', 'make the two changes in separate plans');
    const formerly = new Map(Object.keys(old.attributes.shape ?? {}).map((name) => [storedName(old, name), name]));
    for (const name of Object.keys(now.attributes.shape ?? {})) {
      const former = formerly.get(storedName(now, name));
      if (former === undefined || (renamed[former] ?? former) === name) continue;
      const why = `it is stored as '${storedName(now, name)}', but stored items have '${former}' under that name`;
      refuse(name, why, `store '${name}' under a name that no attribute has used before`);
    }
  }
}

/**
 * Rejects deleting the items of an entity that the new design has in a different table, because the plan's proof would
 * fail.
 */
function assertTaken(items: readonly ItemChange[], { tables }: SystemDesign): void {
  for (const { from, to } of items) {
    const now = Object.values(tables).find(
      ({ name, entities }) => name !== from.table && Object.hasOwn(entities, from.entity),
    );
    if (to !== undefined || now === undefined) continue;
    const path = `${from.table}.${from.entity}`;
    const fix = `answer with moved: { '${path}': '${now.name}' }, or, to delete the stored items, rename the entity in ${now.name}`;
    throw new PlanRefused(
      `the proof of this plan would fail: the plan deletes every stored ${path}, but the new design still has the entity, as ${now.name}.${from.entity}\n    fix: ${fix}`,
    );
  }
}

/** Rejects a plan during which a pattern would compare values in two different forms. */
function assertComparable(system: SystemDesign, items: readonly ItemChange[]): void {
  const compared = comparedInTwoForms(system, items);
  if (compared.length === 0) return;
  const lines = compared.map((sentence) => `  ${sentence}`);
  const fix = '    fix: store the new values in a separate attribute, and remove the old attribute in a later change';
  throw new PlanRefused(`no single plan can make this change\n${lines.join('\n')}\n${fix}`);
}

function assertAnswered(changes: readonly Change[]): void {
  const open = changes.filter(({ verdict }) => verdict === 'ask');
  const destroyed = changes.filter(({ rule, because }) => DESTRUCTIVE.has(rule) && because === undefined);
  const wanted = [...new Set([...open, ...destroyed])];
  if (wanted.length === 0) return;
  const lines = wanted.map(({ path, message, fix, rule, verdict }) => {
    const how = verdict === 'ask' ? fix : `it destroys stored items; give the reason: because: { '${path}': '…' }`;
    return `  ${path}: ${message}\n    fix: ${how}   [${rule}]`;
  });
  const count = `${wanted.length} change${wanted.length === 1 ? '' : 's'}`;
  throw new PlanRefused(`a plan needs answers about ${count}\n${lines.join('\n')}`);
}

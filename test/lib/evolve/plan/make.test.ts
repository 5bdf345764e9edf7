import { z } from 'zod';
import { check } from '../../../../lib/check';
import { diff, lockOf, planFor, readPlan, withEdits } from '../../../../lib/evolve';
import { canonicalFile } from '../../../../lib/evolve/canonical';
import type { EntityDesign } from '../../../../lib/index';
import { events, orders, refunds, shop, withoutRefunds } from '../../../fixtures/booked/designs';
import { deployed, thirteen } from '../../../fixtures/changes';

const environment = 'prod';
const lock = lockOf(deployed, { environment });

describe.each(thirteen)('the plan for $name', ({ after, answers }) => {
  const plan = planFor(lock, after, answers);
  const target = withEdits(after, plan.edits);

  test('a plan starts from the lock and ends with the design', () => {
    expect(plan.from).toBe(lock.hash);
    expect(plan.to).toBe(lockOf(target, { environment }).hash);
    const last = plan.phases.at(-1);
    for (const [table, { physical }] of Object.entries(lockOf(target, { environment }).tables)) {
      expect(last?.tables[table]).toMatchObject(physical);
    }
    expect(Object.keys(last?.tables ?? {})).toEqual(Object.keys(target.tables));
  });

  test('each deployment creates or deletes at most one index per table, and all creations come first', () => {
    const touched = plan.phases.map(({ wave }) => wave.filter(({ action }) => action.endsWith('-index')));
    for (const actions of touched) expect(new Set(actions.map(({ table }) => table)).size).toBe(actions.length);
    const order = touched.flat().map(({ action }) => action);
    expect(order).toEqual([...order].sort());
  });

  test("applying a plan's edits yields a valid design, and applying them again changes nothing", () => {
    expect(check(target).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(withEdits(target, plan.edits)).toEqual(target);
  });

  test('a finished plan leaves no change that needs another plan', () => {
    expect(diff(lockOf(target, { environment }), lockOf(target, { environment }))).toEqual([]);
  });

  test('a plan is unchanged after a round trip through its file', () => {
    expect(readPlan(canonicalFile(plan))).toEqual(JSON.parse(JSON.stringify(plan)));
  });
});

const steps = (name: string) => {
  const change = thirteen.find((one) => one.name === name);
  if (change === undefined) throw new Error(name);
  return planFor(lock, change.after, change.answers).phases.map(({ step, wave, items }) =>
    [step, ...wave.map(({ action, name: what, table }) => `${action} ${what ?? table}`), items]
      .filter(Boolean)
      .join(' '),
  );
};

test('a new index is deployed with the release that fills it, and read only after the backfill', () => {
  expect(steps('an index added')).toEqual([
    'expand-1 create-index GSI2',
    'drain',
    'backfill fill',
    'verify verify',
    'switch',
  ]);
});

test('creates two indexes in two deployments', () => {
  expect(steps('two indexes added').slice(0, 3)).toEqual([
    'expand-1 create-index GSI2',
    'expand-2 create-index GSI3',
    'drain',
  ]);
});

test('replaces an index without a backfill if only its projection changed', () => {
  expect(steps('a different index projection')).toEqual([
    'expand-1 create-index GSI1v2',
    'switch',
    'contract-1 delete-index GSI1',
  ]);
});

test('changing the template of an index key creates a new index with a new key attribute', () => {
  expect(steps('a different index key template')).toEqual([
    'expand-1 create-index GSI1v2',
    'drain',
    'backfill fill',
    'verify verify',
    'switch',
    'contract-1 delete-index GSI1',
    'contract-2 clean',
  ]);
});

test('a plan turns TTL off before it turns TTL on for another attribute', () => {
  expect(steps('a different TTL attribute')).toEqual([
    'contract-1 disable-ttl expires',
    'contract-2 enable-ttl expiresAt',
  ]);
});

test('creates the new table before any release reads it, and deletes the replaced table at the end', () => {
  expect(steps('a table renamed')).toEqual([
    'expand-1 create-table articles',
    'expand-2',
    'drain',
    'backfill fill',
    'verify verify',
    'switch',
    'contract-1 delete-table blog',
  ]);
});

test('requires a reason for a destructive change, and shows the reason in the destructive phase', () => {
  const removed = thirteen.find(({ name }) => name === 'an entity removed');
  if (removed === undefined) throw new Error();
  const { because } = removed.answers ?? {};
  const without = { because: { 'tables.blog.patterns': 'gone' } };
  expect(() => planFor(lock, removed.after, without)).toThrow(
    /needs answers about 1 change\n {2}tables\.blog\.entities\.Comment: .*\n.*because/,
  );
  const last = planFor(lock, removed.after, { because }).phases.at(-1);
  expect(last).toMatchObject({
    step: 'contract-1',
    items: 'clean',
    because: { 'tables.blog.entities.Comment': 'comments are on another site now' },
    rollback: { possible: false },
  });
});

test('rejects a plan that would delete the items of an entity that the new design defines in a different table', () => {
  const { entities, patterns } = refunds;
  const after = shop({ ...orders, ...withoutRefunds }, { ...refunds, name: 'payback', entities, patterns });
  const because = { 'tables.orders.entities.Refund': 'they are elsewhere', 'tables.orders.patterns': 'so are these' };
  expect(() => planFor(lockOf(shop(orders), { environment }), after, { because })).toThrow(
    /^the proof of this plan would fail: .* deletes every stored orders\.Refund, .* as payback\.Refund\n +fix: answer with moved: \{ 'orders\.Refund': 'payback' \}/,
  );
});

test("rejects a change to both an attribute's name and its values", () => {
  const Event = events.entities.Event as EntityDesign;
  const { at: _, ...shape } = (Event.attributes as z.ZodObject).shape;
  const keys = { ...Event.keys, GSI1SK: 'AT#<time>' };
  const attributes = z.object({ ...shape, time: z.iso.datetime({ precision: 3 }) });
  const moveEvent = { ...events.patterns?.moveEvent, set: { time: '<time>' } } as never;
  const after = shop({
    ...events,
    entities: { Event: { attributes, keys } },
    patterns: { ...events.patterns, moveEvent },
  });
  const answers = { renamed: { 'events.Event.at': 'time' } };
  expect(() => planFor(lockOf(shop(events), { environment }), after, answers)).toThrow(
    /events\.Event\.at is renamed 'time', and the form of its values changes\n +fix: rename the attribute in one plan, and change its values in a later one/,
  );
});

test('makes no plan if no change needs one', () => {
  expect(() => planFor(lock, deployed)).toThrow(/no change needs a plan/);
});

test('rejects an edited plan', () => {
  const [{ after }] = thirteen as [(typeof thirteen)[number]];
  const plan = planFor(lock, after);
  expect(() => readPlan({ ...plan, phases: plan.phases.slice(1) }, 'plan.json')).toThrow(
    /^plan\.json was edited .*tablewright plan/,
  );
});

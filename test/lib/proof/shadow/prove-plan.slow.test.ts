import { z } from 'zod';
import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { lockOf, type Phase, type Plan, planFor } from '../../../../lib/evolve';
import { signed } from '../../../../lib/evolve/canonical';
import type { PlanProofInput } from '../../../../lib/proof/shadow/prove-plan';
import { deployedCases, migrationOf } from '../../../fixtures/change-cases';
import { deployed, deployedTable, type NamedChange, systemOf, thirteen } from '../../../fixtures/changes';
import { describeProofs, inputOf, proofsOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

const lock = lockOf(deployed, { environment: 'prod' });

const proved = (input: PlanProofInput) => proofsOf(engine, input);

/** Changes that have several waves, move items, need an `up`, or delete items. */
const NAMES = ['two indexes added', 'a different primary key template', 'a required attribute', 'an entity removed'];

describeProofs(
  () => engine,
  thirteen.filter(({ name }) => NAMES.includes(name)),
);

test('the old and the new release can both read and update an attribute while it is renamed', async () => {
  const { Post, ...entities } = deployedTable.entities;
  const { title, ...shape } = Post.attributes.shape;
  const after = systemOf({
    ...deployedTable,
    entities: { ...entities, Post: { ...Post, attributes: z.object({ ...shape, headline: title }) } },
    patterns: {
      ...deployedTable.patterns,
      retitle: { ...deployedTable.patterns.retitle, set: { headline: '<headline>' } },
    },
  });
  const plan = planFor(lock, after, { renamed: { 'blog.Post.title': 'headline' } });
  const proofs = await proved({
    plan,
    lock,
    design: after,
    before: deployedCases,
    templates: stepTemplates(after, plan),
  });
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.length).toBe(plan.phases.length);
});

describe('an entity that is split', () => {
  const { Post } = deployedTable.entities;
  /**
   * The new release writes a post together with its text. The old release writes only the post, with a pattern of the
   * same name.
   */
  const text = { op: 'put', entity: 'PostText' };
  const blogWith = (patterns: object) =>
    systemOf({
      ...deployedTable,
      entities: {
        ...deployedTable.entities,
        PostText: {
          attributes: z.object({ postId: z.string(), title: Post.attributes.shape.title }),
          keys: { PK: 'POST#<postId>', SK: 'TEXT' },
        },
      },
      patterns: {
        ...deployedTable.patterns,
        getText: { op: 'get', where: { PK: 'POST#<postId>', SK: 'TEXT' }, returns: ['PostText'] },
        ...patterns,
      } as never,
    });
  const provedAs = async (design: ReturnType<typeof blogWith>) => {
    const plan = planFor(lock, design, { split: { 'blog.Post': ['PostText'] } });
    const templates = stepTemplates(design, plan);
    return { plan, proofs: await proved({ plan, lock, design, before: deployedCases, templates }) };
  };

  test('the backfill adds the missing text for each post that the old release wrote', async () => {
    const { plan, proofs } = await provedAs(
      blogWith({
        putPost: { op: 'transaction', steps: { post: { op: 'put', entity: 'Post' }, text } },
        retitle: { op: 'transaction', steps: { post: deployedTable.patterns.retitle, text } },
      }),
    );
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.length).toBe(plan.phases.length);
  });

  test('a split fails its proof if the new release still writes only the post', async () => {
    expect((await provedAs(blogWith({}))).proofs.at(-1)).toMatchObject({
      step: 'verify',
      failure: expect.stringMatching(
        /: Post: its PostText \(PK .*, SK "TEXT"\) (is missing|differs from the derived item)$/,
      ),
    });
  });
});

describe('the proof of a plan that would lose, hide or break something fails, and names the phase and the item', () => {
  const named = (name: string) => thirteen.find((change) => change.name === name) as NamedChange;
  const withPhases = (plan: Plan, change: (phases: readonly Phase[]) => readonly Phase[]): Plan => {
    const { hash: _, ...rest } = plan;
    return signed({ ...rest, phases: change(plan.phases) });
  };
  const step = (phases: readonly Phase[], name: string) => phases.find((phase) => phase.step === name) as Phase;
  const inOrder = (names: string) => (phases: readonly Phase[]) => names.split(' ').map((name) => step(phases, name));

  test.each<[string, string, (phases: readonly Phase[]) => readonly Phase[], string, RegExp]>([
    [
      'the plan does not wait until old writers have stopped',
      'an index added',
      inOrder('expand-1 backfill verify switch'),
      'verify',
      /^an item of blog \(PK "POST#.*: Post: 'GSI2PK' does not have the derived value/,
    ],
    [
      'the backfill begins before old writers have stopped',
      'a different index key template',
      inOrder('expand-1 backfill verify drain switch contract-1'),
      'verify',
      /GSI1SKv2/,
    ],
    [
      'there is no backfill',
      'an index added',
      inOrder('expand-1 drain switch'),
      'switch',
      /^Post 'first': postsByTitle\(.*\) does not return it \(the release of switch\)/,
    ],
    [
      'the switch comes before the backfill',
      'a required attribute',
      inOrder('expand-1 drain switch backfill verify'),
      'switch',
      /^Post '.*': getPost\(.*\) fails: ItemError: .*language/,
    ],
    [
      'two indexes are created in one wave',
      'two indexes added',
      (phases) => phases.filter((phase) => phase.step !== 'expand-1'),
      'expand-2',
      /DeploymentRefused: .*more than one index is created or deleted in a single update \(GSI2, GSI3\)/,
    ],
    [
      'an index is deleted while it is read',
      'a different index projection',
      inOrder('expand-1 contract-1 switch'),
      'contract-1',
      /postsByCategory\(.*GSI1/,
    ],
    [
      'the release writes only the new form while the old release runs',
      'an entity renamed',
      (phases) =>
        phases.map((phase) =>
          phase.step === 'expand-1' ? { ...phase, code: { reads: 'new', writes: 'new' } } : phase,
        ),
      'expand-1',
      /the item PK .* is unknown to the design, but the pattern returns Article \(the release of expand-1\)$/,
    ],
    [
      'items are not moved',
      'a different primary key template',
      (phases) => phases.filter(({ items }) => items === undefined),
      'switch',
      /retitle\(.*\) of the release of switch fails: .*ARTICLE#.* does not exist/,
    ],
    [
      'TTL moves to another attribute in a single deployment',
      'a different TTL attribute',
      (phases) => phases.filter((phase) => phase.step !== 'contract-1'),
      'contract-2',
      /TTL is enabled on expires; disable it before enabling it on expiresAt/,
    ],
    [
      'the old form is not removed',
      'an entity removed',
      (phases) => phases.filter(({ items }) => items !== 'clean'),
      'the end',
      /^an item of blog \(PK .*: Comment: it has not been deleted$/,
    ],
  ])('%s', async (_, name, mutate, phase, failure) => {
    const input = inputOf(named(name));
    const plan = withPhases(input.plan, mutate);
    const last = (await proved({ ...input, plan, templates: stepTemplates(input.design, plan) })).at(-1);
    expect(last).toMatchObject({ step: phase, failure: expect.stringMatching(failure) });
  });

  test.each<[string, string, RegExp]>([
    [
      '`up` returns a different value than the cases expect',
      'pt',
      /^Post 'first' has become .*"language":"pt".* expect .*"en"/,
    ],
    ['`up` returns a value that the schema refuses', undefined as never, /^Post 'first': Post: language/],
  ])('%s', async (_, language, failure) => {
    const change = named('a required attribute');
    const migration = migrationOf(change, lock, { up: (item) => ({ ...item, language }) });
    const last = (await proved({ ...inputOf(change), ...(migration && { migration }) })).at(-1);
    expect(last).toMatchObject({ step: 'expand-1', failure: expect.stringMatching(failure) });
  });

  test('a proof fails if there is no `up` for a value that only the user knows', async () => {
    const { migration: _, ...input } = inputOf(named('a required attribute'));
    const last = (await proved(input)).at(-1);
    expect(last).toMatchObject({
      step: 'expand-1',
      failure: expect.stringMatching(/only you know the values of language/),
    });
  });
});

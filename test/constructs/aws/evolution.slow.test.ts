import { Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, type Evolution, SystemStack } from '../../../constructs/aws';
import { tablesIn } from '../../../lib/dynamodb/template/tables';
import { type Lock, lockAfter, lockOf, planFor, systemOf, withEdits } from '../../../lib/evolve';
import type { SystemDesign } from '../../../lib/index';
import { deployed, deployedTable, type NamedChange, thirteen } from '../../fixtures/changes';

const environment = 'dev';
const lock = lockOf(deployed, { environment });
const named = (name: string) => thirteen.find((change) => change.name === name) as NamedChange;

function synthesize(design: SystemDesign, evolution?: Evolution, use?: (stack: SystemStack) => void) {
  const stack = new SystemStack(new App(), 'Journal', { design, environment, ...(evolution && { evolution }) });
  use?.(stack);
  return Template.fromStack(stack);
}

const tablesOf = (template: Template) => new Map(tablesIn(template.toJSON()).map((table) => [table.logicalId, table]));

describe.each(thirteen)('$name', ({ after, answers }) => {
  test('synthesis with a lock but no plan throws and explains what to do', () => {
    const make = () => synthesize(after, { lock, ...(answers && { answers }) });
    expect(make).toThrow(/that cannot be deployed as .*\n {2}tables\.(blog|articles).*fix: .*npx tablewright plan'$/s);
  });

  test('the changed design synthesizes without a lock', () => {
    expect(() => synthesize(after)).not.toThrow();
  });

  test('the plan deploys step by step, without replacing a table and with at most one index change per step', () => {
    const plan = planFor(lock, after, answers);
    const design = withEdits(after, plan.edits);
    let recorded: Lock = lock;
    let before = tablesOf(synthesize(deployed));
    for (const { step, wave } of plan.phases) {
      const now = tablesOf(synthesize(design, { lock: recorded, plan, step }));
      const created = [...now.keys()].filter((id) => !before.has(id));
      const deleted = [...before.keys()].filter((id) => !now.has(id));
      let actions = created.length + deleted.length;
      for (const [id, table] of now) {
        const old = before.get(id);
        if (old === undefined) continue;
        expect({ key: table.key, name: table.name }).toEqual({ key: old.key, name: old.name });
        const [was, is] = [old, table].map(({ indexes }) => new Map(indexes.map((index) => [index.name, index])));
        const changed = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].filter(
          (name) => !was?.has(name) || !is?.has(name),
        );
        expect(changed.length).toBeLessThanOrEqual(1);
        for (const [name, index] of is ?? []) if (was?.has(name)) expect(index).toEqual(was.get(name));
        actions += changed.length + (old.ttl === table.ttl ? 0 : 1);
      }
      expect({ step, actions }).toEqual({ step, actions: wave.length });
      recorded = lockAfter(plan, recorded, step, design);
      before = now;
    }
    // After the last step, the template has the same tables as a template built from the design alone, and the lock
    // matches the design.
    expect([...before.keys()]).toEqual([...tablesOf(synthesize(design)).keys()]);
    expect(() => synthesize(design, { lock: recorded })).not.toThrow();
  });
});

const { after: twoIndexes } = named('two indexes added');
const plan = planFor(lock, twoIndexes);

test.each<[string, Partial<Evolution>, RegExp]>([
  ['an edited lock', { lock: { ...lock, environment: 'prod' } }, /^evolution\.lock was edited/],
  [
    'the lock of another environment',
    { lock: lockOf(deployed, { environment: 'prod' }) },
    /lock is for environment 'prod', not 'dev'/,
  ],
  [
    'the lock of another system',
    { lock: lockOf({ ...deployed, name: 'diary' }, { environment }) },
    /lock is for system 'diary'/,
  ],
  [
    'a plan for another lock',
    { lock: lockOf(twoIndexes, { environment }), plan, step: 'expand-1' },
    /plan starts from a different lock/,
  ],
  ['an edited plan', { plan: { ...plan, phases: [] }, step: 'expand-1' }, /^evolution\.plan was edited/],
  ['a plan without a step', { plan }, /^evolution\.step must be one of the plan's steps: expand-1, expand-2/],
  ['an unknown step', { plan, step: 'expand-9' }, /no step 'expand-9'; did you mean expand-1/],
  [
    'a step out of order',
    { plan, step: 'expand-2' },
    /step 'expand-2' is out of order: 'expand-1' is next; .*record --plan <file> --step expand-1/,
  ],
  ['a step without a plan', { step: 'expand-1' }, /there is no plan; pass evolution\.plan/],
])('refuses %s', (_, evolution, message) => {
  expect(() => synthesize(twoIndexes, { lock, ...evolution })).toThrow(message);
});

test('a stack refuses a plan for a different design', () => {
  expect(() => synthesize(deployed, { lock, plan, step: 'expand-1' })).toThrow(/leads to a different design/);
});

test('a stack without the plan refuses a lock that records an unfinished plan', () => {
  const under = lockAfter(plan, lock, 'expand-1', twoIndexes);
  expect(() => synthesize(twoIndexes, { lock: under })).toThrow(/a plan is under way \(step 'expand-1' is done\)/);
});

test('the design must use the names that the plan assigns', () => {
  const { after } = named('a different index key template');
  const make = () => synthesize(after, { lock, plan: planFor(lock, after), step: 'expand-1' });
  expect(make).toThrow(/rename index 'GSI1' of 'blog' to 'GSI1v2'\n.*rename key 'GSI1SK' of 'blog' to 'GSI1SKv2'/);
});

test('a stack synthesizes an earlier step only if the plan can go back to that step', () => {
  const steps = plan.phases.map(({ step }) => step);
  const upTo = (last: string) =>
    steps.slice(0, steps.indexOf(last) + 1).reduce<Lock>((at, step) => lockAfter(plan, at, step, twoIndexes), lock);
  expect(() => synthesize(twoIndexes, { lock: upTo('verify'), plan, step: 'expand-2' })).not.toThrow();
  const removal = named('an index removed');
  const removing = planFor(lock, removal.after, removal.answers);
  const deleted = ['switch', 'contract-1'].reduce<Lock>(
    (at, step) => lockAfter(removing, at, step, removal.after),
    lock,
  );
  expect(() => synthesize(removal.after, { lock: deleted, plan: removing, step: 'switch' })).toThrow(
    /no way back to step 'switch' from 'contract-1'/,
  );
});

test('a plan that changes the TTL attribute first disables TTL, since DynamoDB refuses a different attribute while TTL is enabled', () => {
  const { after } = named('a different TTL attribute');
  const ttl = planFor(lock, after);
  synthesize(after, { lock, plan: ttl, step: 'contract-1' }).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: false },
  });
});

test('a grant covers both designs until the contract phase', () => {
  const { after } = named('a different primary key template');
  const moving = planFor(lock, after);
  const keysAt = (at: Lock, step: string) => {
    const template = synthesize(after, { lock: at, plan: moving, step }, (stack) => {
      const role = new Role(stack, 'Reader', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      stack.system.tables.blog?.grantPattern(role, 'getPost' as never);
      stack.system.grantPatterns(role, ['getPost' as never]);
    });
    return JSON.stringify(template.findResources('AWS::IAM::Policy'));
  };
  const first = keysAt(lock, 'expand-1');
  expect(first).toContain('POST#*');
  expect(first).toContain('ARTICLE#*');
  const steps = moving.phases.map(({ step }) => step);
  const switched = steps
    .slice(0, steps.indexOf('contract-1'))
    .reduce<Lock>((at, step) => lockAfter(moving, at, step, after), lock);
  expect(keysAt(switched, 'contract-1')).not.toContain('"POST#*');
});

test('a write grant covers both the old and the new place of an item while the item moves', () => {
  const { after } = named('a different primary key template');
  const moving = planFor(lock, after);
  const actionsAt = (step: string) => {
    const steps = moving.phases.map((phase) => phase.step);
    const at = steps
      .slice(0, steps.indexOf(step))
      .reduce<Lock>((known, done) => lockAfter(moving, known, done, after), lock);
    const template = synthesize(after, { lock: at, plan: moving, step }, (stack) => {
      const role = new Role(stack, 'Writer', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      stack.system.grantPatterns(role, ['putPost' as never]);
    });
    return JSON.stringify(template.findResources('AWS::IAM::Policy'));
  };
  for (const action of ['GetItem', 'DeleteItem', 'ConditionCheckItem']) {
    expect(actionsAt('drain')).toContain(`dynamodb:${action}`);
    expect(actionsAt('contract-1')).not.toContain(`dynamodb:${action}`);
  }
});

describe('a stream whose view changes', () => {
  const alone = systemOf(deployedTable);
  const { NEW_AND_OLD_IMAGES, KEYS_ONLY } = StreamViewType;
  const own = lockOf(alone, { environment, deployed: { blog: { stream: KEYS_ONLY } } });
  const tableAt = (evolution: Evolution, dynamoStream: StreamViewType) =>
    new DesignedTable(new Stack(), 'Blog', { design: deployedTable, environment, dynamoStream, evolution });
  const viewAt = (evolution: Evolution) => {
    const { table } = tableAt(evolution, NEW_AND_OLD_IMAGES);
    const [found] = Object.values(Template.fromStack(Stack.of(table)).findResources('AWS::DynamoDB::GlobalTable'));
    return found?.Properties.StreamSpecification?.StreamViewType;
  };

  test("a plan that changes a stream's view disables the stream in one step and enables it again in the next", () => {
    const plan = planFor(own, alone, {}, { blog: { stream: NEW_AND_OLD_IMAGES } });
    let at: Lock = own;
    const views = plan.phases.map(({ step, wave }) => {
      const view = viewAt({ lock: at, plan, step });
      at = lockAfter(plan, at, step, alone);
      return [step, wave.map(({ action }) => action).join(), view];
    });
    expect(views).toEqual([
      ['contract-1', 'disable-stream', undefined],
      ['contract-2', 'enable-stream', NEW_AND_OLD_IMAGES],
    ]);
    expect(viewAt({ lock: at })).toBe(NEW_AND_OLD_IMAGES);
  });

  test('synthesis with a lock but no plan throws if the view of a deployed stream changes', () => {
    expect(() => tableAt({ lock: own }, NEW_AND_OLD_IMAGES)).toThrow(
      /Blog: the deployed stream has the view type KEYS_ONLY, but would have NEW_AND_OLD_IMAGES; .*npx tablewright plan --assembly cdk\.out/,
    );
    expect(() => tableAt({ lock: own }, KEYS_ONLY)).not.toThrow();
    const none = lockOf(alone, { environment, deployed: { blog: { stream: null } } });
    expect(viewAt({ lock: none })).toBe(NEW_AND_OLD_IMAGES);
  });

  test('`onChange` refuses a consumer while the plan disables the stream', () => {
    const plan = planFor(own, alone, {}, { blog: { stream: NEW_AND_OLD_IMAGES } });
    const table = tableAt({ lock: own, plan, step: 'contract-1' }, NEW_AND_OLD_IMAGES);
    expect(() => table.onChange({} as never, ['Post'])).toThrow(
      /table 'blog' has no stream, .*the plan disables the stream in this step: let its consumers read the stream to the end/,
    );
  });
});

test('refuses a different logical id, which would mean a different table', () => {
  const [id = ''] = tablesOf(synthesize(deployed)).keys();
  const withId = (logicalId: string) =>
    lockOf(deployed, { environment, deployed: { blog: { logicalId, name: 'journal-dev-blog' } } });
  expect(() => synthesize(deployed, { lock: withId(id) })).not.toThrow();
  expect(() => synthesize(deployed, { lock: withId('Elsewhere12345678') })).toThrow(
    /the deployed logical id is 'Elsewhere12345678', .* CloudFormation would replace the table with an empty one/,
  );
});

test('refuses a different physical name, which would mean a different table', () => {
  const locked = lockOf(deployed, { environment, deployed: { blog: { name: 'journal-old' } } });
  expect(() => synthesize(deployed, { lock: locked })).toThrow(/the deployed table name is 'journal-old'/);
});

test('a table outside a system also supports evolution', () => {
  const alone = systemOf(deployedTable);
  const own = lockOf(alone, { environment });
  const { after } = named('a different index projection');
  const design = after.tables.blog as typeof deployedTable;
  const make = (evolution: Evolution) => new DesignedTable(new Stack(), 'Blog', { design, environment, evolution });
  expect(() => make({ lock: own })).toThrow(/cannot be deployed as it is/);
  const way = planFor(own, systemOf(design));
  const edited = withEdits(systemOf(design), way.edits).tables.blog as typeof deployedTable;
  const { table } = new DesignedTable(new Stack(), 'Blog', {
    design: edited,
    environment,
    evolution: { lock: own, plan: way, step: 'expand-1' },
  });
  expect(tablesIn(Template.fromStack(Stack.of(table)).toJSON())[0]?.indexes.map(({ name }) => name)).toEqual([
    'GSI1',
    'GSI1v2',
  ]);
});

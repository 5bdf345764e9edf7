import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../../constructs/aws';
import { diff, lockOf } from '../../../../lib/evolve';
import { lockOfTables, tablesOfSystem } from '../../../../lib/evolve/deployed/assembly';
import { type Sources, tablesOfStack } from '../../../../lib/evolve/deployed/stack';
import type { SystemDesign } from '../../../../lib/index';
import { deployed, thirteen } from '../../../fixtures/changes';

const environment = 'dev';
const templateOf = (design: SystemDesign) =>
  Template.fromStack(new SystemStack(new App(), 'Journal', { design, environment })).toJSON();
const stacks = [{ name: 'Journal', template: templateOf(deployed) }];
const against = (design: SystemDesign) =>
  diff(lockOfTables(deployed, environment, tablesOfSystem(deployed, stacks)), lockOf(design, { environment }));

test('finds no difference between a template and its design', () => {
  expect(against(deployed)).toEqual([]);
});

const RESOURCES = ['index-added', 'index-key', 'index-projection', 'index-removed', 'table-key', 'ttl'];

test.each(thirteen.filter(({ rule }) => RESOURCES.includes(rule)))(
  'diff against a template reports $name',
  ({ after, rule }) => {
    expect(against(after).map((change) => change.rule)).toContain(rule);
  },
);

test('reports no changes to items, since a template does not describe items', () => {
  const required = thirteen.find(({ rule }) => rule === 'attribute-required') as (typeof thirteen)[number];
  expect(against(required.after)).toEqual([]);
});

test('reports that turning a Table into a TableV2 would replace the table', () => {
  const [id = ''] = Object.keys(templateOf(deployed).Resources);
  const old = tablesOfSystem(deployed, stacks).blog;
  if (old === undefined) throw new Error(id);
  const lock = lockOf(deployed, { environment, deployed: { blog: { type: 'AWS::DynamoDB::Table' } } });
  const now = lockOf(deployed, { environment, deployed: { blog: { type: old.type } } });
  expect(diff(lock, now)).toMatchObject([{ rule: 'resource-type', verdict: 'replace' }]);
});

test('requires a plan when two replicas are added', () => {
  const lock = lockOf(deployed, { environment, deployed: { blog: { replicas: [] } } });
  const now = lockOf(deployed, { environment, deployed: { blog: { replicas: ['eu-west-1', 'us-west-2'] } } });
  expect(diff(lock, now)).toMatchObject([{ rule: 'replicas', verdict: 'plan' }]);
});

describe('a deployed stack', () => {
  const sources = (template: string, describe: Sources['describe'] = async () => undefined): Sources => ({
    getTemplate: async () => template,
    describe,
  });
  const text = JSON.stringify(templateOf(deployed));

  test("reads a deployed table's name from its template", async () => {
    expect(await tablesOfStack(deployed, 'Journal', sources(text))).toEqual(tablesOfSystem(deployed, stacks));
  });

  test('prefers the live table to the template after an index was added by hand or TTL was switched off', async () => {
    const table = {
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
        { AttributeName: 'n', AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byHand',
          KeySchema: [{ AttributeName: 'n', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    };
    const found = await tablesOfStack(
      deployed,
      'Journal',
      sources(text, async () => ({ table })),
    );
    expect(found.blog?.indexes).toEqual([
      { name: 'byHand', partitionBy: [{ name: 'n', type: 'number' }], sortBy: [], projection: 'keys' },
    ]);
    expect(found.blog?.ttl).toBeUndefined();
  });

  test.each(['Resources: {}', '{"Resources": []}'])(
    'rejects a deployed stack whose template is %s',
    async (template) => {
      await expect(tablesOfStack(deployed, 'Journal', sources(template))).rejects.toThrow(
        /template of stack 'Journal'/,
      );
    },
  );
});

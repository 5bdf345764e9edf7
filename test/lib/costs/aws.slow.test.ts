import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { type DesignedSystemProps, environments, SystemStack } from '../../../constructs/aws';
import { awsCosts } from '../../../lib/costs/aws';
import { type Cost, monthlyOf } from '../../../lib/costs/cost';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { blog, trimobe } from '../../../lib/systems';

const golden = (name: string): TemplateJson =>
  JSON.parse(readFileSync(join(__dirname, '../../golden', `${name}.json`), 'utf8'));
const made = (props: DesignedSystemProps): TemplateJson =>
  Template.fromStack(new SystemStack(new App(), 'S', { env: { region: 'eu-west-1' }, ...props })).toJSON();
const document = readFileSync(join(__dirname, '../../../docs/guides/costs.md'), 'utf8');
const fixed = (costs: readonly Cost[]) =>
  costs.filter(({ monthly }) => monthly > 0).map(({ part, monthly }) => [part, monthly]);

test('counts the fixed costs of prod: a KMS key, alarm metrics, a dashboard and insights rules', () => {
  const costs = awsCosts(golden('blog-prod'));
  expect(fixed(costs)).toEqual([
    ['1 customer-managed key', 1],
    ['16 alarms with 30 metrics', 3],
    ['1 dashboard', 3],
    ['contributor insights with 8 rules', 4],
  ]);
  expect(monthlyOf(costs)).toBeCloseTo(11);
});

test('lists usage-based costs with their prices, and the number of retained backups', () => {
  const byUse = awsCosts(golden('blog-prod')).filter(({ monthly }) => monthly === 0);
  expect(byUse.map(({ part }) => part)).toEqual([
    '1 table on demand',
    'storage',
    'point-in-time recovery',
    'backups, 21 warm and 11 cold at a time',
  ]);
  expect(byUse.at(-1)?.price).toBe('$2.43 a month for each GB of the tables ($0.10 warm, $0.03 cold)');
});

test.each([blog, trimobe])('finds no fixed costs for $name in dev or economy', (design) => {
  for (const environment of ['dev', 'economy'] as const) {
    expect(fixed(awsCosts(made({ design, environment })))).toEqual([]);
  }
});

test('matches the costs of every environment in the docs, part by part', () => {
  const [, section = ''] = /\| AWS, blog \(.*\n\|[-|]*\n((?:\|.*\n)*)/.exec(document) ?? [];
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim().replaceAll('**', '')));
  const row = (name: string) => rows.find(([, part]) => part?.startsWith(name))?.slice(2, 5);
  const amounts = (cells: readonly string[] = []) => cells.map((cell) => Number(/^\$([\d.]+)/.exec(cell)?.[1] ?? 0));
  const of = (environment: 'dev' | 'economy' | 'staging' | 'prod') => awsCosts(made({ design: blog, environment }));
  const part = (costs: readonly Cost[], name: string) => costs.find((one) => one.part.includes(name));
  const [dev, economy, staging, prod] = [of('dev'), of('economy'), of('staging'), of('prod')];
  expect(staging.filter(({ monthly }) => monthly > 0)).toEqual(prod.filter(({ monthly }) => monthly > 0));
  const all = [dev, economy, prod];
  for (const [name, shown] of Object.entries({
    key: 'customer',
    metrics: 'alarms',
    dashboard: 'dash',
    rules: 'contr',
  })) {
    expect(amounts(row(shown))).toEqual(all.map((costs) => part(costs, name)?.monthly ?? 0));
  }
  expect(amounts(row('fixed'))).toEqual(all.map(monthlyOf));
  const backups = [economy, staging, prod].map((costs) => {
    const { part: told = '', price = '' } = part(costs, 'backups') ?? {};
    const copies = (told.match(/\d+/g) ?? []).reduce((sum, n) => sum + Number(n), 0);
    return `${copies}: ${price.split(' ')[0]} a GB`;
  });
  expect(row('backups')).toEqual(['–', backups[0], `${backups[1]}; ${backups[2]}`]);
  const days = (name: 'dev' | 'economy' | 'staging' | 'prod') => environments[name].recoveryPeriodInDays;
  expect(row('point-in-time')).toEqual([
    `${days('dev')} days`,
    `${days('economy')} days`,
    `${days('staging')}, ${days('prod')} days: $0.20 a GB, regardless of the number of days`,
  ]);
});

test('economy on AWS has exactly the protection that the docs list', () => {
  const [, , kept = '', dropped = ''] =
    document
      .split('\n')
      .find((line) => line.startsWith('| AWS | '))
      ?.split('|') ?? [];
  const { economy, prod } = environments;
  const same = (name: keyof typeof economy) => isDeepStrictEqual(economy[name], prod[name]);
  for (const [name, words] of Object.entries({
    protectData: 'deletion protection, retained tables',
    recoveryPeriodInDays: `recovery over ${economy.recoveryPeriodInDays} days`,
    tlsOnly: 'TLS only',
  })) {
    expect([same(name as 'tlsOnly'), kept]).toEqual([true, expect.stringContaining(words)]);
  }
  for (const [name, words] of Object.entries({
    encryption: 'your own key',
    alarms: 'alarms',
    contributorInsights: 'contributor insights',
    backup: 'daily and monthly backups',
  })) {
    expect([same(name as 'alarms'), dropped]).toEqual([false, expect.stringContaining(words)]);
  }
});

test('economy has point-in-time recovery and backups, as prod does', () => {
  const protection = (environment: 'economy' | 'prod') =>
    awsCosts(made({ design: blog, environment })).flatMap(({ part }) => /recovery|backups/.exec(part)?.[0] ?? []);
  expect(protection('economy')).toEqual(protection('prod'));
});

test('counts the minimum provisioned capacity of tables and indexes in every region', () => {
  // The table `Tenants` has no index, and `Users` has one.
  const units = (table: object) => fixed(awsCosts(made({ design: trimobe, environment: 'economy', options: table })));
  const capacity = { read: { min: 10, max: 20 }, write: { min: 10, max: 20 } };
  expect(units({ Tenants: { capacity } })).toEqual([
    ['1 table with at least 10 read units and 10 write units, indexes included', 5.69],
  ]);
  const [[part] = []] = units({ Users: { capacity } });
  expect(part).toBe('1 table with at least 20 read units and 20 write units, indexes included');
  const [[copied] = []] = units({ Users: { capacity, replicas: [{ region: 'us-east-1' }] } });
  expect(copied).toBe('1 table with at least 40 read units and 40 write units, indexes included');
});

/** Returns a template with the given resources and one table, which by default has only a partition key. */
const templateOf = (table: object, others: Readonly<Record<string, object>> = {}): TemplateJson => {
  const Properties = { KeySchema: [{ AttributeName: 'id' }], BillingMode: 'PAY_PER_REQUEST', Replicas: [{}], ...table };
  const Resources = { Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties }, ...others };
  return { Resources } as object;
};

test('counts each dashboard, and counts an alarm that lists no metrics as one metric', () => {
  const template = templateOf(
    {},
    {
      One: { Type: 'AWS::CloudWatch::Dashboard' },
      Two: { Type: 'AWS::CloudWatch::Dashboard' },
      Late: { Type: 'AWS::CloudWatch::Alarm' },
    },
  );
  expect(fixed(awsCosts(template))).toEqual([
    ['1 alarm with 1 metric', 0.1],
    ['2 dashboards', 6],
  ]);
});

test('counts one insights rule per key attribute, or two if insights also watch accepted requests', () => {
  const watching = (Mode: string, KeySchema: readonly object[]) => {
    const replica = { ContributorInsightsSpecification: { Enabled: true, Mode } };
    return fixed(awsCosts(templateOf({ KeySchema, Replicas: [replica] })));
  };
  const [id, at] = [{ AttributeName: 'id' }, { AttributeName: 'at' }];
  expect(watching('THROTTLED_KEYS', [id])).toEqual([['contributor insights with 1 rule', 0.5]]);
  expect(watching('THROTTLED_KEYS', [id, at])).toEqual([['contributor insights with 2 rules', 1]]);
  expect(watching('ACCESSED_AND_THROTTLED_KEYS', [id, at])).toEqual([['contributor insights with 4 rules', 2]]);
});

test('prices a write unit at five times a read unit, even with provisioned capacity', () => {
  const monthly = (read: number, write: number) =>
    fixed(
      awsCosts(
        templateOf({
          BillingMode: 'PROVISIONED',
          WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: { MinCapacity: write } },
          Replicas: [{ ReadProvisionedThroughputSettings: { ReadCapacityUnits: read } }],
        }),
      ),
    );
  expect(monthly(100, 1)).toEqual([['1 table with at least 100 read units and 1 write unit, indexes included', 9.96]]);
  expect(monthly(1, 100)).toEqual([['1 table with at least 1 read unit and 100 write units, indexes included', 47.54]]);
});

test('lists point-in-time recovery if it is enabled in any region', () => {
  const parts = (...on: readonly boolean[]) => {
    const Replicas = on.map((one) => ({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: one } }));
    return awsCosts(templateOf({ Replicas })).map(({ part }) => part);
  };
  expect(parts(false)).not.toContain('point-in-time recovery');
  expect(parts(false, true)).toContain('point-in-time recovery');
});

test('treats a backup rule with an unknown name as daily, the most expensive case', () => {
  const told = (RuleName: string) => {
    const BackupPlan = { BackupPlanRule: [{ RuleName, Lifecycle: { DeleteAfterDays: 35 } }] };
    return awsCosts(templateOf({}, { Plan: { Type: 'AWS::Backup::BackupPlan', Properties: { BackupPlan } } })).at(-1);
  };
  expect(told('weekly')).toMatchObject({
    part: 'backups, 5 warm at a time',
    price: expect.stringMatching(/^\$0\.50 /),
  });
  expect(told('ours')).toMatchObject({ part: 'backups, 35 warm at a time', price: expect.stringMatching(/^\$3\.50 /) });
});

test('lists copies in other regions', () => {
  const options = { blog: { replicas: [{ region: 'us-east-1' }, { region: 'us-west-2' }] } };
  const costs = awsCosts(made({ design: blog, environment: 'dev', options }));
  expect(costs.map(({ part }) => part)).toContain('2 copies in other regions');
});

test('returns no costs for a template without tables', () => {
  expect(awsCosts({})).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { type DesignedSystemProps, SystemStack } from '../../../constructs/aws';
import { awsCosts } from '../../../lib/costs/aws';
import { type Cost, monthlyOf } from '../../../lib/costs/cost';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { blog, trimobe } from '../../../lib/systems';

const golden = (name: string): TemplateJson =>
  JSON.parse(readFileSync(join(__dirname, '../../golden', `${name}.json`), 'utf8'));
const made = (props: DesignedSystemProps): TemplateJson =>
  Template.fromStack(new SystemStack(new App(), 'S', { env: { region: 'eu-west-1' }, ...props })).toJSON();
const fixed = (costs: readonly Cost[]) =>
  costs.filter(({ monthly }) => monthly > 0).map(({ part, monthly }) => [part, monthly]);

test('prod has a key, alarms by their metrics, a dashboard and insights that are paid for whatever is asked', () => {
  const costs = awsCosts(golden('blog-prod'));
  expect(fixed(costs)).toEqual([
    ['1 customer-managed key', 1],
    ['17 alarms with 32 metrics', 3.2],
    ['1 dashboard', 3],
    ['contributor insights with 8 rules', 4],
  ]);
  expect(monthlyOf(costs)).toBeCloseTo(11.2);
});

test('what is charged by use is told with its price, and how many backups there are at a time', () => {
  const byUse = awsCosts(golden('blog-prod')).filter(({ monthly }) => monthly === 0);
  expect(byUse.map(({ part }) => part)).toEqual([
    '1 table on demand',
    'storage',
    'point-in-time recovery',
    'backups, 21 warm and 11 cold at a time',
  ]);
  expect(byUse.at(-1)?.price).toBe('$2.43 a month for each GB of the tables ($0.10 warm, $0.03 cold)');
});

test.each([blog, trimobe])('$name costs nothing in dev and in economy before the first request', (design) => {
  for (const environment of ['dev', 'economy'] as const) {
    expect(fixed(awsCosts(made({ design, environment })))).toEqual([]);
  }
});

test('economy keeps the protection of prod', () => {
  const protection = (environment: 'economy' | 'prod') =>
    awsCosts(made({ design: blog, environment })).flatMap(({ part }) => /recovery|backups/.exec(part)?.[0] ?? []);
  expect(protection('economy')).toEqual(protection('prod'));
});

test('provisioned capacity costs what is there at the least, of indexes and in every region too', () => {
  // Tenants has no index, Users has one.
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

test('copies in other regions are told', () => {
  const options = { blog: { replicas: [{ region: 'us-east-1' }, { region: 'us-west-2' }] } };
  const costs = awsCosts(made({ design: blog, environment: 'dev', options }));
  expect(costs.map(({ part }) => part)).toContain('2 copies in other regions');
});

test('a template without tables costs nothing that is known here', () => {
  expect(awsCosts({})).toEqual([]);
});

import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { AdoptedTable, SystemStack } from '../../../../constructs/aws';
import { TableDashboard } from '../../../../constructs/aws/operations';
import type { SystemDesign, TableDesign } from '../../../../lib';
import { blog, systemsOf, transporte, trimobe } from '../../../../lib/systems';

interface Widget {
  type: string;
  width: number;
  height: number;
  properties: { markdown?: string; title?: string; alarms?: unknown[]; metrics?: unknown[][] };
}

/**
 * Returns the widgets of every dashboard in a stack. A placeholder replaces values that are known only at deployment.
 */
function dashboards(stack: Stack): { name?: string; widgets: Widget[] }[] {
  return Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Dashboard')).map(({ Properties }) => {
    const parts = Properties.DashboardBody['Fn::Join']?.[1] ?? [Properties.DashboardBody];
    const body = parts.map((part: unknown) => (typeof part === 'string' ? part : '<known later>')).join('');
    return { name: Properties.DashboardName, widgets: JSON.parse(body).widgets };
  });
}

const ofSystem = (design: SystemDesign, props = {}) =>
  dashboards(new SystemStack(new App(), 'S', { design, ...props }));

const texts = ([dashboard]: { widgets: Widget[] }[]) =>
  (dashboard?.widgets ?? []).flatMap(({ properties }) => properties.markdown ?? []);

test('a system in prod has a dashboard, named after the system and the environment; a system in dev has none', () => {
  expect(ofSystem(blog).map(({ name }) => name)).toEqual(['blog-prod']);
  expect(ofSystem(blog, { environment: 'dev' })).toEqual([]);
});

test("characters that CloudWatch does not allow are replaced in a dashboard's name", () => {
  expect(ofSystem({ ...blog, name: 'my.blog' }).map(({ name }) => name)).toEqual(['my-blog-prod']);
});

test('the section of each table and index starts with the access patterns that use it', () => {
  const shown = texts(ofSystem(trimobe));
  expect(shown.map((text) => text.split('\n')[0]?.split(':')[0])).toEqual([
    '## Tenants',
    '## Users',
    '### Users / GSI1',
    '## RuralCreditAI',
    '### RuralCreditAI / GSI1',
    '### RuralCreditAI / GSI2',
  ]);
  expect(shown[2]).toContain('**tenantsOfUser** (Query)');
  expect(shown[1]).toContain('**createUser** (TransactWriteItems)');
  expect(shown[1]).not.toContain('tenantsOfUser');
});

test.each(systemsOf('aws'))('every access pattern of $name is on the dashboard exactly once', (design) => {
  const shown = texts(ofSystem(design)).join('\n');
  for (const pattern of Object.values(design.tables).flatMap(({ patterns = {} }) => Object.keys(patterns))) {
    expect(shown.split(`**${pattern}**`)).toHaveLength(2);
  }
});

test("a dashboard shows an index's own capacity and throttling metrics", () => {
  const [dashboard] = ofSystem(blog);
  const widgets = dashboard?.widgets ?? [];
  const at = widgets.findIndex(({ properties }) => properties.markdown?.startsWith('### blog / GSI2'));
  const [capacity, throttles] = widgets.slice(at + 1, at + 3).map(({ properties }) => properties);
  expect(capacity?.title).toBe('Capacity');
  expect(capacity?.metrics?.[0]?.slice(0, 6)).toEqual([
    'AWS/DynamoDB',
    'ConsumedReadCapacityUnits',
    'GlobalSecondaryIndexName',
    'GSI2',
    'TableName',
    '<known later>',
  ]);
  expect(throttles?.title).toBe('Throttles by cause');
  expect(JSON.stringify(throttles?.metrics)).toContain('ReadAccountLimitThrottleEvents');
});

test('a dashboard shows expired items if the table has a TTL', () => {
  const titles = (all: { widgets: Widget[] }[]) => all.flatMap(({ widgets }) => widgets.map((w) => w.properties.title));
  expect(titles(ofSystem(transporte))).toContain('Expired items');
  expect(titles(ofSystem(blog))).not.toContain('Expired items');
});

test('a dashboard also shows adopted tables, since the system depends on them', () => {
  const adopt = { Users: { tableName: 'live-users' } };
  const shown = ofSystem(trimobe, { adopt });
  expect(texts(shown)[1]).toContain('## Users');
  expect(JSON.stringify(shown)).toContain('"TableName","live-users"');
});

test('the top of a dashboard shows the state of all alarms, a hundred per widget', () => {
  const [first] = ofSystem(blog)[0]?.widgets ?? [];
  expect(first?.properties.title).toBe('Alarms');
  expect(first?.properties.alarms).toHaveLength(16);
});

test('no row of a dashboard is wider than 24 columns', () => {
  for (const { widgets } of systemsOf('aws').flatMap((design) => ofSystem(design))) {
    for (const row of rowsOf(widgets).values()) expect(row).toBeLessThanOrEqual(24);
  }
});

function rowsOf(widgets: (Widget & { y?: number })[]): Map<number, number> {
  const rows = new Map<number, number>();
  for (const { y = 0, width } of widgets) rows.set(y, (rows.get(y) ?? 0) + width);
  return rows;
}

test("more than 400 widgets are spread over several dashboards, with each table's widgets on one dashboard", () => {
  const indexes = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`GSI${i}`, { partition: `at${i}` }]));
  const attributes = z.object(
    Object.fromEntries(['id', ...Object.keys(indexes).map((_, i) => `at${i}`)].map((n) => [n, z.string()])),
  );
  const design: TableDesign = {
    name: 'wide',
    key: { partition: 'id' },
    indexes,
    entities: { Thing: { attributes } },
    acknowledge: { 'unused-index': { indexes: 'a test' } },
  };
  const stack = new Stack(new App(), 'S');
  const tables = Array.from({ length: 10 }, (_, i) => {
    const name = `wide${i}`;
    return [name, new AdoptedTable(stack, name, { design, tableName: name })] as const;
  });
  new TableDashboard(stack, 'Dashboard', { tables: Object.fromEntries(tables), name: 'wide' });
  const made = dashboards(stack);
  expect(made.map(({ name }) => name)).toEqual(['wide', 'wide-2']);
  expect(made.map(({ widgets }) => widgets.length)).toEqual([390, 260]);
});

test('many small tables are spread over several dashboards, none of which exceeds 2,500 metrics', () => {
  const stack = new Stack(new App(), 'S');
  const design = transporte.tables.TransporteApp;
  const tables = Array.from({ length: 40 }, (_, i) => {
    return [`t${i}`, new AdoptedTable(stack, `t${i}`, { design, tableName: `table-${i}` })] as const;
  });
  new TableDashboard(stack, 'Dashboard', { tables: Object.fromEntries(tables) });
  const made = dashboards(stack);
  expect(made.length).toBeGreaterThan(1);
  for (const { widgets } of made) {
    const metrics = widgets.flatMap(({ properties }) => properties.metrics ?? []);
    expect(metrics.length).toBeLessThanOrEqual(2500);
    expect(widgets.length).toBeLessThanOrEqual(500);
  }
});

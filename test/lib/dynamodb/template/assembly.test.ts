import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack, type StackProps, Stage } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { readAssembly } from '../../../../lib/dynamodb/template/assembly';
import { tablesIn } from '../../../../lib/dynamodb/template/tables';

let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
});

afterEach(() => {
  rmSync(outdir, { recursive: true });
});

function stackWithTable(scope: Construct, id: string, tableName: string, props: StackProps = {}): void {
  new TableV2(new Stack(scope, id, props), 'Table', {
    tableName,
    partitionKey: { name: 'id', type: AttributeType.STRING },
  });
}

/** What was read, as the names of stacks and of the tables in each. */
function stacksRead(): readonly (readonly [string, readonly (string | undefined)[]])[] {
  return readAssembly(outdir).map(({ name, template }) => [name, tablesIn(template).map((table) => table.name)]);
}

test('every stack is read with its template, in the order of their names', () => {
  const app = new App({ outdir });
  stackWithTable(app, 'shop-prod', 'orders');
  stackWithTable(app, 'blog-prod', 'posts');
  new Stack(app, 'empty-prod');
  app.synth();
  expect(stacksRead()).toEqual([
    ['blog-prod', ['posts']],
    ['empty-prod', []],
    ['shop-prod', ['orders']],
  ]);
});

test('a stack goes by the name it is deployed under, not by its id', () => {
  const app = new App({ outdir });
  stackWithTable(app, 'Shop', 'orders', { stackName: 'acme-shop' });
  app.synth();
  expect(stacksRead()).toEqual([['acme-shop', ['orders']]]);
});

test('the stacks of a stage are read too, also of a stage within a stage', () => {
  const app = new App({ outdir });
  stackWithTable(app, 'Tools', 'tools');
  const stage = new Stage(app, 'Prod');
  stackWithTable(stage, 'Shop', 'orders');
  stackWithTable(new Stage(stage, 'Europe'), 'Shop', 'orders-eu');
  app.synth();
  expect(stacksRead()).toEqual([
    ['Prod-Europe-Shop', ['orders-eu']],
    ['Prod-Shop', ['orders']],
    ['Tools', ['tools']],
  ]);
});

test('the templates that an earlier run left in the folder are not read', () => {
  for (const environment of ['dev', 'prod']) {
    const app = new App({ outdir });
    stackWithTable(app, `shop-${environment}`, 'orders');
    app.synth();
  }
  expect(stacksRead()).toEqual([['shop-prod', ['orders']]]);
});

test.each(['', 'nowhere'])('a folder that cdk synth did not write is an error that says what to do: %j', (name) => {
  const folder = join(outdir, name);
  expect(() => readAssembly(folder)).toThrow(
    `'${folder}' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or name its output`,
  );
});

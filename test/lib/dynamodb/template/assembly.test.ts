import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Reads the assembly, and returns each stack's name with the names of its tables. */
function stacksRead(): readonly (readonly [string, readonly (string | undefined)[]])[] {
  return readAssembly(outdir).map(({ name, template }) => [name, tablesIn(template).map((table) => table.name)]);
}

test('reads every stack with its template, sorted by name', () => {
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

test('uses the deployed name of a stack, not its id', () => {
  const app = new App({ outdir });
  stackWithTable(app, 'Shop', 'orders', { stackName: 'acme-shop' });
  app.synth();
  expect(stacksRead()).toEqual([['acme-shop', ['orders']]]);
});

test('also reads the stacks of a stage and of a nested stage', () => {
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

test('ignores templates that an earlier run left in the folder', () => {
  for (const environment of ['dev', 'prod']) {
    const app = new App({ outdir });
    stackWithTable(app, `shop-${environment}`, 'orders');
    app.synth();
  }
  expect(stacksRead()).toEqual([['shop-prod', ['orders']]]);
});

test.each(['', 'nowhere'])('says to run cdk synth if %j is not a folder that cdk synth wrote', (name) => {
  const folder = join(outdir, name);
  expect(() => readAssembly(folder)).toThrow(
    `'${folder}' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or pass its output folder`,
  );
});

describe('unusual manifests', () => {
  const damaged = (message: string) =>
    expect.objectContaining({ name: 'FileProblem', kind: 'damaged', message: expect.stringContaining(message) });
  const stage = (directoryName: unknown) => ({ type: 'cdk:cloud-assembly', properties: { directoryName } });
  const stack = (templateFile: unknown, more = {}) => ({
    type: 'aws:cloudformation:stack',
    properties: { templateFile, ...more },
  });
  /** Writes a manifest to a folder inside the output folder, and returns a function that reads the output folder. */
  const read = (manifest: unknown, folder = '') => {
    mkdirSync(join(outdir, 'out', folder), { recursive: true });
    writeFileSync(
      join(outdir, 'out', folder, 'manifest.json'),
      typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
    );
    return () => readAssembly(join(outdir, 'out'));
  };

  test.each(['.', './', 'sub/..', '../out'])('refuses an assembly that contains itself: %s', (name) => {
    mkdirSync(join(outdir, 'out/sub'), { recursive: true });
    expect(read({ artifacts: { Self: stage(name) } })).toThrow(damaged('points'));
  });

  test('also refuses assemblies that form a cycle, including one through symbolic links', () => {
    read({ artifacts: { Sub: stage('sub') } });
    expect(read({ artifacts: { Back: stage('..') } }, 'sub')).toThrow(damaged('points'));
    symlinkSync('.', join(outdir, 'out/sub/again'));
    expect(read({ artifacts: { Again: stage('again') } }, 'sub')).toThrow(damaged('points back to'));
    symlinkSync('round', join(outdir, 'out/sub/round'));
    expect(read({ artifacts: { Round: stage('round') } }, 'sub')).toThrow('the links in its path form a loop');
  });

  test('reads no file outside the assembly folder', () => {
    const outside = join(outdir, 'secret.json');
    writeFileSync(outside, '{"Resources":{}}');
    mkdirSync(join(outdir, 'out'));
    symlinkSync(outside, join(outdir, 'out/link.json'));
    // This sibling folder's name begins with the name of the output folder.
    mkdirSync(join(outdir, 'out-other'));
    writeFileSync(join(outdir, 'out-other/t.json'), '{}');
    for (const name of ['../secret.json', 'x/../../secret.json', 'link.json', '../out-other/t.json']) {
      mkdirSync(join(outdir, 'out/x'), { recursive: true });
      expect(read({ artifacts: { Shop: stack(name) } })).toThrow(damaged(`points outside '${join(outdir, 'out')}'`));
    }
    expect(read({ artifacts: { Shop: stage('..') } })).toThrow(damaged('points outside'));
    // The reader treats an absolute path as relative to the folder, where the file does not exist.
    expect(read({ artifacts: { Shop: stack(outside) } })).toThrow('there is no ');
  });

  test.each<[unknown, string]>([
    ['{', 'is not JSON: line 1, column 2: expected'],
    ['null', "must have an 'artifacts' object"],
    [{ artifacts: [] }, "must have an 'artifacts' object"],
    [{ artifacts: { A: null } }, "artifact 'A' and its properties must be objects"],
    [{ artifacts: { A: { properties: 7 } } }, "artifact 'A' and its properties must be objects"],
    [{ artifacts: { A: stack(7) } }, "'templateFile' of artifact 'A' must be a string"],
    [{ artifacts: { A: stack('manifest.json', { stackName: {} }) } }, "'stackName' of artifact 'A' must be a string"],
  ])('reports a damaged manifest: %j', (manifest, message) => {
    expect(read(manifest)).toThrow(damaged(message));
  });

  test.each<[unknown, string]>([
    ['[]', 'a template must be an object'],
    [{ Resources: [] }, "'Resources' must be an object"],
    [{ Resources: { T: null } }, "resource 'T' must be an object with a 'Type'"],
    [{ Resources: { T: { Type: 'AWS::DynamoDB::Table', Properties: null } } }, "the properties of table 'T'"],
    [
      { Resources: { T: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema: { Ref: 'Keys' } } } } },
      "table 'T' has keys, indexes or replicas that are known only at deployment",
    ],
  ])('reports a damaged template: %j', (template, message) => {
    mkdirSync(join(outdir, 'out'));
    writeFileSync(join(outdir, 'out/t.json'), typeof template === 'string' ? template : JSON.stringify(template));
    expect(read({ artifacts: { A: stack('t.json') } })).toThrow(damaged(message));
  });

  test('reports a template that is missing or is a folder', () => {
    expect(read({ artifacts: { A: stack('t.json') } })).toThrow(`there is no '${join(outdir, 'out/t.json')}'`);
    mkdirSync(join(outdir, 'out/t.json'));
    expect(read({ artifacts: { A: stack('t.json') } })).toThrow('cannot be read: it is a folder');
  });
});

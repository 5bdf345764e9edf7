import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peerDependencies } from '../package.json';
import { pack } from './support/pack';
import { expectSuccess, Project } from './support/project';
import { expectNoConflict, readmeInstalls } from './support/readme';

/** Returns the oldest version of a package that package.json accepts. */
const oldest = (name: 'aws-cdk-lib' | 'constructs') => peerDependencies[name].replace(/^(\^|>=)/, '').split(' ')[0];

const folder = mkdtempSync(join(tmpdir(), 'tablewright-oldest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a stack type-checks and synthesizes with the oldest aws-cdk-lib and constructs that the package accepts', async () => {
  const user = new Project(folder);
  const cdk = `aws-cdk-lib@${oldest('aws-cdk-lib')}`;
  user.install(await pack(), 'zod', 'typescript', '@types/node@22.20.5', cdk, `constructs@${oldest('constructs')}`);
  expectSuccess(user.tsc('commonjs', 'node', 'stack.ts', '--outDir', join(folder, 'out')));
  // An old version may print a warning about its own age.
  const [result = ''] = user.node(join(folder, 'out/stack.js')).output.split('\n');
  expect(JSON.parse(result)).toEqual({
    index: 'byCategory',
    name: true,
    stacks: 6,
    found: [],
    other: true,
  });
}, 600_000);

test("the README's commands install the packages for Azure, then for AWS, without version warnings", async () => {
  const [both, onAws, onAzure] = readmeInstalls();
  await expectNoConflict(mkdtempSync(join(folder, 'readme-')), [both, onAzure, onAws]);
}, 600_000);

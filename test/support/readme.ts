import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from './pack';
import { Project } from './project';
import { run } from './run';

/** Returns the packages that the README installs for both clouds, for AWS, and for Azure. */
export function readmeInstalls(): readonly [both: string, onAws: string, onAzure: string] {
  const text = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const [both = '', onAws = '', onAzure = ''] = [...text.matchAll(/^npm install (.+)$/gm)].map(([, list = '']) => list);
  return [both, onAws, onAzure];
}

/** Expects that npm resolves the given lists of packages, one after another, without a version conflict. */
export async function expectNoConflict(folder: string, lists: readonly string[]): Promise<void> {
  const user = new Project(folder);
  const tarball = await pack();
  for (const packages of lists) {
    const output = user.resolve(...packages.split(' ').map((name) => (name === 'tablewright' ? tarball : name)));
    expect(output).not.toMatch(/ERESOLVE|conflict/i);
  }
  const { code, output } = run(user.folder, 'npm', 'ls', '--package-lock-only', '--depth', '0');
  expect(output).toMatch(/ aws-cdk-lib@2\..* cdktn@0\..* constructs@10\.7\..* tablewright@.* zod@4\./s);
  expect(code).toBe(0);
}

import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from './pack';
import { expectSuccess } from './project';
import { run } from './run';

const root = join(__dirname, '../..');

/**
 * Creates `node_modules` in a folder from the packed package and the packages that this repo has installed, without
 * `npm install`.
 */
export async function installedIn(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  const link = (name: string) => symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of readdirSync(join(root, 'node_modules'))) if (!name.startsWith('.')) link(name);
  for (const name of readdirSync(join(root, 'node_modules/.bin'))) link(`.bin/${name}`);
  expectSuccess(run(modules, 'tar', 'xzf', await pack()));
  expectSuccess(run(modules, 'mv', 'package', 'tablewright'));
  symlinkSync('../tablewright/dist/bin/tablewright.js', join(modules, '.bin/tablewright'));
  return modules;
}

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles `dist` once before all tests: those of the command, the package and the app run what users run. */
export default function build(): void {
  const root = join(__dirname, '../..');
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
}

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Compiles `dist` once before all tests, because the tests of the command, the package and the app run the compiled
 * code.
 */
export default function build(): void {
  const root = join(__dirname, '../..');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edited } from './support/book';
import { textOf } from './support/documents';
import { installedIn } from './support/installed';
import { freePort, until } from './support/processes';

const base = mkdtempSync(join(tmpdir(), 'tablewright-start-'));
const running: ChildProcess[] = [];
let modules: string;

beforeAll(async () => {
  modules = await installedIn(base);
}, 300_000);

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

// `npx` would find the same programs, but it would also print warnings about this machine's settings.
const inShell = (folder: string, command: string) => ({
  cwd: folder,
  encoding: 'utf8' as const,
  env: { ...process.env, NO_COLOR: '1', NODE_NO_WARNINGS: '1', PATH: `${join(modules, '.bin')}:${process.env.PATH}` },
  args: ['-c', `${command.replaceAll('npx ', '')} 2>&1`],
});

test('the commands in docs/start.md print the output that the page shows', async () => {
  let folder = base;
  for (const [, kind = '', content = ''] of textOf('docs/start.md').matchAll(
    /```(console|ts|diff \S+)\n([\s\S]*?)```/g,
  )) {
    const file = join(folder, kind === 'ts' ? (/^\/\/ (\S+)/.exec(content)?.[1] ?? '') : kind.replace('diff ', ''));
    if (kind === 'ts') writeFileSync(file, content);
    else if (kind !== 'console') writeFileSync(file, edited(readFileSync(file, 'utf8'), content));
    else for (const step of content.split(/^\$ /m).slice(1)) folder = await carriedOut(folder, step);
  }
  expect(existsSync(join(folder, 'cdk.out/shop-prod.template.json'))).toBe(true);
}, 300_000);

/**
 * Runs a command. If the page shows the command's output, compares it with the actual output. Returns the folder in
 * which to run the next command.
 */
async function carriedOut(folder: string, step: string): Promise<string> {
  const [command = '', ...shown] = step.trimEnd().split('\n');
  if (command.startsWith('cd ')) return join(folder, command.slice(3));
  if (command === 'npm install') {
    expectInstalled(folder);
    return folder;
  }
  if (command.endsWith(' dev')) {
    await started(folder, command);
    return folder;
  }
  const { args, ...options } = inShell(folder, command);
  const { status, stdout } = spawnSync('bash', args, options);
  const printed = stdout.trimEnd();
  if (shown.length > 0) expect(`$ ${command}\n${printed}`).toBe(`$ ${command}\n${shown.join('\n')}`);
  else expect(status === 0 ? '' : `$ ${command}\n${printed}`).toBe('');
  return folder;
}

/** Expects that all packages that the app needs are installed. */
function expectInstalled(folder: string): void {
  symlinkSync(modules, join(folder, 'node_modules'));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const wanted = Object.keys({ ...dependencies, ...devDependencies });
  expect(wanted).toContain('tablewright');
  expect(wanted.filter((name) => !existsSync(join(folder, 'node_modules', name)))).toEqual([]);
}

async function started(folder: string, command: string): Promise<void> {
  const { args, ...options } = inShell(folder, `exec ${command} --port ${await freePort()}`);
  const child = spawn('bash', args, options);
  running.push(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await until(() => output.includes('watching the design'));
}

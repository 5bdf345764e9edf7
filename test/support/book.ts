import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablewrightIn } from './command';

export const root = join(__dirname, '../..');
// This folder is in node_modules, so that a user's module in it can import zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/**
 * Applies a diff to the design. In each hunk, replaces the unchanged and removed lines with the unchanged and added
 * lines.
 */
export function edited(design: string, edit: string): string {
  const hunks = edit.matchAll(/((?:^ .*\n)*)((?:^-.*\n)*)((?:^\+.*\n)*)/gm);
  return [...hunks].reduce((now, [hunk, same = '', gone = '', come = '']) => {
    if (hunk === '') return now;
    const [old, next] = [same + gone, same + come].map((lines) => lines.replace(/^[-+ ]/gm, ''));
    if (now.split(old as string).length !== 2) throw new Error(`the design must have this once:\n${old}`);
    return now.replace(old as string, () => next as string);
  }, design);
}

/** Makes a user's file import the built package. */
export function ofDist(content: string): string {
  return content
    .replace(`'tablewright'`, JSON.stringify(join(root, 'dist/lib/index.js')))
    .replace(`'tablewright/aws'`, JSON.stringify(join(root, 'dist/constructs/aws/index.js')))
    .replace(`'tablewright/evolve'`, JSON.stringify(join(root, 'dist/lib/evolve/index.js')))
    .replace(`'tablewright/proof'`, JSON.stringify(join(root, 'dist/lib/proof/index.js')));
}

/** Creates a folder like a user's, and returns functions that write files there and run the built command in it. */
export function projectOf() {
  const folder = mkdtempSync(join(cache, 'tablewright-book-'));
  folders.push(folder);
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const design = (content: string) => write('designs.ts', ofDist(content));
  const cases = (content: string) => {
    write('cases.ts', ofDist(content));
    write('tablewright.config.ts', `export default { designs: './designs.ts', cases: './cases.ts' };`);
  };
  write('package.json', '{}');
  write('tablewright.config.ts', `export default { designs: './designs.ts' };`);
  const tablewright = async (args: readonly string[]) => {
    const { stdout, stderr } = await tablewrightIn(folder, args);
    return `${stdout}${stderr}`.replaceAll(folder, '.');
  };
  /** Synthesizes a module's stacks, and returns the output folder. */
  const synthesize = (module: string) => {
    const script = `require('jiti').createJiti(process.cwd() + '/')('./${module}.ts')[process.argv[1]].node.root.synth()`;
    const [name = ''] = module.split('-');
    const env = { ...process.env, CDK_VALIDATION: 'false', CDK_OUTDIR: join(folder, `${name}.out`) };
    const { status, stderr } = spawnSync(process.execPath, ['-e', script, name], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    if (status !== 0) throw new Error(stderr);
    return join(folder, `${name}.out`);
  };
  return { folder, write, design, cases, tablewright, synthesize };
}

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablewrightIn } from './support/command';
import { pack } from './support/pack';
import { run } from './support/run';

const root = join(__dirname, '..');
const skills = readdirSync(join(root, 'docs/skills'));
const textOf = (skill: string) => readFileSync(join(root, 'docs/skills', skill, 'SKILL.md'), 'utf8');

test.each(skills)('%s has the frontmatter of a skill and is short', (skill) => {
  const text = textOf(skill);
  const [, frontmatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  expect(frontmatter).toContain(`name: ${skill}\n`);
  expect(skill).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  const [, description = ''] = /^description: (.*)$/m.exec(frontmatter) ?? [];
  expect(description).toContain('Use ');
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(text.split('\n').length).toBeLessThan(200);
});

/** Creates an app with `init`, and changes its design after recording it. */
async function app(skill: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `${skill}-`));
  cpSync(join(root, 'examples/start/aws/typescript'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/tablewright'));
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  if (skill !== 'evolve-a-design') return folder;
  expect(await tablewrightIn(folder, ['record'])).toMatchObject({ status: 0 });
  const file = join(folder, 'design.ts');
  const design = readFileSync(file, 'utf8');
  const changed = design.replace('name: z.string() })', 'name: z.string(), region: z.string() })');
  expect(changed).not.toBe(design);
  writeFileSync(file, changed);
  return folder;
}

test.each(skills)('every command in %s is a valid call', async (skill) => {
  const folder = await app(skill);
  const blocks = [...textOf(skill).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
  expect(blocks.length).toBeGreaterThan(1);
  for (const line of blocks) {
    const [npx, command, ...args] = line.split(' ');
    expect([npx, command]).toEqual(['npx', 'tablewright']);
    const { status, stderr, stdout } = await tablewrightIn(folder, args);
    // Exit code 1 is a valid answer: the change needs a plan, or no database runs here.
    if (status > 1) throw new Error(`${line}: exit code ${status}: ${stderr}${stdout}`);
  }
});

test('the package has the skills and an index of its documents, and every page in it exists', async () => {
  const tarball = await pack();
  const files = run(root, 'tar', '-tzf', tarball).output.split('\n');
  for (const skill of skills) expect(files).toContain(`package/skills/${skill}/SKILL.md`);
  expect(files.filter((file) => file.startsWith('package/docs/skills'))).toEqual([]);
  const index = run(root, 'tar', '-xzOf', tarball, 'package/llms.txt').output;
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => `package/${path}`);
  expect(linked.length).toBeGreaterThan(20);
  expect(linked.filter((path) => !files.includes(path))).toEqual([]);
}, 300_000);

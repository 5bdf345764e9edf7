import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '../..');

interface Imports {
  readonly fixed: readonly string[];
  readonly lazy: readonly string[];
}

/**
 * Returns the files that a file imports when it is loaded (`fixed`), and those that it may import later (`lazy`).
 * Ignores type imports.
 */
function importsOf(file: string): Imports {
  const text = readFileSync(join(root, file), 'utf8');
  const fixed = [...text.matchAll(/^(?:import|export)\b([^;]*?)from '(\.[^']+)'/gm)];
  const lazy = [...text.matchAll(/(?<!typeof )(?:import|require)\('(\.[^']+)'\)/g)];
  const fileAt = (name: string) => {
    const place = resolve(root, dirname(file), name);
    const found = [`${place}.ts`, `${place}.tsx`, join(place, 'index.ts')].find((path) => existsSync(path));
    if (found === undefined) throw new Error(`${file} imports '${name}', which is not there`);
    return relative(root, found);
  };
  return {
    fixed: fixed.filter(([, clause = '']) => !isOfTypes(clause)).map(([, , name = '']) => fileAt(name)),
    lazy: lazy.map(([, name = '']) => fileAt(name)),
  };
}

function isOfTypes(clause: string): boolean {
  if (/^\s+type\s/.test(clause)) return true;
  const [, names] = /^\s*\{([^}]*)\}\s*$/.exec(clause) ?? [];
  const listed = (names ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return listed.length > 0 && listed.every((name) => name.startsWith('type '));
}

/** Returns the given files, and all files that they import directly or indirectly. */
function reachedFrom(...starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set(starts);
  for (const file of reached) for (const next of importsOf(file).fixed) reached.add(next);
  return reached;
}

const command = 'bin/commands/migrate.ts';

/** Returns the files that `migrate` imports only when it runs, except those that match `other`. */
const lazyFor = (other: RegExp) =>
  [...reachedFrom(command)].flatMap((file) => importsOf(file).lazy).filter((file) => !other.test(file));

/** Both sets exclude the bundled systems, which are loaded only if the user names one. */
const onDynamoDb = reachedFrom(command, ...lazyFor(/azure|lib\/systems/));
const onAzure = reachedFrom(command, ...lazyFor(/dynamodb|lib\/systems/));

test('`migrate` imports at most 91 files, directly or indirectly', () => {
  expect(reachedFrom(command).size).toBeLessThanOrEqual(91);
});

test('a run loads only the few more files that it needs to reach its cloud', () => {
  expect(onDynamoDb.size).toBeGreaterThan(reachedFrom(command).size);
  expect(onDynamoDb.size).toBeLessThanOrEqual(100);
  expect(onAzure.size).toBeLessThanOrEqual(111);
});

test.each([
  ['the check rules', /^lib\/check\/rules\//],
  ['the template reader', /^lib\/dynamodb\/template\//],
  ['the diff and the planner', /^lib\/evolve\/(?:diff\/(?:diff|sides|together)|plan\/(?:make|phases|waves))\.ts$/],
  ['the proof', /^lib\/proof\//],
  ['the explorer', /^lib\/explore\//],
  ['bundled systems', /^lib\/systems\//],
  ['constructs', /^constructs\//],
])('`migrate` does not load %s', (_, place) => {
  expect([...onDynamoDb, ...onAzure].filter((file) => place.test(file))).toEqual([]);
});

test('`plan` loads no constructs, and loads the proof only for a plan that it can prove', () => {
  const files = reachedFrom('bin/commands/plan.ts', 'bin/commands/plan-proof.ts');
  const isProof = (file: string) => file.startsWith('lib/proof/shadow/');
  const proof = [...files].flatMap((file) => importsOf(file).lazy).filter(isProof);
  expect([...files].filter(isProof)).toEqual([]);
  expect(proof).toContain('lib/proof/shadow/prove-plan.ts');
  expect([...files, ...reachedFrom(...proof)].filter((file) => file.startsWith('constructs/'))).toEqual([]);
});

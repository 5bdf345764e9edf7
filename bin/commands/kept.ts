import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import type { Edit } from '../../lib/evolve';
import { assertDeployed } from '../../lib/evolve/lock/code';
import type { Lock } from '../../lib/evolve/lock/lock';
import { systemOf } from '../../lib/evolve/lock/make';
import { withEdits } from '../../lib/evolve/plan/edits';
import { filesImportedBy, folderOf } from '../../lib/files/imports';
import { readJson } from '../../lib/files/read';
import type { CasesOf } from '../../lib/proof/cases';
import { FileError } from './command';
import { readProject } from './config';
import { sourcesNamed } from './designs';
import type { Subject } from './evolution';
import { writeData } from './evolution-files';
import { readingOf } from './modules';
import { isCases } from './prove-cases';

/** The deployed design and its cases, loaded from the source files that were copied to a folder beside the lock. */
export interface Kept {
  readonly system: SystemDesign;
  /** @default - the project had no cases for the design */
  readonly cases?: CasesOf;
  /** The new names that a plan gave to parts of the design. @default - none */
  readonly edits?: readonly Edit[];
}

/** The manifest of the folder that keeps the sources. */
interface Contents {
  /** The file that exports the design, and the files that export cases, relative to the folder. */
  readonly design: string;
  readonly cases: readonly string[];
  /** The new names that a plan gave to parts of the design. */
  readonly edits: readonly Edit[];
}

/** Returns the folder that keeps the source files of a locked design: `tablewright/blog.prod` for `tablewright/blog.prod.lock.json`. */
export function keptFolder(lockFile: string): string {
  const folder = lockFile.replace(/(\.lock)?\.json$/, '');
  return folder === lockFile ? `${lockFile}.kept` : folder;
}

/**
 * Copies the source files of a design and of its cases to a folder beside the lock, because a lock does not contain the
 * code in the schemas. If copying fails, returns the reason.
 */
export async function keep(
  { file, lockFile }: Pick<Subject, 'file' | 'lockFile'>,
  lock: Lock,
  edits: readonly Edit[] = [],
): Promise<string | undefined> {
  const folder = keptFolder(lockFile);
  // Replaces a folder only if this function created it. If the lock is not in its usual place, the user may have a
  // folder with this name.
  if (existsSync(folder) && !existsSync(join(folder, 'kept.json')))
    return `'${folder}' is a folder that tablewright did not create`;
  rmSync(folder, { recursive: true, force: true });
  if (file === undefined) return 'the design is bundled with tablewright, so the project has no source file for it';
  const cases = await casesThere();
  const files = filesImportedBy([file, ...cases]);
  const root = folderOf(files);
  const within = (path: string) => relative(root, path).split(sep).join('/');
  for (const source of files) {
    const copy = join(folder, within(source));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(source, copy);
  }
  const [design = '', ...others] = [file, ...cases].map((path) => within(resolve(path)));
  await writeData(join(folder, 'kept.json'), { design, cases: others, edits });
  try {
    await keptBeside(lockFile, lock);
    return undefined;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return (error as Error).message;
  }
}

/** Returns the project's cases files, or an empty list if one of the configured files does not exist yet. */
export async function casesThere(): Promise<readonly string[]> {
  const project = await readProject();
  try {
    return project?.cases ?? [];
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** Loads the design that was kept with a lock; returns undefined if no design was kept. */
export async function keptBeside(lockFile: string, lock: Lock): Promise<Kept | undefined> {
  const folder = keptFolder(lockFile);
  if (!existsSync(join(folder, 'kept.json'))) return undefined;
  const { design, cases, edits } = contentsIn(folder);
  const sources = await sourcesNamed([`./${join(folder, design)}`]);
  const found = sources.flatMap(({ designs }) => designs.map(systemOf));
  const system = found.find(({ name }) => name === lock.system);
  if (system === undefined) throw new FileError(`'${join(folder, design)}' exports no system named '${lock.system}'`);
  const edited = withEdits(system, edits);
  assertDeployed(edited, lock);
  const exported = await Promise.all(
    [design, ...cases].map((name) => readingOf(join(folder, name), (all) => all.filter(isCases))),
  );
  const own = exported.flat().find((given) => given.system.name === lock.system);
  return { system: edited, edits, ...(own && { cases: own }) };
}

function contentsIn(folder: string): Contents {
  const file = join(folder, 'kept.json');
  const given = readJson(file);
  const { design, cases, edits } = isObject(given) ? given : {};
  if (typeof design === 'string' && Array.isArray(cases) && Array.isArray(edits)) return { design, cases, edits };
  throw new FileError(
    `'${file}' must be a file that 'npx tablewright record' wrote; restore it from version control, or run 'npx tablewright record' again`,
  );
}

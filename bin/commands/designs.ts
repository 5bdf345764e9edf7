import { existsSync } from 'node:fs';
import { assertDesign } from '../../lib/check/language/well-formed';
import { nearNames, suggestion } from '../../lib/design/names';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { bundledSystems, systemsOfLibrary } from './bundled';
import { FileError, UsageError } from './command';
import { type Project, readProject, WRITE_CONFIG } from './config';
import { assertTrusted, readingOf } from './modules';

export type Design = TableDesign | SystemDesign;

/** Designs, and the file that exports them, with its path as the user gave it. Bundled systems have no file. */
export interface Source {
  readonly file?: string;
  readonly designs: readonly Design[];
}

/**
 * The `--demo` option, for every verb that can work on the bundled systems. In a verb without the option, `demo` is
 * undefined, and no message mentions the option.
 */
export const DEMO = { demo: { type: 'boolean', default: false } } as const;

/** Returns the named designs, or the configured designs if no name is given; throws for a malformed design. */
export async function designsNamed(names: readonly string[], demo?: boolean): Promise<readonly Design[]> {
  const designs = (await sourcesNamed(names, demo)).flatMap((source) => source.designs);
  for (const design of designs) assertDesign(design);
  return designs;
}

/** Like `designsNamed`, but groups the designs by file, and includes malformed designs. */
export async function sourcesNamed(names: readonly string[], demo?: boolean): Promise<readonly Source[]> {
  if (demo) return [{ designs: await systemsOfLibrary(names) }];
  if (names.length > 0) return Promise.all(names.map((name) => sourceNamed(name, demo)));
  const project = await readProject();
  if (project === undefined) throw withoutConfig('designs', demo);
  return configured(project);
}

/**
 * Returns the error to throw if the user has no configuration, and names no design.
 * @param before what else is wrong
 */
export function withoutConfig(what: 'designs' | 'cases', demo: boolean | undefined, before = ''): UsageError {
  return new UsageError(
    `${before}this folder has no tablewright.config.ts; change to the folder of your app, start an app with 'npx tablewright init', pass a file that exports ${what}, or ${WRITE_CONFIG}${demo === undefined ? '' : '\n--demo uses the bundled systems instead'}`,
  );
}

/** Returns the configured designs, grouped by file. */
export function configured({ designs }: Project): Promise<readonly Source[]> {
  return Promise.all(designs.map(async (file) => ({ file, designs: await designsIn(file) })));
}

/** Whether a name is the path of a file rather than the name of a design. */
export function isFile(name: string): boolean {
  return /[./\\]/.test(name) && existsSync(name);
}

/** Whether a name that does not exist must have been meant as a path: it contains a slash, or ends like a file. */
function isMeantAsPath(name: string): boolean {
  return /[/\\]|\.\w+$/.test(name);
}

/**
 * Finds the designs that a name refers to: one of the user's own designs, a bundled system, or the designs in a file.
 */
async function sourceNamed(name: string, demo: boolean | undefined): Promise<Source> {
  // A path works without a configuration.
  if (isFile(name)) return { file: name, designs: await designsIn(name) };
  const project = await readProject();
  const own = project === undefined ? [] : await configured(project);
  for (const { file, designs } of own) {
    const found = designs.filter((design) => design.name === name);
    if (found.length > 0) return { ...(file !== undefined && { file }), designs: found };
  }
  if (Object.hasOwn(await bundledSystems(), name)) return { designs: await systemsOfLibrary([name]) };
  if (existsSync(name)) {
    // The user may have meant a design rather than this file, so the file is loaded only if it can be trusted.
    assertTrusted(name);
    return { file: name, designs: await designsIn(name) };
  }
  const known = own.flatMap(({ designs }) => designs.map((design) => design.name));
  throw await unknownName(name, 'designs', project && known, demo);
}

/**
 * Returns the error for a name that is neither one of the user's own names nor a file.
 * @param own the names of the configured designs or cases; undefined if there is no configuration
 */
export async function unknownName(
  name: string,
  what: 'designs' | 'cases',
  own: readonly string[] | undefined,
  demo: boolean | undefined,
): Promise<UsageError> {
  const problem = `'${name}' is neither ${what === 'designs' ? 'a design nor a file' : 'a system nor a file that exports cases'}`;
  const all = [...(own ?? []), ...Object.keys(await bundledSystems())];
  if (nearNames(name, all).length > 0) return new UsageError(`${problem}; ${suggestion(name, all)}`);
  if (isMeantAsPath(name)) return new UsageError(`there is no file '${name}'`);
  if (own === undefined) return withoutConfig(what, demo, `${problem}, and `);
  return new UsageError(`${problem}; ${suggestion(name, own)}`);
}

async function designsIn(name: string): Promise<readonly Design[]> {
  const designs = await readingOf(name, (exported) => [
    ...new Set(exported.flatMap((value) => (looksLikeDesign(value) ? [value] : within(value)))),
  ]);
  if (designs.length === 0) {
    throw new FileError(`'${name}' must export the result of defineTable or defineSystem, but exports no design`);
  }
  // Leaves out an exported system's tables, because checking the system also checks its tables, and takes the tenants
  // into account.
  const grouped = new Set(designs.flatMap((design) => (isSystem(design) ? Object.values(design.tables) : [])));
  return designs.filter((design) => isSystem(design) || !grouped.has(design));
}

/** Returns the designs in an exported list or object, one level deep. */
function within(value: unknown): readonly Design[] {
  return typeof value === 'object' && value !== null ? Object.values(value).filter(looksLikeDesign) : [];
}

/**
 * Whether a value is meant to be a design. An incomplete design is accepted, so that the check can report what is
 * missing.
 */
function looksLikeDesign(value: unknown): value is Design {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  return isSystem(value) || 'entities' in value || 'key' in value;
}

/** Whether a module's export is the result of `defineSystem`. */
export function isSystem(value: unknown): value is SystemDesign {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  const { tables } = value as Partial<SystemDesign>;
  return typeof tables === 'object' && tables !== null;
}

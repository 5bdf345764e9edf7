import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../lib/design/config';
import { suggestion } from '../../lib/design/names';
import { isObject } from '../../lib/design/show';
import { readJson } from '../../lib/files/read';
import { FileError } from './command';
import { assertTrusted, loadModule } from './modules';

/**
 * The configuration for the folder that the command runs in, with absolute paths. The files that the configuration
 * names need not exist until a command uses them.
 */
export interface Project {
  /** The configuration file's path, for messages. */
  readonly file: string;
  readonly designs: readonly string[];
  readonly cases: readonly string[];
  /** The paths of the cases files, for a command that writes cases. The files need not exist yet. */
  readonly casesPaths: readonly string[];
  readonly assembly?: string;
  readonly terraform?: string;
  readonly environment?: string;
  readonly load?: Config['load'];
}

const FILES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `tablewright.config.${ending}`);

/** The advice for a user who has no configuration. */
export const WRITE_CONFIG = `write tablewright.config.ts:

  export default { designs: './design.ts', cases: './cases.ts' };
`;

/**
 * Looks for a configuration in a folder and its parents, up to the package, the repository or the home folder. If the
 * folder is not inside a package, a repository or the home folder, looks only in the folder itself, because its parents
 * may belong to other people.
 */
export async function readProject(from = process.cwd()): Promise<Project | undefined> {
  for (const folder of foldersFrom(from)) {
    const project = await projectIn(folder);
    if (project !== undefined) return project;
  }
  return undefined;
}

function foldersFrom(from: string): readonly string[] {
  const home = existsSync(homedir()) ? realpathSync(homedir()) : undefined;
  const isEnd = (folder: string) =>
    folder === home || ['package.json', '.git'].some((name) => existsSync(join(folder, name)));
  const folders = [from];
  for (let folder = from; !isEnd(folder); folders.push(folder)) {
    if (folder === dirname(folder)) return [from];
    folder = dirname(folder);
  }
  return folders;
}

/** Returns the paths of all configuration files in a folder. A folder may contain only one configuration file. */
export function configFilesIn(folder: string): readonly string[] {
  return FILES.map((name) => join(folder, name)).filter((name) => existsSync(name));
}

async function projectIn(folder: string): Promise<Project | undefined> {
  const [file, other] = configFilesIn(folder);
  if (file !== undefined && other !== undefined)
    throw new FileError(`'${folder}' contains both ${basename(file)} and ${basename(other)}; keep one of them`);
  if (file !== undefined) {
    assertTrusted(file);
    return projectOf(file, defaultOf((await loadModule(file)).loaded));
  }
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { tablewright } = Object(readJson(manifest)) as { tablewright?: unknown };
  if (tablewright === undefined) return undefined;
  assertTrusted(manifest);
  return projectOf(manifest, tablewright);
}

/** Returns the default export of a CommonJS or ES module. */
function defaultOf(loaded: unknown): unknown {
  const { default: config = loaded } = Object(loaded) as { default?: unknown };
  const { default: inner = config } = Object(config) as { default?: unknown };
  return inner;
}

/** The kind of value that each field of the configuration accepts. */
const FIELDS: Readonly<Record<keyof Config, 'files' | 'name' | 'load'>> = {
  designs: 'files',
  cases: 'files',
  assembly: 'name',
  terraform: 'name',
  environment: 'name',
  load: 'load',
};

function projectOf(file: string, config: unknown): Project {
  const wrong = (what: string) => new FileError(`${file}: ${what}`);
  if (!isObject(config))
    throw wrong(`its default export must be the result of defineConfig, got: ${JSON.stringify(config)}`);
  for (const [name, value] of Object.entries(config)) {
    const kind = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof Config] : undefined;
    if (kind === undefined)
      throw wrong(`'${name}' is not a field of the configuration; ${suggestion(name, Object.keys(FIELDS))}`);
    const isRight =
      isText(value) ||
      (kind === 'load' && isObject(value)) ||
      (kind === 'files' && Array.isArray(value) && value.length > 0 && value.every(isText));
    const wanted = {
      files: 'the path of a file, or a list of paths',
      name: 'a string',
      load: 'the path of a JSON file, or an object with an entry for each pattern',
    }[kind];
    if (value !== undefined && !isRight) throw wrong(`'${name}' must be ${wanted}, got: ${JSON.stringify(value)}`);
  }
  const { designs, cases, assembly, terraform, environment, load } = config as Partial<Config>;
  if (designs === undefined)
    throw wrong("'designs' is missing; name the files that export your designs: designs: './design.ts'");
  const whole = (path: string) => resolve(dirname(file), path);
  const files = (field: keyof Config, given: string | readonly string[] = []) =>
    [given].flat().map((path) => {
      if (!existsSync(whole(path)))
        throw wrong(
          `${field}: there is no file '${path}'${field === 'cases' ? "; 'npx tablewright cases' writes it" : ''}`,
        );
      assertTrusted(whole(path));
      return whole(path);
    });
  return {
    file,
    get designs() {
      return files('designs', designs);
    },
    get cases() {
      return files('cases', cases);
    },
    casesPaths: [cases ?? []].flat().map(whole),
    ...(assembly !== undefined && { assembly: whole(assembly) }),
    ...(terraform !== undefined && { terraform: whole(terraform) }),
    ...(environment !== undefined && { environment }),
    ...(load !== undefined && { load: typeof load === 'string' ? whole(load) : load }),
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

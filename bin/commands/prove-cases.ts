import { existsSync } from 'node:fs';
import type { CasesOf } from '../../lib/proof/cases';
import { bundledSystems, casesOfLibrary } from './bundled';
import { FileError, UsageError } from './command';
import { type Project, readProject } from './config';
import { configured, isFile, isSystem, unknownName, withoutConfig } from './designs';
import { assertTrusted, readingOf } from './modules';

/** Finds the cases of the named systems or files; if nothing is named, returns the configured cases. */
export async function casesNamed(names: readonly string[], demo?: boolean): Promise<readonly CasesOf[]> {
  if (demo) return casesOfLibrary(names);
  if (names.length > 0) return (await Promise.all(names.map((name) => namedCases(name, demo)))).flat();
  const project = await readProject();
  if (project === undefined) throw withoutConfig('cases', demo);
  return configuredCases(project);
}

async function namedCases(name: string, demo: boolean | undefined): Promise<readonly CasesOf[]> {
  if (isFile(name)) return casesIn(name);
  const project = await readProject();
  const own = project === undefined ? [] : await configuredCases(project);
  const found = own.filter(({ system }) => system.name === name);
  if (found.length > 0) return found;
  if (Object.hasOwn(await bundledSystems(), name)) return casesOfLibrary([name]);
  if (existsSync(name)) {
    // The user may have meant a system rather than this file, so the file is loaded only if it can be trusted.
    assertTrusted(name);
    return casesIn(name);
  }
  const known = own.map(({ system }) => system.name);
  throw await unknownName(name, 'cases', project && known, demo);
}

/** Also returns configured systems without cases, so that their patterns fail instead of being skipped. */
async function configuredCases(project: Project): Promise<readonly CasesOf[]> {
  if (project.cases.length === 0)
    throw new FileError(
      `${project.file}: the configuration has no cases to prove; add the field "cases: './cases.ts'"`,
    );
  const found = (await Promise.all(project.cases.map(casesIn))).flat();
  const designed = (await configured(project)).flatMap(({ designs }) => designs).filter(isSystem);
  return [...found, ...bare(designed, found)];
}

async function casesIn(name: string): Promise<readonly CasesOf[]> {
  const { found, without } = await readingOf(name, (exported) => {
    const found = exported.filter(isCases);
    return { found, without: bare(exported.filter(isSystem), found) };
  });
  if (found.length > 0) return [...found, ...without];
  const got =
    without.length === 0 ? 'it exports no cases' : `it exports the system '${without[0]?.system.name}' without cases`;
  throw new UsageError(`'${name}' must export the result of defineCases; ${got}`);
}

/** Returns an empty set of cases for each system that has none. */
function bare(all: readonly CasesOf['system'][], found: readonly CasesOf[]): readonly CasesOf[] {
  const without = all.filter((system) => !found.some((known) => known.system.name === system.name));
  return without.map((system): CasesOf => ({ system, tables: {} }));
}

export function isCases(value: unknown): value is CasesOf {
  return (
    typeof value === 'object' && value !== null && 'tables' in value && 'system' in value && isSystem(value.system)
  );
}

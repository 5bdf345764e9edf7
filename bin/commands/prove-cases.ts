import type { CasesOf } from '../../lib/proof/cases';
import { systems } from '../../lib/systems';
import { cases } from '../../lib/systems/cases';
import { UsageError } from './command';
import { isSystem } from './designs';
import { exportsOf } from './modules';

/** The cases that were named: of systems that come with the library, or in modules of the user's own. All systems by default. */
export function casesNamed(names: readonly string[]): readonly CasesOf[] {
  if (names.length === 0) return Object.keys(systems).map(casesOf);
  return names.flatMap((name) => (Object.hasOwn(systems, name) ? [casesOf(name)] : casesIn(name)));
}

function casesOf(system: string): CasesOf {
  const found = cases[system];
  if (found === undefined) throw new Error(`system '${system}' has no cases`);
  return found;
}

function casesIn(name: string): readonly CasesOf[] {
  const exported = exportsOf(name, 'cases');
  const found = exported.filter(isCases);
  // A system that is exported without cases is not passed over: each of its patterns is a failure.
  const bare = exported.filter(isSystem).filter((system) => !found.some((one) => one.system === system));
  if (found.length === 0) {
    const got = bare.length === 0 ? 'it exports none' : `it exports system '${bare[0]?.name}' without cases`;
    throw new UsageError(`'${name}' must export what defineCases returns; ${got}`);
  }
  return [...found, ...bare.map((system): CasesOf => ({ system, tables: {} }))];
}

function isCases(value: unknown): value is CasesOf {
  return (
    typeof value === 'object' && value !== null && 'tables' in value && 'system' in value && isSystem(value.system)
  );
}

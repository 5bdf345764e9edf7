import { suggestion } from '../../lib/design/names';
import type { SystemDesign } from '../../lib/design/system';
import type { CasesOf } from '../../lib/proof/cases';
import { UsageError } from './command';

/**
 * Loads the bundled systems, keyed by name. They are loaded only on demand, because most commands need only the user's
 * own designs.
 */
export async function bundledSystems(): Promise<Readonly<Record<string, SystemDesign>>> {
  return (await import('../../lib/systems/systems')).systems;
}

/** Returns the named bundled systems, or all bundled systems if no name is given. */
export async function systemsOfLibrary(names: readonly string[]): Promise<readonly SystemDesign[]> {
  const systems = await bundledSystems();
  return (names.length === 0 ? Object.keys(systems) : names).map((name) => {
    const system = Object.hasOwn(systems, name) ? systems[name] : undefined;
    if (system !== undefined) return system;
    throw new UsageError(`--demo: '${name}' is not a bundled system; ${suggestion(name, Object.keys(systems))}`);
  });
}

/** Loads the bundled systems' cases, keyed by system name. */
export async function bundledCases(): Promise<Readonly<Record<string, CasesOf>>> {
  return (await import('../../lib/systems/cases')).cases;
}

/** Returns the cases of the named bundled systems, or of all bundled systems if no name is given. */
export async function casesOfLibrary(names: readonly string[]): Promise<readonly CasesOf[]> {
  const cases = await bundledCases();
  return (await systemsOfLibrary(names)).map(({ name }) => {
    const found = cases[name];
    if (found === undefined) throw new Error(`system '${name}' has no cases`);
    return found;
  });
}

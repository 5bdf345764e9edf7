import { outline } from '../../lib/blueprint/outline';
import { tablesOf } from '../../lib/blueprint/system';
import { assertDesign } from '../../lib/check/language/well-formed';
import { loadsFrom } from '../../lib/costs/load';
import type { Loads } from '../../lib/design/config';
import { readJson } from '../../lib/files/read';
import { FileError } from './command';
import { readProject } from './config';
import { configured, type Design, isFile } from './designs';

/**
 * Reads how often patterns are called, from `file` or else from the configuration; returns undefined if neither says
 * so. The load may name any pattern of the configured designs, even if the user names only some of these designs.
 * Ignores the configuration if every name in `named` is a file.
 */
export async function loadGiven(
  designs: readonly Design[],
  file?: string,
  named: readonly string[] = [],
): Promise<Loads | undefined> {
  const project = named.length > 0 && named.every(isFile) ? undefined : await readProject();
  const given = file ?? project?.load;
  if (given === undefined) return undefined;
  const others = project === undefined ? [] : (await configured(project)).flatMap((source) => source.designs);
  const known = [...designs, ...others].filter(isWellFormed).flatMap(patternsOf);
  const loads = loadsFrom(typeof given === 'string' ? readJson(given) : given, known);
  if (typeof loads === 'string') throw new FileError(`${typeof given === 'string' ? given : project?.file}: ${loads}`);
  return loads;
}

/** Returns the names of a design's patterns, including patterns that span its tables. */
export function patternsOf(design: Design): readonly string[] {
  return tablesOf(design).flatMap(([, table]) => outline(table).patterns.map(({ name }) => name));
}

function isWellFormed(design: Design): boolean {
  try {
    assertDesign(design);
    return true;
  } catch {
    return false;
  }
}

import { outline } from '../blueprint/outline';
import { isWhole, parametersAcross, parametersOf } from '../blueprint/parameters';
import { suggestion } from '../design/names';
import type { SystemDesign } from '../design/system';
import type { Look, ReadCase, SystemCases, WriteCase } from './cases';

/**
 * Returns a failure if a case passes a value that the called pattern does not accept. Without this check, a misspelled
 * required value would only be reported as missing, and a misspelled optional value would go unnoticed. The values
 * under `refuses` are not checked.
 */
export function unknownValueIn(system: SystemDesign, cases: SystemCases, name: string): string | undefined {
  const byPattern = [...Object.values(cases.tables).map(({ patterns }) => patterns), cases.patterns];
  const own = byPattern.find((all) => Object.hasOwn(all ?? {}, name))?.[name];
  const found: ReadCase | WriteCase | undefined = own ?? cases.procedures?.[name];
  if (found === undefined) return undefined;
  const { shows = [], reads } = found as Partial<WriteCase>;
  const before = reads === undefined ? [] : 'steps' in reads ? Object.values(reads.steps) : [reads];
  const sent: readonly Pick<Look, 'pattern' | 'values'>[] = [
    ...(own === undefined ? [] : [{ pattern: name, values: own.values }]),
    ...shows,
    ...before,
  ];
  for (const { pattern, values } of sent) {
    const known = valuesOf(system, pattern);
    const unknown = known && Object.keys(values ?? {}).find((given) => !known.includes(given));
    if (unknown !== undefined)
      return `the case passes a value named '${unknown}', which ${pattern} does not accept; ${suggestion(unknown, known as string[])}`;
  }
  return undefined;
}

/**
 * Returns the names of the values that a pattern accepts. Returns undefined for an unknown pattern, and for a put of a
 * whole item, which validates the item itself.
 */
function valuesOf(system: SystemDesign, pattern: string): readonly string[] | undefined {
  const nameOf = ({ name }: { readonly name: string }) => name;
  const across = system.patterns?.[pattern];
  if (across !== undefined) return [...parametersAcross(system, pattern).map(nameOf), ...stepsOf(across)];
  for (const design of Object.values(system.tables)) {
    const table = outline(design);
    const found = table.patterns.find(({ name }) => name === pattern);
    if (found === undefined) continue;
    const { design: one } = found;
    if (one.op === 'put' && isWhole(one)) return undefined;
    const version = 'entity' in one ? design.entities[one.entity]?.version : undefined;
    return [...parametersOf(table, found).map(nameOf), ...stepsOf(one), ...(version === undefined ? [] : [version])];
  }
  return undefined;
}

/**
 * Returns the names of a transaction's steps. A caller passes the version that it has read for a step under the step's
 * name.
 */
function stepsOf(pattern: object): readonly string[] {
  return 'steps' in pattern ? Object.keys(pattern.steps as object) : [];
}

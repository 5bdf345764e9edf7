import { outline } from '../blueprint/outline';
import { isWhole, parametersAcross, parametersOf } from '../blueprint/parameters';
import { suggestion } from '../design/names';
import type { SystemDesign } from '../design/system';
import type { Look, ReadCase, SystemCases, WriteCase } from './cases';

/**
 * The failure for the first value in a case that the pattern or procedure does not take. Without it, a misspelt
 * required value would only be reported as missing, and a misspelt optional value would go unnoticed. Values that a
 * case expects to be refused are not checked.
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
      return `the case gives ${pattern} the value '${unknown}', which it does not take; ${suggestion(unknown, known as string[])}`;
  }
  return undefined;
}

/** The values that a pattern takes; undefined for an unknown pattern, and for a put of a whole item, because the put validates the item. */
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

/** The steps of a transaction; callers pass the versions that they have read under the names of the steps. */
function stepsOf(pattern: object): readonly string[] {
  return 'steps' in pattern ? Object.keys(pattern.steps as object) : [];
}

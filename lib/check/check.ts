import { blueprint } from '../blueprint/table';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Finding, Rule } from './finding';
import { incompleteKey } from './rules/incomplete-key';
import { limits } from './rules/limits';
import { templateSyntax } from './rules/template-syntax';
import { unknownName } from './rules/unknown-name';

/** Every rule, in the order its findings are shown. */
export const rules: readonly Rule[] = [limits, templateSyntax, unknownName, incompleteKey];

/** All that is wrong with a design, or doubtful in it. It never throws. */
export function check(design: TableDesign | SystemDesign): readonly Finding[] {
  if (!('tables' in design)) return checkTable(design);
  return Object.entries(design.tables).flatMap(([name, table]) =>
    checkTable(table).map((finding) => ({ ...finding, path: `tables.${name}.${finding.path}` })),
  );
}

/** Throws once, with every error in the design, if there is any. */
export function assertSound(design: TableDesign | SystemDesign): void {
  const errors = check(design).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DesignError(design, errors);
}

/** A design that cannot work, with all the reasons. */
export class DesignError extends Error {
  public override readonly name = 'DesignError';
  public readonly findings: readonly Finding[];

  public constructor(design: TableDesign | SystemDesign, findings: readonly Finding[]) {
    const what = 'tables' in design ? 'system' : 'table';
    const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`;
    super([`${what} design '${design.name}' has ${count}`, ...findings.map(describe)].join('\n'));
    this.findings = findings;
  }
}

function describe({ path, message, fix, rule }: Finding): string {
  return `  ${path}: ${message}\n    fix: ${fix}   [${rule}]`;
}

const checkedBefore = new WeakMap<TableDesign, readonly Finding[]>();

function checkTable(design: TableDesign): readonly Finding[] {
  let findings = checkedBefore.get(design);
  if (findings === undefined) {
    const table = { design, plan: blueprint(design) };
    findings = rules.flatMap(({ id, severity, check }) =>
      Array.from(check(table), (found) => ({ rule: id, severity, ...found })),
    );
    checkedBefore.set(design, findings);
  }
  return findings;
}

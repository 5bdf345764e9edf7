import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { type Acknowledged, acknowledge, type Review } from './acknowledgement';
import { withoutConsequences } from './consequences';
import type { Finding } from './finding';
import { malformed, malformedDesign } from './malformed';
import { tableRules } from './rules';
import { subject } from './subject';
import { inSystem } from './system';

export interface CheckOptions {
  /**
   * Also warn of what would not carry over to this cloud.
   * @default - only the design's own cloud counts
   */
  readonly portability?: 'azure';
}

/** All that is wrong with a design, or doubtful in it, and not acknowledged there. It never throws. */
export function check(design: TableDesign | SystemDesign, options: CheckOptions = {}): readonly Finding[] {
  return review(design, options).findings;
}

/** The same, with what the design acknowledges. */
export function review(design: TableDesign | SystemDesign, options: CheckOptions = {}): Review {
  if (!isSystem(design)) return reviewTable(design, undefined, options);
  const shapeless = misshapen(design);
  if (shapeless !== undefined) return shapeless;
  const found: readonly Finding[] = [...inSystem(design)];
  const isTenantKnown = !found.some(({ rule, cause }) => rule === 'unknown-name' && cause === 'tenant');
  const reviews = Object.entries(design.tables).map(([name, table]) => {
    const place = <F extends Finding | Acknowledged>(finding: F): F => ({
      ...finding,
      path: `tables.${name}.${finding.path}`,
      subject: { ...finding.subject, table: name },
    });
    const { findings, acknowledged } = reviewTable(table, design, options);
    // Of a tenant that is misspelt, every key would say that it is missing.
    const told = isTenantKnown ? findings : findings.filter(({ rule }) => rule !== 'tenant-unscoped');
    return { findings: told.map(place), acknowledged: acknowledged.map(place) };
  });
  return {
    findings: [...found, ...reviews.flatMap(({ findings }) => findings)],
    acknowledged: reviews.flatMap(({ acknowledged }) => acknowledged),
  };
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
    const what = isSystem(design) ? 'system' : 'table';
    const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`;
    super([`${what} design '${design?.name}' has ${count}`, ...findings.map(describe)].join('\n'));
    this.findings = findings;
  }
}

/** A finding as two lines: where and what, and how to mend it. */
export function describe({ path, message, fix, rule }: Finding): string {
  return `  ${path}: ${message}\n    fix: ${fix}   [${rule}]`;
}

const alone = new WeakMap<TableDesign, Review>();

function reviewTable(design: TableDesign, system: SystemDesign | undefined, options: CheckOptions): Review {
  const plain = system === undefined && options.portability === undefined;
  const before = plain ? alone.get(design) : undefined;
  if (before !== undefined) return before;
  const shapeless = misshapen(design);
  if (shapeless !== undefined) return shapeless;
  const table = subject(design, system, options.portability);
  const found: Finding[] = [];
  for (const { id, severity, check } of tableRules) {
    // What a rule finds has one of its own causes, as its type says.
    for (const one of check(table)) found.push(brief({ rule: id, severity, ...one } as Finding));
  }
  const { findings, acknowledged } = acknowledge(table, found);
  const reviewed = { findings: withoutConsequences(table, findings), acknowledged };
  if (plain) alone.set(design, reviewed);
  return reviewed;
}

/** What is not a design at all: whatever else could be said of it would be a guess. */
function misshapen(design: TableDesign | SystemDesign): Review | undefined {
  const found = malformed(design);
  if (found.length === 0) return undefined;
  const { id, severity } = malformedDesign;
  const findings = found.map((one): Finding => ({ rule: id, severity, ...one }));
  return { findings, acknowledged: [] };
}

/** Texts of hundreds of characters are recognised by their beginning. */
function brief(finding: Finding): Finding {
  const { message, fix } = finding;
  if (message.length + fix.length < 400) return finding;
  const cut = (text: string) => text.replace(/'([^'\n]{60})[^'\n]{20,}'/g, "'$1…'");
  return { ...finding, message: cut(message), fix: cut(fix) };
}

/** Without a look at what may be nothing at all. */
function isSystem(design: TableDesign | SystemDesign): design is SystemDesign {
  return typeof design === 'object' && design !== null && 'tables' in design;
}

import { partsOf } from '../blueprint/template-parts';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { KEY_BYTES, type Template } from '../design/template';
import { type Acknowledged, acknowledge, type Review } from './acknowledgement';
import { withoutConsequences } from './consequences';
import type { Finding, TableRule } from './finding';
import { malformed, malformedDesign } from './malformed';
import { atKey, atWhere } from './places';
import { allRules, rulesAbout } from './rules';
import { undecided } from './rules/undecided';
import { boundsOf, subject, type TableUnderCheck } from './subject';
import { inSystem } from './system';
import { type Trait, traitsOf } from './traits';
import { failed, leftOpen } from './undecided';
import { unreadable } from './unreadable';

export interface CheckOptions {
  /**
   * Also warn about anything that would not carry over to this cloud.
   * @default - only the design's own cloud counts
   */
  readonly portability?: 'azure';
  /**
   * Also return notes, which are merely worth knowing.
   * @default false
   */
  readonly notes?: boolean;
}

/** Every problem and doubt in a design, except those that it acknowledges. It never throws. */
export function check(design: TableDesign | SystemDesign, options: CheckOptions = {}): readonly Finding[] {
  return review(design, options).findings;
}

/** The findings of a design, with those that it acknowledges apart. It never throws. */
export function review(design: TableDesign | SystemDesign, options: CheckOptions = {}): Review {
  try {
    return reviewed(design, options);
  } catch (error) {
    return unreadable(design, error);
  }
}

function reviewed(design: TableDesign | SystemDesign, options: CheckOptions): Review {
  if (!isSystem(design)) return reviewTable(design, undefined, options);
  const before = isPlain(options) ? reviewedBefore.get(design) : undefined;
  if (before !== undefined) return before;
  const misshapen = reviewShape(design);
  if (misshapen !== undefined) return misshapen;
  const review = reviewSystem(design, options);
  if (isPlain(options)) reviewedBefore.set(design, review);
  return review;
}

/** The review of each design without options, since every stack and environment of it asks for one. */
const reviewedBefore = new WeakMap<TableDesign | SystemDesign, Review>();

function isPlain({ portability, notes }: CheckOptions): boolean {
  return portability === undefined && notes !== true;
}

function reviewSystem(design: SystemDesign, options: CheckOptions): Review {
  const found: readonly Finding[] = [...inSystem(design)];
  const isTenantKnown = !found.some(({ rule, cause }) => rule === 'unknown-name' && cause === 'tenant');
  const reviews = Object.entries(design.tables).map(([name, table]) => {
    const place = <F extends Finding | Acknowledged>(finding: F): F => ({
      ...finding,
      path: `tables.${name}.${finding.path}`,
      subject: { ...finding.subject, table: name },
    });
    const { findings, acknowledged } = reviewTable(table, design, options);
    // If the tenant is misspelt, every key would be reported to lack it.
    const shown = isTenantKnown ? findings : findings.filter(({ rule }) => rule !== 'tenant-unscoped');
    return { findings: shown.map(place), acknowledged: acknowledged.map(place) };
  });
  return {
    findings: [...found, ...reviews.flatMap(({ findings }) => findings)],
    acknowledged: reviews.flatMap(({ acknowledged }) => acknowledged),
  };
}

/** Throws one `DesignError` with every error in the design, if there are any. */
export function assertSound(design: TableDesign | SystemDesign): void {
  const errors = check(design).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DesignError(design, errors);
}

/** Throws a `DesignError` if a value is not a design at all, with every reason. */
export function assertDesign(design: unknown): void {
  let found: Review | undefined;
  try {
    found = reviewShape(design as TableDesign | SystemDesign);
  } catch (error) {
    found = unreadable(design, error);
  }
  if (found !== undefined) throw new DesignError(design as TableDesign | SystemDesign, found.findings);
}

/** A design that cannot work, with all the reasons. */
export class DesignError extends Error {
  public override readonly name = 'DesignError';
  public readonly findings: readonly Finding[];

  public constructor(design: TableDesign | SystemDesign, findings: readonly Finding[]) {
    const what =
      findings.some(({ subject }) => subject.kind === 'system') || isReadableSystem(design) ? 'system' : 'table';
    const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`;
    super([`${what} design '${nameOf(design)}' has ${count}`, ...findings.map(describe)].join('\n'));
    this.findings = findings;
  }
}

/** A finding as two lines: where and what it is, and how to fix it. */
export function describe({ path, message, fix, rule }: Finding): string {
  return `  ${path}: ${message}\n    fix: ${fix}   [${rule}]`;
}

function reviewTable(design: TableDesign, system: SystemDesign | undefined, options: CheckOptions): Review {
  const plain = system === undefined && isPlain(options);
  const before = plain ? reviewedBefore.get(design) : undefined;
  if (before !== undefined) return before;
  const misshapen = reviewShape(design);
  if (misshapen !== undefined) return misshapen;
  const table = subject(design, system, options.portability);
  const found: Finding[] = [];
  for (const rule of rulesFor(table)) if (isShown(rule, design, options)) apply(rule, table, found);
  apply(undecided, table, found);
  const { findings, acknowledged } = acknowledge(table, found);
  const shown = options.notes ? findings : findings.filter(({ severity }) => severity !== 'note');
  const reviewed = { findings: withoutConsequences(table, shown), acknowledged };
  if (plain) reviewedBefore.set(design, reviewed);
  return reviewed;
}

/** The rules that can find something in a table; all of them if the user's own code throws while the check looks. */
function rulesFor(table: TableUnderCheck): readonly TableRule[] {
  const traits = traitsIn(table);
  const rules = traits === undefined ? allRules() : rulesAbout(traits);
  const isLong = traits?.has('odd-template') !== false && isBoundless(table);
  return isLong ? rules.filter(({ id }) => id === 'limits') : rules;
}

/** Whether anybody would see what a rule finds: notes are left out unless they are asked for or acknowledged. */
function isShown({ id, severity }: TableRule, design: TableDesign, { notes }: CheckOptions): boolean {
  return severity !== 'note' || notes === true || design.acknowledge?.[id] !== undefined;
}

function traitsIn(table: TableUnderCheck): ReadonlySet<Trait> | undefined {
  try {
    return traitsOf(table);
  } catch {
    return undefined;
  }
}

/** Adds what a rule finds. If a schema or a getter of the user throws meanwhile, the rule's question stays open. */
function apply(rule: TableRule, table: TableUnderCheck, found: Finding[]): void {
  try {
    for (const fault of rule.check(table)) {
      // The type of a rule allows only causes of its own.
      found.push(brief({ rule: rule.id, severity: rule.severity, ...fault } as Finding));
    }
  } catch (error) {
    failed(table, rule.id, error);
  }
}

/** Whether a key has more parts than it may have bytes: then only its length is reported, and nothing else is worth the time. */
function isBoundless(table: TableUnderCheck): boolean {
  const isLong = (template: Template) => partsOf(template).length > KEY_BYTES.partition;
  const long = table.plan.sources.find(({ template }) => isLong(template));
  if (long !== undefined) leftOpen(table, atKey(long), 'what else is wrong with this table');
  const asked = table.accesses.find((access) => boundsOf(access).some(([, bound]) => isLong(bound)));
  if (asked !== undefined) leftOpen(table, atWhere(asked), 'what else is wrong with this table');
  return long !== undefined || asked !== undefined;
}

/** The review of something that is not a design at all: anything else the check could say about it would be a guess. */
function reviewShape(design: TableDesign | SystemDesign): Review | undefined {
  const found = malformed(design);
  if (found.length === 0) return undefined;
  const { id, severity } = malformedDesign;
  const findings = found.map((fault): Finding => ({ rule: id, severity, ...fault }));
  return { findings, acknowledged: [] };
}

/** Cuts quoted texts of hundreds of characters, which readers recognise by their beginning. */
function brief(finding: Finding): Finding {
  const { message, fix } = finding;
  if (message.length + fix.length < 400) return finding;
  const cut = (text: string) => text.replace(/'([^'\n]{60})[^'\n]{20,}'/g, "'$1…'");
  return { ...finding, message: cut(message), fix: cut(fix) };
}

function isSystem(design: TableDesign | SystemDesign): design is SystemDesign {
  return typeof design === 'object' && design !== null && 'tables' in design;
}

/** Like `isSystem`, for a design that may throw when it is read. */
function isReadableSystem(design: TableDesign | SystemDesign): boolean {
  try {
    return isSystem(design);
  } catch {
    return false;
  }
}

function nameOf(design: TableDesign | SystemDesign): string {
  try {
    return String(design?.name);
  } catch {
    return '?';
  }
}

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
   * Also warn of what would not carry over to this cloud.
   * @default - only the design's own cloud counts
   */
  readonly portability?: 'azure';
  /**
   * Also say what is worth knowing and no more (`note`).
   * @default false
   */
  readonly notes?: boolean;
}

/** All that is wrong with a design, or doubtful in it, and not acknowledged there. It never throws. */
export function check(design: TableDesign | SystemDesign, options: CheckOptions = {}): readonly Finding[] {
  return review(design, options).findings;
}

/** The same, with what the design acknowledges. */
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
  const shapeless = misshapen(design);
  if (shapeless !== undefined) return shapeless;
  const review = reviewSystem(design, options);
  if (isPlain(options)) reviewedBefore.set(design, review);
  return review;
}

/** Of each design, the review without options: each of its stacks and environments asks for it. */
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

/** Throws, with all that keeps it from being one, if something is not a design at all. */
export function assertDesign(design: unknown): void {
  let found: Review | undefined;
  try {
    found = misshapen(design as TableDesign | SystemDesign);
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
      findings.some(({ subject }) => subject.kind === 'system') || isSystemAtAll(design) ? 'system' : 'table';
    const count = `${findings.length} problem${findings.length === 1 ? '' : 's'}`;
    super([`${what} design '${nameOf(design)}' has ${count}`, ...findings.map(describe)].join('\n'));
    this.findings = findings;
  }
}

/** A finding as two lines: where and what, and how to mend it. */
export function describe({ path, message, fix, rule }: Finding): string {
  return `  ${path}: ${message}\n    fix: ${fix}   [${rule}]`;
}

function reviewTable(design: TableDesign, system: SystemDesign | undefined, options: CheckOptions): Review {
  const plain = system === undefined && isPlain(options);
  const before = plain ? reviewedBefore.get(design) : undefined;
  if (before !== undefined) return before;
  const shapeless = misshapen(design);
  if (shapeless !== undefined) return shapeless;
  const table = subject(design, system, options.portability);
  const found: Finding[] = [];
  for (const rule of askedOf(table)) if (isTold(rule, design, options)) foundBy(rule, table, found);
  foundBy(undecided, table, found);
  const { findings, acknowledged } = acknowledge(table, found);
  const told = options.notes ? findings : findings.filter(({ severity }) => severity !== 'note');
  const reviewed = { findings: withoutConsequences(table, told), acknowledged };
  if (plain) reviewedBefore.set(design, reviewed);
  return reviewed;
}

/** The rules that can find something; all of them where code of the user's own fails as it is looked at. */
function askedOf(table: TableUnderCheck): readonly TableRule[] {
  const traits = traitsIn(table);
  const asked = traits === undefined ? allRules() : rulesAbout(traits);
  const isLong = traits?.has('odd-template') !== false && isBoundless(table);
  return isLong ? asked.filter(({ id }) => id === 'limits') : asked;
}

/** Whether anybody would see what a rule finds: notes are left out unless asked for, or acknowledged. */
function isTold({ id, severity }: TableRule, design: TableDesign, { notes }: CheckOptions): boolean {
  return severity !== 'note' || notes === true || design.acknowledge?.[id] !== undefined;
}

function traitsIn(table: TableUnderCheck): ReadonlySet<Trait> | undefined {
  try {
    return traitsOf(table);
  } catch {
    return undefined;
  }
}

/** What a rule finds; a schema or a getter of the user's own may fail in it, which leaves its question open. */
function foundBy(rule: TableRule, table: TableUnderCheck, found: Finding[]): void {
  try {
    for (const one of rule.check(table)) {
      // What a rule finds has one of its own causes, as its type says.
      found.push(brief({ rule: rule.id, severity: rule.severity, ...one } as Finding));
    }
  } catch (error) {
    failed(table, rule.id, error);
  }
}

/** Whether a key has more parts than it may have bytes: that is said, and nothing else of it is worth the time. */
function isBoundless(table: TableUnderCheck): boolean {
  const isLong = (template: Template) => partsOf(template).length > KEY_BYTES.partition;
  const long = table.plan.sources.find(({ template }) => isLong(template));
  if (long !== undefined) leftOpen(table, atKey(long), 'what else is wrong with this table');
  const asked = table.accesses.find((access) => boundsOf(access).some(([, bound]) => isLong(bound)));
  if (asked !== undefined) leftOpen(table, atWhere(asked), 'what else is wrong with this table');
  return long !== undefined || asked !== undefined;
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

/** The same of what may not even be looked at. */
function isSystemAtAll(design: TableDesign | SystemDesign): boolean {
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

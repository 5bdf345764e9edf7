import { pathInSystem, whole } from '../blueprint/shares';
import { partsOf } from '../blueprint/template-parts';
import type { Loads } from '../design/config';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { KEY_BYTES, type Template } from '../design/template';
import { type Acknowledged, acknowledge, isSkipped, type Review } from './findings/acknowledgement';
import { withoutConsequences } from './findings/consequences';
import type { Finding, TableRule } from './findings/finding';
import { failed, leftOpen } from './findings/open-questions';
import { inOrder } from './findings/order';
import { atKey, atWhere } from './findings/place';
import { unreadable } from './language/unreadable';
import { DesignError, isSystem, reviewShape } from './language/well-formed';
import { tableRules } from './rules';
import { undecided } from './rules/undecided';
import { boundsOf, type TableUnderCheck, tableUnderCheck } from './table-under-check';
import { inSystem } from './whole-system';

export interface CheckOptions {
  /**
   * Whether to also return notes, which are informational.
   * @default false
   */
  readonly notes?: boolean;
  /**
   * The rate at which each pattern is called, keyed by pattern name. The rule `hot-partition` computes the load on each
   * partition from these rates.
   * @default - `hot-partition` can only guess, and reports its guesses as notes
   */
  readonly load?: Loads;
}

/** Returns every finding that the design does not acknowledge. Never throws. */
export function check(design: TableDesign | SystemDesign, options: CheckOptions = {}): readonly Finding[] {
  return review(design, options).findings;
}

/** Returns a design's open findings and its acknowledged findings separately. Never throws. */
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

/** Caches reviews made without options, because every stack and environment requests the same review. */
const reviewedBefore = new WeakMap<TableDesign | SystemDesign, Review>();

function isPlain({ notes, load }: CheckOptions): boolean {
  return notes !== true && load === undefined;
}

function reviewSystem(design: SystemDesign, options: CheckOptions): Review {
  const found: readonly Finding[] = [...inSystem(design)].filter(
    ({ severity }) => severity !== 'note' || options.notes,
  );
  const isTenantKnown = !found.some(({ rule, cause }) => rule === 'unknown-name' && cause === 'tenant');
  const reviews = Object.entries(whole(design).tables).map(([name, table]) => {
    const place = <F extends Finding | Acknowledged>(finding: F): F => ({
      ...finding,
      path: pathInSystem(design, name, finding.path),
      ...(finding.edits && {
        edits: finding.edits.map((edit) => ({ ...edit, path: pathInSystem(design, name, edit.path) })),
      }),
      subject: { ...finding.subject, table: name },
    });
    const { findings, acknowledged } = reviewTable(table, design, options);
    // If the name of the tenant attribute is misspelled, every key seems to lack the tenant.
    const shown = isTenantKnown ? findings : findings.filter(({ rule }) => rule !== 'tenant-unscoped');
    return { findings: shown.map(place), acknowledged: acknowledged.map(place) };
  });
  const all = reviews.flatMap(({ findings }) => findings);
  if (design.patterns === undefined && design.acknowledge === undefined)
    return {
      findings: bySeverity([...found, ...all]),
      acknowledged: reviews.flatMap(({ acknowledged }) => acknowledged),
    };
  // A finding about a system-wide pattern is repeated for every table that the pattern uses.
  const once = new Map(
    all.map((finding) => [`${finding.rule} ${finding.cause} ${finding.path} ${finding.message}`, finding]),
  );
  const own = acknowledge(design, [...found, ...once.values()], (rule) =>
    isSkipped(rule, { system: design, cloud: design.cloud }),
  );
  return {
    findings: bySeverity(own.findings),
    acknowledged: [...reviews.flatMap(({ acknowledged }) => acknowledged), ...own.acknowledged],
  };
}

/** Sorts findings by severity, errors first, across all tables. */
function bySeverity(found: readonly Finding[]): readonly Finding[] {
  return (['error', 'warning', 'note'] as const).flatMap((severity) =>
    found.filter((finding) => finding.severity === severity),
  );
}

/** Throws a single `DesignError` with all errors in the design, if there are any. */
export function assertSound(design: TableDesign | SystemDesign): void {
  const errors = check(design).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DesignError(design, errors);
}

function reviewTable(design: TableDesign, system: SystemDesign | undefined, options: CheckOptions): Review {
  const plain = system === undefined && isPlain(options);
  const before = plain ? reviewedBefore.get(design) : undefined;
  if (before !== undefined) return before;
  // Checking the shape of a system also checks the shapes of its tables.
  const misshapen = system === undefined ? reviewShape(design) : undefined;
  if (misshapen !== undefined) return misshapen;
  const table = tableUnderCheck(design, system, options.load);
  const found: Finding[] = [];
  for (const rule of rulesFor(table)) if (isShown(rule, design, options)) apply(rule, table, found);
  apply(undecided, table, found);
  const { findings, acknowledged } = acknowledge(design, found, (rule) => isSkipped(rule, table));
  const shown = options.notes ? findings : findings.filter(({ severity }) => severity !== 'note');
  const reviewed = { findings: inOrder(withoutConsequences(table, shown), design), acknowledged };
  if (plain) reviewedBefore.set(design, reviewed);
  return reviewed;
}

/** Returns all rules, or only `limits` if a key is so long that the other rules would take too long. */
function rulesFor(table: TableUnderCheck): readonly TableRule[] {
  return isBoundless(table) ? tableRules.filter(({ id }) => id === 'limits') : tableRules;
}

/**
 * Whether the check needs to run a rule. Rules that report notes run only if the caller requests notes or the design
 * acknowledges the rule.
 */
function isShown({ id, severity }: TableRule, design: TableDesign, { notes }: CheckOptions): boolean {
  return severity !== 'note' || notes === true || design.acknowledge?.[id] !== undefined;
}

/** Adds the findings of a rule. If the user's schema or getter throws, records the rule as undecided. */
function apply(rule: TableRule, table: TableUnderCheck, found: Finding[]): void {
  try {
    for (const fault of rule.check(table)) {
      // The cast is safe, because a rule's type allows only the rule's own causes.
      found.push(brief({ rule: rule.id, severity: rule.severity, ...fault } as Finding));
    }
  } catch (error) {
    failed(table, rule.id, error);
  }
}

/**
 * Whether a key has so many parts that it exceeds DynamoDB's limit even at one byte per part. For such a table, the check
 * reports only the length of the key, because the other rules would take too long.
 */
function isBoundless(table: TableUnderCheck): boolean {
  const isLong = (template: Template) => partsOf(template).length > KEY_BYTES.partition;
  const long = table.sources.find(({ template }) => isLong(template));
  if (long !== undefined) leftOpen(table, atKey(long), 'look for other problems in this table');
  const asked = table.accesses.find((access) => boundsOf(access).some(([, bound]) => isLong(bound)));
  if (asked !== undefined) leftOpen(table, atWhere(asked), 'look for other problems in this table');
  return long !== undefined || asked !== undefined;
}

/** Shortens very long quoted strings, since readers recognize a string by its beginning. */
function brief(finding: Finding): Finding {
  const { message, fix } = finding;
  if (message.length + fix.length < 400) return finding;
  const cut = (text: string) => text.replace(/'([^'\n]{60})[^'\n]{20,}'/g, "'$1…'");
  return { ...finding, message: cut(message), fix: cut(fix) };
}

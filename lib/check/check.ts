import { attributeAt, attributeNames } from '../blueprint/attributes/facts';
import { nearest } from '../design/names';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { template } from '../design/template';
import { acknowledge, type Review } from './acknowledgement';
import { withoutConsequences } from './consequences';
import type { Finding } from './finding';
import { MALFORMED, malformed } from './malformed';
import { rules } from './rules';
import { subject } from './subject';

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
  const found = reviewSystem(design);
  const isTenantKnown = !found.some(({ path }) => path === 'tenant');
  const reviews = Object.entries(design.tables).map(([name, table]) => {
    const place = <F extends Finding>(finding: F): F => ({ ...finding, path: `tables.${name}.${finding.path}` });
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
  for (const { id, severity, check } of rules) {
    for (const one of check(table)) found.push(brief({ rule: id, severity, ...one }));
  }
  const { findings, acknowledged } = acknowledge(table, found);
  const reviewed = { findings: withoutConsequences(table, findings), acknowledged };
  if (plain) alone.set(design, reviewed);
  return reviewed;
}

/** What is no design at all: whatever else could be said of it would be a guess. */
function misshapen(design: TableDesign | SystemDesign): Review | undefined {
  const found = malformed(design);
  if (found.length === 0) return undefined;
  const findings = found.map((one): Finding => ({ rule: MALFORMED, severity: 'error', ...one }));
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

/** What only a system as a whole can have wrong; the compiler sees it too, where the design is written in TypeScript. */
function reviewSystem({ tables, procedures = {}, tenant }: SystemDesign): readonly Finding[] {
  const found: Finding[] = [];
  const error = (path: string, message: string, fix: string) =>
    found.push({ rule: 'unknown-name', severity: 'error', path, message, fix });
  if (tenant !== undefined && !Object.values(tables).some((table) => hasAttribute(table, tenant))) {
    const entities = Object.values(tables).flatMap((table) => Object.values(table.entities));
    const meant = nearest(tenant, [...new Set(entities.flatMap(({ attributes }) => attributeNames(attributes)))]);
    const fix = `name the attribute that holds the tenant${meant === undefined ? '' : `: '${meant}'`}`;
    error('tenant', `no entity of any table has the attribute '${tenant}'`, fix);
  }
  const owners = new Map<string, string>();
  for (const [name, table] of Object.entries(tables)) {
    if (table.name !== name) error(`tables.${name}`, `the table is named '${table.name}'`, 'list it under that name');
    for (const pattern of Object.keys(table.patterns ?? {})) {
      const owner = owners.get(pattern);
      if (owner !== undefined) {
        const message = `${owner} has a pattern '${pattern}' too, and a name means one thing in a system`;
        error(`tables.${name}.patterns.${pattern}`, message, 'rename one of them');
      }
      owners.set(pattern, name);
    }
  }
  for (const [name, { uses }] of Object.entries(procedures)) {
    for (const pattern of uses.filter((pattern) => !owners.has(pattern))) {
      error(`procedures.${name}.uses`, `'${pattern}' is no pattern of this system`, 'use one that is, or add it');
    }
  }
  return found;
}

/** Whether an entity has an attribute of this name, at any depth that a key reaches. */
function hasAttribute({ entities }: TableDesign, name: string): boolean {
  return Object.values(entities).some(
    ({ attributes, keys = {} }) =>
      attributeAt(attributes, [name]) !== undefined ||
      Object.values(keys).some((text) => template(text).holes.some(({ path }) => path.at(-1) === name)),
  );
}

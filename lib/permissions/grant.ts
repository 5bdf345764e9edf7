import type { Access } from '../blueprint/accesses';
import { systemOfTable } from '../blueprint/clouds';
import type { PatternBlueprint } from '../blueprint/outline';
import { strangeIn } from '../blueprint/policy-characters';
import { namesIn, patternsNamed } from '../blueprint/system';
import { blueprint, type TableBlueprint } from '../blueprint/table';
import { hasParts, literalsOf } from '../blueprint/template-parts';
import { type TenantSystem, tenantPart } from '../blueprint/tenant';
import { suggestion } from '../design/names';
import { counted } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { TenantVariable } from './leading-keys';
import { requestProblems, reservedProblems } from './request-problems';
import { type AccessStatement, statementsOf } from './statements';
import type { TenantSource } from './tenancy';

/** The names of the patterns and procedures to grant, and the limits of the grant. */
export interface GrantRequest {
  /** The system, or a single table, which need not belong to a system. */
  readonly of: SystemDesign | TableDesign;
  /** The table's system, if `of` is a single table. @default - the table belongs to no system */
  readonly system?: SystemDesign;
  readonly names: readonly string[];
  /** Limits the grant to the caller's tenant. @default - all tenants */
  readonly tenant?: TenantSource;
}

/** The permissions that a grant gives on one table. */
export interface TableGrant {
  readonly table: string;
  readonly design: TableDesign;
  readonly patterns: readonly PatternBlueprint[];
  /** The source of the tenant in the policy, and the attribute that contains the tenant. @default - all tenants */
  readonly tenant?: Required<TenantSource>;
  readonly statements: readonly AccessStatement[];
}

/** Thrown if a grant is impossible; lists all the reasons. */
export class GrantError extends Error {
  public override readonly name = 'GrantError';
  public readonly problems: readonly GrantProblem[];

  public constructor(problems: readonly GrantProblem[]) {
    const lines = problems.map(({ path, message, fix }) => `  ${path}: ${message}\n    fix: ${fix}`);
    super([`nothing was granted: ${counted(problems.length, 'problem')}`, ...lines].join('\n'));
    this.problems = problems;
    // Node prints an uncaught error's enumerable fields, but the message already lists the problems.
    Object.defineProperty(this, 'problems', { enumerable: false });
  }
}

export interface GrantProblem {
  /** The part of the request at fault: a pattern, a procedure, a transaction's step, or an option. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * The permissions that the named patterns and procedures need, table by table. Throws a GrantError if a grant is
 * impossible.
 */
export function grantOf(request: GrantRequest): readonly TableGrant[] {
  const { of, names } = request;
  const known = namesIn(of);
  const problems = [...requestProblems(request, known)];
  if (problems.length > 0) throw new GrantError(problems);
  problems.push(...unknownNames(of, names, known), ...reservedProblems(of, names, request.system));
  const grants = patternsNamed(of, names).map(({ table, design, patterns }): TableGrant => {
    const tenant = request.tenant && tenantFor(request, request.tenant);
    problems.push(...patterns.flatMap((pattern) => patternProblems(request, design, pattern, tenant?.attribute)));
    return grantFor({ table, design, patterns, ...(tenant && { tenant }) });
  });
  if (problems.length > 0) throw new GrantError(problems);
  return grants;
}

function unknownNames({ name: of }: GrantRequest['of'], names: readonly string[], known: readonly string[]) {
  return names
    .filter((name) => !known.includes(name))
    .map((path) => ({ path, message: `'${of}' has no pattern or procedure '${path}'`, fix: suggestion(path, known) }));
}

/**
 * Joins two grants on one table, so that one statement allows transactions that combine patterns of both grants.
 * Returns undefined for grants of different designs or with different tenant sources, because such grants must stay
 * separate.
 */
export function joined(a: TableGrant, b: TableGrant): TableGrant | undefined {
  const isSame = a.tenant?.variable === b.tenant?.variable && a.tenant?.attribute === b.tenant?.attribute;
  if (a.design !== b.design || !isSame) return undefined;
  return grantFor({ ...a, patterns: [...new Set([...a.patterns, ...b.patterns])] });
}

function grantFor(grant: Omit<TableGrant, 'statements'>): TableGrant {
  const { design, patterns, tenant } = grant;
  const table = blueprint(design);
  const tenantIn = (access: Access): TenantVariable | undefined => {
    const found = tenant && tenantPart(table, access, { tenant: tenant.attribute });
    if (found === undefined || 'problem' in found) return undefined;
    const { part, natural } = found;
    return { part, variable: (tenant as TenantSource).variable, ...(natural ? {} : { separator: table.separator }) };
  };
  const accesses = patterns.map((pattern) => pattern.accesses);
  return { ...grant, statements: statementsOf(table, accesses, tenantIn) };
}

function tenantFor({ of, system = of as SystemDesign }: GrantRequest, source: TenantSource): Required<TenantSource> {
  const { variable, attribute = system.tenant ?? (variable.split(/[/:]/).at(-1) as string) } = source;
  return { variable, attribute };
}

/** Reports each access that no policy can express, or that no policy can limit to one tenant. */
function patternProblems(
  { of, system: given }: GrantRequest,
  design: TableDesign,
  { name, accesses }: PatternBlueprint,
  tenant: string | undefined,
): readonly GrantProblem[] {
  const system = 'tables' in of ? of : (given ?? systemOfTable(design));
  const table = blueprint(design);
  return accesses.flatMap((access) => {
    const path = access.part === undefined ? name : `${name}.${access.part}`;
    const problem =
      literalProblem(table, access) ??
      (tenant === undefined ? undefined : tenantProblem(table, access, { ...system, tenant }));
    return problem === undefined ? [] : [{ path, ...problem }];
  });
}

/** Reports characters that are not allowed in a policy but occur in a partition's literal text or separator. */
function literalProblem(
  { separator }: TableBlueprint,
  { key, partition }: Access,
): Pick<GrantProblem, 'message' | 'fix'> | undefined {
  for (const { attribute, at } of partition?.slice(0, key?.partitionBy.length) ?? []) {
    const texts = [...literalsOf(at), ...(hasParts(at) ? [separator] : [])];
    const literal = texts.find((text) => strangeIn(text) !== undefined);
    if (literal === undefined) continue;
    const where = literal === separator ? `the separator '${literal}'` : `'${literal}'`;
    const message = `${where} in ${attribute.name} '${at.text}' contains ${strangeIn(literal)}, but IAM accepts only the characters U+0020 to U+00FF`;
    return {
      message,
      fix: `use other characters, such as ${attribute.name}: '${at.text.replace(/[^\u0020-\u00ff]/gu, 'X')}'`,
    };
  }
  return undefined;
}

type Check = typeof import('../check');

/** Explains why no policy can limit an access to one tenant. Returns undefined if a policy can. */
function tenantProblem(
  table: TableBlueprint,
  access: Access,
  system: TenantSystem,
): Pick<GrantProblem, 'message' | 'fix'> | undefined {
  const { tenant } = system;
  const open = "grant the pattern without 'tenant' to a role that may see all tenants";
  if (access.action === 'scan') {
    const message = 'a scan reads the items of all tenants, so no policy can limit it to one tenant';
    return { message, fix: `${open}, or query a key that begins with <${tenant}>` };
  }
  const granted = tenantPart(table, access, system);
  if ('problem' in granted) {
    const fix = `${open}, or use a key that begins with <${tenant}>`;
    return { message: `${granted.problem}, so no policy can limit the pattern to one tenant`, fix };
  }
  // Loads the check on demand, because only grants by tenant need it.
  const { describeLeaks, tenantLeaks }: Check = require('../check');
  const key = table.indexes.find(({ name }) => name === access.index) ?? table.key;
  const [leak, ...more] = tenantLeaks(table, key, granted, system, access.partition ?? []);
  if (leak === undefined) return undefined;
  const { message, fix } = describeLeaks({ table, key, entities: access.entities, granted, tenant }, [leak, ...more]);
  return { message, fix: `${fix}; or ${open}` };
}

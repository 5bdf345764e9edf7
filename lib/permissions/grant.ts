import type { Access } from '../blueprint/accesses';
import type { PatternBlueprint } from '../blueprint/outline';
import { namesIn, patternsNamed } from '../blueprint/system';
import { blueprint, type TableBlueprint } from '../blueprint/table';
import { type TenantSystem, tenantPart } from '../blueprint/tenant';
import { suggestion } from '../design/names';
import { counted } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { TenantVariable } from './leading-keys';
import { requestProblems, reservedProblems } from './request-problems';
import { type AccessStatement, statementsOf } from './statements';
import type { TenantSource } from './tenancy';

/** What to grant: patterns and procedures, by name. */
export interface GrantRequest {
  /** The system, or one table, which need not belong to a system. */
  readonly of: SystemDesign | TableDesign;
  /** The system that a lone table belongs to. @default - none */
  readonly system?: SystemDesign;
  readonly names: readonly string[];
  /** Confines the grant to the caller's tenant. @default - all tenants */
  readonly tenant?: TenantSource;
}

/** What a grant allows on one table. */
export interface TableGrant {
  readonly table: string;
  readonly design: TableDesign;
  readonly statements: readonly AccessStatement[];
}

/** Thrown when a grant cannot be made, with all the reasons. */
export class GrantError extends Error {
  public override readonly name = 'GrantError';
  public readonly problems: readonly GrantProblem[];

  public constructor(problems: readonly GrantProblem[]) {
    const lines = problems.map(({ path, message, fix }) => `  ${path}: ${message}\n    fix: ${fix}`);
    super([`nothing was granted: ${counted(problems.length, 'problem')}`, ...lines].join('\n'));
    this.problems = problems;
  }
}

export interface GrantProblem {
  /** The pattern, procedure or step of a transaction, or the option that is wrong. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

/** What the named patterns and procedures do, table by table. Throws a GrantError if any of them cannot be granted. */
export function grantOf(request: GrantRequest): readonly TableGrant[] {
  const { of, names } = request;
  const known = namesIn(of);
  const problems = [...requestProblems(request, known)];
  if (problems.length > 0) throw new GrantError(problems);
  problems.push(...unknownNames(of, names, known), ...reservedProblems(of, names, request.system));
  const grants = patternsNamed(of, names).map(({ table, design, patterns }): TableGrant => {
    const confinement = request.tenant && confine(request, design, patterns, request.tenant, problems);
    const accesses = patterns.map((pattern) => pattern.accesses);
    return { table, design, statements: statementsOf(blueprint(design), accesses, confinement) };
  });
  if (problems.length > 0) throw new GrantError(problems);
  return grants;
}

function unknownNames({ name: of }: GrantRequest['of'], names: readonly string[], known: readonly string[]) {
  return names
    .filter((name) => !known.includes(name))
    .map((path) => ({ path, message: `'${of}' has no pattern or procedure '${path}'`, fix: suggestion(path, known) }));
}

/** Finds the tenant in every access, and reports the accesses that no policy can hold to one. */
function confine(
  { of, system: given }: GrantRequest,
  design: TableDesign,
  patterns: readonly PatternBlueprint[],
  source: TenantSource,
  problems: GrantProblem[],
): (access: Access) => TenantVariable | undefined {
  const system = 'tables' in of ? of : given;
  const tenant = source.attribute ?? system?.tenant ?? (source.variable.split(/[/:]/).at(-1) as string);
  const context: TenantSystem =
    system?.tenant === tenant
      ? (system as TenantSystem)
      : { ...(system ?? { name: design.name, cloud: 'aws', tables: { [design.name]: design } }), tenant };
  const plan = blueprint(design);
  for (const { name, accesses } of patterns) {
    for (const access of accesses) {
      const problem = tenantProblem(plan, access, context);
      const path = access.part === undefined ? name : `${name}.${access.part}`;
      if (problem !== undefined) problems.push({ path, ...problem });
    }
  }
  return (access) => {
    const found = tenantPart(plan, access, context);
    if ('problem' in found) return undefined;
    const { hole, natural } = found;
    return { hole, variable: source.variable, ...(natural ? {} : { separator: plan.separator }) };
  };
}

type Check = typeof import('../check');

/** Why no policy can hold an access to one tenant; undefined if one can. */
function tenantProblem(
  plan: TableBlueprint,
  access: Access,
  system: TenantSystem,
): Pick<GrantProblem, 'message' | 'fix'> | undefined {
  const { tenant } = system;
  const open = "grant it without 'tenant' to a role that may see all tenants";
  if (access.action === 'scan') {
    const message = 'a scan reads the items of all tenants, so no policy can hold it to one';
    return { message, fix: `${open}, or query a key that begins with <${tenant}>` };
  }
  const granted = tenantPart(plan, access, system);
  if ('problem' in granted) {
    const fix = `${open}, or give it a key that begins with <${tenant}>`;
    return { message: `${granted.problem}, so no policy can hold it to one tenant`, fix };
  }
  // Loaded here, because only grants by tenant need the check.
  const { describeLeaks, tenantLeaks }: Check = require('../check');
  const key = plan.indexes.find(({ name }) => name === access.index) ?? plan.key;
  const [leak, ...more] = tenantLeaks(plan, key, granted, system);
  if (leak === undefined) return undefined;
  const { message, fix } = describeLeaks({ plan, key, entities: access.entities, granted, tenant }, [leak, ...more]);
  return { message, fix: `${fix}; or ${open}` };
}

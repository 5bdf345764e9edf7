import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { namesIn } from '../../lib/blueprint/system';
import { assertSound } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { GrantError, type GrantRequest, grantOf, type TableGrant } from '../../lib/permissions/grant';
import { type Conditions, keyActions, viaDynamoDb } from '../../lib/permissions/policy';
import { optionProblems } from '../../lib/permissions/request-problems';
import type { AccessStatement } from '../../lib/permissions/statements';
import type { TenantSource } from '../../lib/permissions/tenancy';
import { grantTogether } from './grant-statement';
import { warnOfMissingTag } from './tenant-tag';

/** The name of a table's pattern. */
export type GrantablePattern<D extends TableDesign> = keyof NonNullable<D['patterns']> & string;

/** The name of a system's procedure, or of a pattern in any of its tables. */
export type GrantableName<S extends SystemDesign> =
  | { [T in keyof S['tables']]: GrantablePattern<S['tables'][T]> }[keyof S['tables']]
  | (keyof NonNullable<S['procedures']> & string);

export interface GrantOptions {
  /**
   * Limits the grant to the partitions of the caller's tenant. A pattern whose partition key does not contain the
   * tenant is refused.
   * @default - the grant covers all tenants
   */
  readonly tenant?: TenantSource;
}

/** Any table with a design: a `DesignedTable`, an adopted table, a plain CDK table, or a replica. */
export interface GrantableTable<D extends TableDesign = TableDesign> {
  readonly design: D;
  readonly table: Pick<ITable, 'tableArn' | 'env'> & { readonly encryptionKey?: IKey };
  /**
   * The table's system, which defines the tenant.
   * @default - none
   */
  readonly system?: SystemDesign;
  /**
   * The deployed design while a plan is under way; grants also cover what a pattern accesses in this design.
   * @default - grants cover only the table's design
   */
  readonly former?: TableDesign;
  /**
   * The extra requests that a release sends while items move, as a design with a procedure for each write.
   * @default - no item moves
   */
  readonly moving?: SystemDesign;
}

/**
 * Grants a principal only the access that a table's patterns need: the actions that they send, on the table or index
 * that they use, in the partitions that their key templates can produce. If any pattern cannot be granted, throws an
 * error that names all such patterns, and grants nothing.
 */
export function grantPatterns<D extends TableDesign>(
  grantee: IGrantable,
  on: GrantableTable<D>,
  patterns: readonly GrantablePattern<D>[],
  options: GrantOptions = {},
): Grant {
  const { design, system, former, moving } = on;
  assertSound(design);
  const request = { ...checked(options), ...(system === undefined ? {} : { system }) };
  const grants = grantOf({ ...request, of: design, names: patterns });
  if (options.tenant !== undefined) warnOfMissingTag(grantee, options.tenant);
  const beside = formerGrants(request, moving, patterns).filter(({ table }) => table === design.name);
  return granted(grantee, [...grants, ...formerGrants(request, former, patterns), ...beside], () => on.table);
}

/** Like `grantPatterns`, but for patterns and procedures of a whole system. */
export function grantInSystem(
  grantee: IGrantable,
  {
    former,
    moving,
    ...request
  }: Pick<GrantRequest, 'names'> & {
    readonly of: SystemDesign;
    readonly former?: SystemDesign;
    readonly moving?: SystemDesign;
  },
  tables: Readonly<Record<string, Pick<GrantableTable, 'table'>>>,
  options: GrantOptions = {},
): Grant {
  const given = checked(options);
  const others = [former, moving].flatMap((design) => formerGrants(given, design, request.names));
  const grants = [...grantOf({ ...given, ...request }), ...others];
  if (options.tenant !== undefined) warnOfMissingTag(grantee, options.tenant);
  return granted(grantee, grants, (name) => (tables[name] as GrantableTable).table);
}

/** Returns the grants that the patterns with these names need in another design, such as the deployed design. */
function formerGrants(
  request: Pick<GrantRequest, 'tenant' | 'system'>,
  former: SystemDesign | TableDesign | undefined,
  names: readonly string[],
): readonly TableGrant[] {
  if (former === undefined) return [];
  const known = namesIn(former);
  const kept = names.filter((name) => known.includes(name));
  return kept.length === 0 ? [] : grantOf({ ...request, of: former, names: kept });
}

function checked(options: GrantOptions): GrantOptions {
  const problems = optionProblems(options);
  if (problems.length > 0) throw new GrantError(problems);
  return options;
}

function granted(
  grantee: IGrantable,
  grants: readonly TableGrant[],
  tableOf: (name: string) => GrantableTable['table'],
): Grant {
  const keys = new Map<string, { readonly region: string; readonly statements: AccessStatement[] }>();
  const made = grants.flatMap((grant) => {
    const { tableArn, encryptionKey, env } = tableOf(grant.table);
    if (encryptionKey !== undefined) {
      const through = keys.get(encryptionKey.keyArn) ?? { region: env.region, statements: [] };
      through.statements.push(...grant.statements);
      keys.set(encryptionKey.keyArn, through);
    }
    return grantTogether(grantee, grant, tableArn);
  });
  const onKeys = Array.from(keys, ([arn, { region, statements }]) =>
    allow(grantee, keyActions(statements), arn, viaDynamoDb(region)),
  );
  return [...made, ...onKeys].reduce((all, grant) => all.combine(grant));
}

/**
 * Adds statements only to the principal's policy, because in a table's resource policy CDK can name the table only as `*`, which covers every index.
 */
function allow(grantee: IGrantable, actions: readonly string[], arn: string, conditions: Conditions = {}): Grant {
  return Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [arn], conditions: { ...conditions } });
}

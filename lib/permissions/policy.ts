import { literally } from '../blueprint/literal';
import type { TableGrant } from './grant';
import { type AccessStatement, isWrite, limitsOf } from './statements';

/** An IAM policy document. */
export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: string;
  readonly Condition?: Conditions;
}

/** The conditions of a statement: for each operator, the values of each condition key. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** The ARNs and the region of the tables in a grant. */
export interface Place {
  /** The ARN of a table, by its name in the design. */
  tableArn(table: string): string;
  readonly region: string;
  /**
   * The ARN of the customer-managed key that encrypts the tables.
   * @default - AWS manages the key, and callers need no permission for it
   */
  readonly keyArn?: string;
}

/** Returns the policy for grants, for use outside CDK. */
export function policyOf(grants: readonly TableGrant[], place: Place): PolicyDocument {
  const statements = grants.flatMap(({ table, statements }) =>
    statements.map((statement): PolicyStatement => {
      const conditions = conditionsOf(statement);
      return {
        Effect: 'Allow',
        Action: statement.actions,
        Resource: targetArn(place.tableArn(table), statement),
        ...(conditions === undefined ? {} : { Condition: conditions }),
      };
    }),
  );
  return { Version: '2012-10-17', Statement: [...statements, ...keyStatements(grants, place)] };
}

function keyStatements(grants: readonly TableGrant[], { keyArn, region }: Place): readonly PolicyStatement[] {
  if (keyArn === undefined || grants.length === 0) return [];
  const Action = keyActions(grants.flatMap(({ statements }) => statements));
  return [{ Effect: 'Allow', Action, Resource: keyArn, Condition: viaDynamoDb(region) }];
}

/** The ARN of the table, or of one index, but never of all indexes. */
export function targetArn(tableArn: string, { index }: AccessStatement): string {
  return index === undefined ? tableArn : `${tableArn}/index/${index}`;
}

/**
 * The conditions of a statement: every partition of a request must match an allowed pattern and no excluded pattern.
 * The request must have a partition, because `ForAllValues` is also true for an empty set of values. The tenant's id
 * must not contain the separator, because the tenant `a#b` could otherwise reach keys of the tenant `a`.
 */
export function conditionsOf(statement: AccessStatement): Conditions | undefined {
  const limits = limitsOf(statement);
  if (limits.length === 0) return undefined;
  const { tenant } = statement;
  const given = (side: 'like' | 'notLike') =>
    limits.flatMap(({ key, [side]: patterns }) => (patterns === undefined ? [] : [[key, patterns] as const]));
  const [like, notLike] = [given('like'), given('notLike')];
  return {
    ...(like.length > 0 && { 'ForAllValues:StringLike': Object.fromEntries(like) }),
    ...(notLike.length > 0 && { 'ForAllValues:StringNotLike': Object.fromEntries(notLike) }),
    Null: Object.fromEntries(limits.map(({ key }) => [key, 'false'])),
    ...(tenant && { StringNotLike: { [tenant.variable]: `*${literally(tenant.separator)}*` } }),
  };
}

/**
 * The KMS actions that DynamoDB performs on behalf of the caller. Even writes need `kms:Decrypt`, because DynamoDB
 * decrypts the key that encrypts the items.
 */
export function keyActions(statements: readonly AccessStatement[]): readonly string[] {
  return statements.some(isWrite) ? ['kms:Decrypt', 'kms:Encrypt'] : ['kms:Decrypt'];
}

/** The conditions that allow the use of a KMS key only through DynamoDB, and only in the table's region. */
export function viaDynamoDb(region: string): Conditions {
  return { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } };
}

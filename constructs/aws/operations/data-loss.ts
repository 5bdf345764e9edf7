import { CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { Annotations, AspectPriority, Aspects, CfnDeletionPolicy, type CfnResource, Stack } from 'aws-cdk-lib/core';
import type { Construct, IConstruct } from 'constructs';
import type { Environment } from '../../environment';

/**
 * Warns about resources that could lose data in an environment that protects data: a table or a key that is deleted with the stack, or a table
 * without deletion protection. The warnings are computed at synthesis, because a table can change until then.
 */
export function warnOfDataLoss(scope: Construct, environment: Environment): void {
  const visit = (node: IConstruct) => {
    if (CfnGlobalTable.isCfnGlobalTable(node) || CfnTable.isCfnTable(node)) {
      warn(node, environment, "this table's items", isProtected(node));
    } else if (CfnKey.isCfnKey(node)) {
      warn(node, environment, 'all data that this key encrypts, including backups', true);
    }
  };
  Aspects.of(scope).add({ visit }, { priority: AspectPriority.READONLY });
}

function warn(node: CfnResource, { name }: Environment, what: string, isProtected: boolean): void {
  const { deletionPolicy, updateReplacePolicy } = node.cfnOptions;
  const isDeleted = [deletionPolicy, updateReplacePolicy].some(
    (policy) => policy === undefined || policy === CfnDeletionPolicy.DELETE,
  );
  if (isDeleted) {
    Annotations.of(node).addWarningV2(
      'tablewright:data-loss:removal',
      `in environment '${name}', deleting the stack or replacing this resource would lose ${what} (fix: RemovalPolicy.RETAIN, or acknowledge this warning with the reason why no data is lost)`,
    );
  }
  if (!isProtected) {
    Annotations.of(node).addWarningV2(
      'tablewright:data-loss:deletion-protection',
      [
        `in environment '${name}', anyone with permission to delete tables can delete this table with a single request`,
        '(fix: deletionProtection: true, or acknowledge this warning with the reason why no data is lost)',
      ].join(' '),
    );
  }
}

function isProtected(table: CfnGlobalTable | CfnTable): boolean {
  const stack = Stack.of(table);
  const regions: { deletionProtectionEnabled?: unknown }[] = CfnTable.isCfnTable(table)
    ? [table]
    : stack.resolve(table.replicas);
  return regions.every(({ deletionProtectionEnabled }) => stack.resolve(deletionProtectionEnabled) === true);
}

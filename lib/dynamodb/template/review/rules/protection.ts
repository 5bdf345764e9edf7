import { FIXES } from '../fixes';
import { matches, pathOf, tableName } from '../reference';
import type { TemplateRule } from '../rule';
import { type Loose, record, records } from '../shape';
import type { LegibleTable, ReviewedStack } from '../subject';

const ENCRYPTION_NAMES = {
  'aws-owned': 'an AWS-owned key',
  'aws-managed': 'an AWS-managed key',
  'customer-managed': 'a customer-managed key',
};

/** The rules about settings that prevent data loss and unauthorized reads. */
export const protection: readonly TemplateRule[] = [
  {
    id: 'point-in-time-recovery',
    severity: 'error',
    why: 'Without point-in-time recovery, which is off by default, data that a faulty release overwrites or deletes is lost.',
    *check({ table, isGlobal, maker }) {
      if (table.recoveryPeriodInDays > 0) return;
      yield {
        location: isGlobal ? 'Properties.Replicas' : 'Properties.PointInTimeRecoverySpecification',
        message: 'point-in-time recovery is not on in every region',
        fix: FIXES.recovery[maker],
      };
    },
  },
  {
    id: 'encryption',
    severity: 'error',
    why: "A KMS key lets you see who uses it, and your own key also lets you revoke access. DynamoDB's default key allows neither.",
    *check({ table, maker, options: { encryption = 'kms' } }) {
      if (encryption === 'kms' ? table.encryption !== 'aws-owned' : table.encryption === 'customer-managed') return;
      yield {
        location: 'Properties.SSESpecification',
        message: `the table is encrypted with ${ENCRYPTION_NAMES[table.encryption]}`,
        fix: FIXES[encryption === 'kms' ? 'kms' : 'ownKey'][maker],
      };
    },
  },
  {
    id: 'deletion-protection',
    severity: 'error',
    why: 'A single request can delete a table with all its items.',
    *check({ table, isGlobal, maker }) {
      if (table.deletionProtection) return;
      yield {
        location: isGlobal ? 'Properties.Replicas' : 'Properties.DeletionProtectionEnabled',
        message: 'a single request can delete the table',
        fix: FIXES.deletion[maker],
      };
    },
  },
  {
    id: 'retention',
    severity: 'error',
    why: 'A table that is not retained is deleted with its stack, or by a change that replaces it.',
    *check({ resource, maker }) {
      for (const policy of ['DeletionPolicy', 'UpdateReplacePolicy'] as const) {
        const value = resource[policy];
        if (value?.startsWith('Retain') === true) continue;
        const when = policy === 'DeletionPolicy' ? 'its stack is deleted' : 'a change replaces it';
        yield { location: policy, message: `the table is deleted when ${when}`, fix: FIXES.retention[maker] };
      }
    },
  },
  {
    id: 'backup-coverage',
    severity: 'warning',
    why: 'Point-in-time recovery reaches back 35 days and ends with the table; a backup plan reaches further back and outlives the table.',
    *check(table) {
      if (table.app.some((stack) => selections(stack).some((selection) => covers(selection, stack, table)))) return;
      yield {
        location: 'Properties',
        message: 'no backup plan of this app selects the table',
        fix: FIXES.backup[table.maker],
      };
    },
  },
  {
    id: 'tls-only',
    severity: 'warning',
    why: 'DynamoDB also accepts unencrypted HTTP; only a resource policy on the table refuses HTTP for every caller.',
    *check({ table, isGlobal, maker }) {
      if (table.tlsOnly) return;
      yield {
        location: isGlobal ? 'Properties.Replicas' : 'Properties.ResourcePolicy',
        message: 'the table accepts unencrypted connections',
        fix: FIXES.tls[maker],
      };
    },
  },
];

function selections({ template }: ReviewedStack): readonly Loose[] {
  return Object.values(template.Resources ?? {})
    .filter(({ Type }) => Type === 'AWS::Backup::BackupSelection')
    .map(({ Properties }) => record(Properties?.BackupSelection));
}

function covers({ Resources, NotResources, ListOfTags }: Loose, stack: ReviewedStack, table: LegibleTable): boolean {
  const name = `table/${tableName(table)}`;
  const names = (resources: unknown) =>
    [resources].flat().some((resource) => matches(pathOf(resource, stack, table.app) ?? '', name));
  if (names(NotResources)) return false;
  const tags = records(table.properties.Tags ?? table.properties.Replicas?.[0]?.Tags);
  const isTagged = records(ListOfTags).some(({ ConditionKey, ConditionValue }) =>
    tags.some(({ Key, Value }) => Key === ConditionKey && Value === ConditionValue),
  );
  return names(Resources) || isTagged;
}

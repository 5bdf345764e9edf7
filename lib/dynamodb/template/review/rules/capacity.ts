import { FIXES } from '../fixes';
import { matches, tableName, textOf } from '../reference';
import type { TemplateRule } from '../rule';
import { indexesOf, type LegibleTable } from '../subject';

/** The rules about capacity, streams and local indexes. */
export const capacity: readonly TemplateRule[] = [
  {
    id: 'fixed-capacity',
    severity: 'warning',
    why: 'A table with fixed capacity is throttled at the first peak, and costs money even at night.',
    *check(under) {
      if (under.table.billing === 'on-demand') return;
      const fix = FIXES.onDemand[under.maker];
      if (under.isGlobal) {
        const isFixed = (under.properties.Replicas ?? []).some(
          ({ ReadProvisionedThroughputSettings: read }) => read?.ReadCapacityAutoScalingSettings === undefined,
        );
        if (isFixed) yield { location: 'Properties.Replicas', message: 'the read capacity does not scale', fix };
        return;
      }
      for (const path of [
        '',
        ...(under.properties.GlobalSecondaryIndexes ?? []).map((index) => `/index/${index.IndexName}`),
      ]) {
        const missing = ['Read', 'Write'].filter((kind) => !isScaled(under, path, kind));
        if (missing.length === 0) continue;
        const what = path === '' ? 'the table' : path.replace('/index/', 'index ');
        const message = `${missing.join(' and ').toLowerCase()} capacity of ${what} does not scale`;
        yield { location: 'Properties.BillingMode', message, fix };
      }
    },
  },
  {
    id: 'stream',
    severity: 'error',
    why: 'DynamoDB replicates through a stream of new and old images, and CloudFormation requires that stream.',
    *check({ properties, isGlobal, maker }) {
      const { Replicas = [], StreamSpecification, MultiRegionConsistency } = properties;
      if (!isGlobal || Replicas.length < 2 || MultiRegionConsistency === 'STRONG') return;
      if (StreamSpecification?.StreamViewType === 'NEW_AND_OLD_IMAGES') return;
      yield {
        location: 'Properties.StreamSpecification',
        message: `${Replicas.length} regions, but the stream is ${StreamSpecification?.StreamViewType ?? 'off'}`,
        fix:
          maker === 'CfnGlobalTable'
            ? "streamSpecification: { streamViewType: 'NEW_AND_OLD_IMAGES' }"
            : 'dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES',
      };
    },
  },
  {
    id: 'local-index',
    severity: 'warning',
    why: 'A local index limits every partition of the table to 10 GB, and can never be removed.',
    *check(under) {
      for (const { location, IndexName } of indexesOf(under)) {
        if (!location.includes('Local')) continue;
        const message = `'${IndexName}' limits every partition to 10 GB for as long as the table exists`;
        yield { location, message, fix: 'use a global secondary index' };
      }
    },
  },
];

/** Whether the app scales the read or write capacity (`kind`) of a table or of one of its indexes. */
function isScaled(under: LegibleTable, path: string, kind: string): boolean {
  const dimension = `dynamodb:${path === '' ? 'table' : 'index'}:${kind}CapacityUnits`;
  return under.app.some((stack) =>
    Object.values(stack.template.Resources ?? {}).some(
      ({ Type, Properties }) =>
        Type === 'AWS::ApplicationAutoScaling::ScalableTarget' &&
        Properties?.ScalableDimension === dimension &&
        matches(textOf(Properties.ResourceId, stack, under.app), `table/${tableName(under)}${path}`),
    ),
  );
}

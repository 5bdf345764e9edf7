import { counted } from '../design/show';
import { type Loose, record, records } from '../dynamodb/template/review/shape';
import type { TemplateJson } from '../dynamodb/template/tables';
import { type Cost, cents, HOURS } from './cost';
import { type AwsPrices, listed, PRICES } from './prices';

/**
 * Itemizes the costs of the tables in a template, including encryption keys, alarms, insights and backups. Fixed costs
 * come first.
 */
export function awsCosts({ Resources = {} }: TemplateJson, prices: AwsPrices = PRICES.aws): readonly Cost[] {
  const ofType = (type: string) =>
    Object.values(Resources).flatMap(({ Type, Properties }) => (Type === type ? [record(Properties)] : []));
  const tables = ofType('AWS::DynamoDB::GlobalTable');
  const costs = [
    ...keys(ofType('AWS::KMS::Key'), prices),
    ...alarms(ofType('AWS::CloudWatch::Alarm'), prices),
    ...dashboards(ofType('AWS::CloudWatch::Dashboard'), prices),
    ...insights(tables, prices),
    ...provisioned(tables, prices),
    ...onDemand(tables, prices),
    ...stored(tables, prices),
    ...backups(ofType('AWS::Backup::BackupPlan'), prices),
  ];
  return [...costs.filter(({ monthly }) => monthly > 0), ...costs.filter(({ monthly }) => monthly === 0)];
}

function keys(made: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  if (made.length === 0) return [];
  const [month, rotation, requests] = [prices.key, prices.keyRotation, prices.keyRequests10k].map(listed);
  const price = `${month} per key per month, ${rotation} more after each of its first two rotations; ${requests} per 10,000 requests`;
  return [{ part: counted(made.length, 'customer-managed key'), monthly: made.length * prices.key, price }];
}

/** CloudWatch charges per metric, not per alarm. */
function alarms(made: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  if (made.length === 0) return [];
  const metrics = made
    .map(({ Metrics }) => records(Metrics).filter((metric) => 'MetricStat' in metric).length || 1)
    .reduce((sum, n) => sum + n, 0);
  const part = `${counted(made.length, 'alarm')} with ${counted(metrics, 'metric')}`;
  return [
    { part, monthly: cents(metrics * prices.alarmMetric), price: `${listed(prices.alarmMetric)} per metric per month` },
  ];
}

function dashboards(made: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  if (made.length === 0) return [];
  const price = `${listed(prices.dashboard)} per dashboard per month; the first three in an account are free`;
  return [{ part: counted(made.length, 'dashboard'), monthly: made.length * prices.dashboard, price }];
}

/**
 * Each table and index has one rule for its partition key. A sort key adds a second rule, for both keys together.
 * Watching all keys, instead of only the throttled keys, doubles the number of rules.
 */
function insights(tables: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  const rules = tables.flatMap((table) =>
    records(table.Replicas).flatMap((replica) =>
      [replica, ...records(replica.GlobalSecondaryIndexes)].map((watched) => {
        const { Enabled, Mode } = record(watched.ContributorInsightsSpecification);
        if (Enabled !== true) return 0;
        return schemaOf(table, watched).length * (Mode === 'THROTTLED_KEYS' ? 1 : 2);
      }),
    ),
  );
  const sum = rules.reduce((all, n) => all + n, 0);
  if (sum === 0) return [];
  const part = `contributor insights with ${counted(sum, 'rule')}`;
  const price = `${listed(prices.insightsRule)} per rule per month, ${listed(prices.insightsEventsMillion)} per million events`;
  return [{ part, monthly: cents(sum * prices.insightsRule), price }];
}

function schemaOf(table: Loose, { IndexName }: Loose): readonly Loose[] {
  const index = records(table.GlobalSecondaryIndexes).find((candidate) => candidate.IndexName === IndexName);
  return records((IndexName === undefined ? table : index)?.KeySchema);
}

/** Adds up the minimum provisioned capacity of tables and indexes, each of which has its own. */
function provisioned(tables: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  const fixed = tables.filter(({ BillingMode }) => BillingMode !== 'PAY_PER_REQUEST');
  if (fixed.length === 0) return [];
  const units = (places: readonly Loose[], kind: 'Read' | 'Write') =>
    places.reduce((sum, place) => {
      const settings = record(place[`${kind}ProvisionedThroughputSettings`]);
      const scaled = record(settings[`${kind}CapacityAutoScalingSettings`]);
      return sum + Number(scaled.MinCapacity ?? settings[`${kind}CapacityUnits`] ?? 0);
    }, 0);
  const reads = fixed.flatMap(({ Replicas }) =>
    records(Replicas).flatMap((replica) => [replica, ...records(replica.GlobalSecondaryIndexes)]),
  );
  const writes = fixed.flatMap((table) => {
    const regions = records(table.Replicas).length;
    return Array.from({ length: regions }, () => [table, ...records(table.GlobalSecondaryIndexes)]).flat();
  });
  const [read, write] = [units(reads, 'Read'), units(writes, 'Write')];
  return [
    {
      part: `${counted(fixed.length, 'table')} with at least ${counted(read, 'read unit')} and ${counted(write, 'write unit')}, indexes included`,
      monthly: cents(HOURS * (read * prices.readUnitHour + write * prices.writeUnitHour)),
      price: `${listed(prices.readUnitHour)} per read unit per hour, ${listed(prices.writeUnitHour)} per write unit per hour`,
    },
  ];
}

function onDemand(tables: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  const made = tables.filter(({ BillingMode }) => BillingMode === 'PAY_PER_REQUEST');
  if (made.length === 0) return [];
  const part = `${counted(made.length, 'table')} on demand`;
  const [reads, writes] = [prices.readUnitsMillion, prices.writeUnitsMillion].map(listed);
  return [{ part, monthly: 0, price: `${reads} per million read units, ${writes} per million write units` }];
}

function stored(tables: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  const regions = tables.flatMap(({ Replicas }) => records(Replicas));
  const isOn = ({ PointInTimeRecoverySpecification: recovery }: Loose) =>
    record(recovery).PointInTimeRecoveryEnabled === true;
  const copies = tables.flatMap(({ Replicas }) => records(Replicas).slice(1));
  return [
    ...(regions.length === 0
      ? []
      : [{ part: 'storage', monthly: 0, price: `${listed(prices.storageGb)} per GB per month, indexes included` }]),
    ...(regions.some(isOn)
      ? [{ part: 'point-in-time recovery', monthly: 0, price: `${listed(prices.recoveryGb)} per GB per month` }]
      : []),
    ...(copies.length === 0
      ? []
      : [
          {
            part: counted(copies.length, 'copy in another region', 'copies in other regions'),
            monthly: 0,
            price: `the same price again for every write and every GB, plus ${listed(prices.transferGb)} per GB between regions`,
          },
        ]),
  ];
}

const DAYS_BETWEEN = { daily: 1, weekly: 7, monthly: 365 / 12 } as const;

/** Each backup of a table is a full copy, so the cost depends on how many backups exist at the same time. */
function backups(plans: readonly Loose[], prices: AwsPrices): readonly Cost[] {
  const rules = plans.flatMap((plan) => records(record(plan.BackupPlan).BackupPlanRule));
  if (rules.length === 0) return [];
  const copies = rules.map(({ RuleName, Lifecycle }) => {
    const { DeleteAfterDays, MoveToColdStorageAfterDays: cold } = record(Lifecycle);
    const every = DAYS_BETWEEN[RuleName as keyof typeof DAYS_BETWEEN] ?? 1;
    const all = Math.round(Number(DeleteAfterDays) / every);
    const warm = cold === undefined ? all : Math.round(Number(cold) / every);
    return { warm, cold: all - warm };
  });
  const warm = copies.reduce((sum, copy) => sum + copy.warm, 0);
  const cold = copies.reduce((sum, copy) => sum + copy.cold, 0);
  const each = cents(warm * prices.warmBackupGb + cold * prices.coldBackupGb).toFixed(2);
  const part = `backups, ${warm} warm${cold === 0 ? '' : ` and ${cold} cold`} at a time`;
  const [hot, frozen] = [prices.warmBackupGb, prices.coldBackupGb].map(listed);
  return [{ part, monthly: 0, price: `$${each} a month for each GB of the tables (${hot} warm, ${frozen} cold)` }];
}

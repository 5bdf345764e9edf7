import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { App, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { DesignedSystem, DesignedTable, type DesignedTableProps } from '../../../../constructs/aws';
import { AccountAlarms, type Operation, TableAlarms } from '../../../../constructs/aws/operations';
import { environments } from '../../../../constructs/environment';
import { defineTable } from '../../../../lib';
import { blog, booking, systemsOf, trimobe } from '../../../../lib/systems';

const orders = defineTable({
  name: 'orders',
  key: { partition: 'PK' },
  indexes: { byDay: { partition: 'day' } },
  ttl: 'expires',
  entities: {
    Order: {
      attributes: z.object({ id: z.string(), day: z.iso.date(), expires: z.int() }),
      keys: { PK: 'ORDER#<id>' },
    },
  },
  patterns: {
    getOrder: { op: 'get', where: { PK: 'ORDER#<id>' }, returns: ['Order'] },
    ordersOfDay: { op: 'query', index: 'byDay', where: { day: '<day>' }, returns: ['Order'] },
    putOrder: { op: 'put', entity: 'Order' },
  },
});

interface Alarm {
  AlarmName?: string;
  AlarmDescription: string;
  Metrics?: { Expression?: string; MetricStat?: { Metric: Metric; Period: number; Stat: string } }[];
  MetricName?: string;
  Dimensions?: Metric['Dimensions'];
  Threshold: number;
  TreatMissingData: string;
  EvaluationPeriods: number;
  AlarmActions?: unknown[];
  OKActions?: unknown[];
}

interface Metric {
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

function alarmsOf(make: (stack: Stack) => void): Alarm[] {
  const stack = new Stack(new App(), 'Test');
  make(stack);
  return Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm')).map((one) => one.Properties);
}

const designed = (props: Partial<DesignedTableProps> = {}) =>
  alarmsOf((stack) => new DesignedTable(stack, 'Orders', { design: orders, tableName: 'shop-prod-orders', ...props }));

const metricsOf = ({ Metrics = [] }: Alarm) => Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
const named = (alarms: Alarm[], end: string) => {
  const found = alarms.filter(({ AlarmName }) => AlarmName?.endsWith(end));
  expect(found).toHaveLength(1);
  return found[0] as Alarm;
};

describe('a table in prod', () => {
  test('a table in prod has alarms for throttling (by cause and index), errors, latency (by operation), expiry and backups', () => {
    expect(designed().map(({ AlarmName }) => AlarmName)).toEqual([
      'shop-prod-orders-throttles-hot-partition',
      'shop-prod-orders-throttles-account-limit',
      'shop-prod-orders-byDay-throttles-hot-partition',
      'shop-prod-orders-byDay-throttles-account-limit',
      'shop-prod-orders-system-errors',
      'shop-prod-orders-latency-GetItem',
      'shop-prod-orders-latency-Query',
      'shop-prod-orders-latency-PutItem',
      'shop-prod-orders-expiry-stalled',
      'shop-prod-orders-backups-failed',
    ]);
  });

  test('a throttling alarm adds up throttled reads and writes; a table and each of its indexes have separate alarms', () => {
    const [table, index] = ['orders-throttles-hot-partition', 'byDay-throttles-hot-partition'].map((end) =>
      metricsOf(named(designed(), end)),
    );
    const names = ['ReadKeyRangeThroughputThrottleEvents', 'WriteKeyRangeThroughputThrottleEvents'];
    expect(table?.map(({ MetricName }) => MetricName)).toEqual(names);
    expect(index?.map(({ MetricName }) => MetricName)).toEqual(names);
    expect(table?.[0]?.Dimensions).toEqual([{ Name: 'TableName', Value: { Ref: expect.any(String) } }]);
    expect(index?.[0]?.Dimensions).toEqual([
      { Name: 'GlobalSecondaryIndexName', Value: 'byDay' },
      { Name: 'TableName', Value: { Ref: expect.any(String) } },
    ]);
  });

  test('a table with a request limit has alarms for that limit', () => {
    expect(designed({ maxReadRequestUnits: 100 }).map(({ AlarmName }) => AlarmName)).toEqual(
      expect.arrayContaining(['shop-prod-orders-throttles-own-limit', 'shop-prod-orders-byDay-throttles-own-limit']),
    );
  });

  test('a table has error and latency alarms only for the operations that its patterns use', () => {
    const alarms = designed();
    const operations = metricsOf(named(alarms, 'system-errors')).map(({ Dimensions }) => Dimensions?.[0]);
    expect(operations).toEqual(['GetItem', 'Query', 'PutItem'].map((Value) => ({ Name: 'Operation', Value })));
    expect(named(alarms, 'latency-Query')).toMatchObject({
      MetricName: 'SuccessfulRequestLatency',
      Statistic: 'Average',
      Dimensions: [{ Name: 'Operation', Value: 'Query' }, { Name: 'TableName' }],
    });
  });

  test('an alarm reports a week in which items are written every day but none expires', () => {
    const { Metrics, EvaluationPeriods } = named(designed(), 'expiry-stalled');
    expect(Metrics?.[0]?.Expression).toBe('IF(FILL(written, 0) > 0 AND FILL(expired, 0) < 1, 1, 0)');
    expect(Metrics?.slice(1).map(({ MetricStat }) => MetricStat?.Period)).toEqual([86_400, 86_400]);
    expect(EvaluationPeriods).toBe(7);
  });

  test('alarms treat missing data as not breaching, since DynamoDB sends most metrics only when there is something to count', () => {
    expect(new Set(designed().map(({ TreatMissingData }) => TreatMissingData))).toEqual(new Set(['notBreaching']));
  });

  test('CloudFormation generates the alarm names if the table name is too long', () => {
    const names = designed({ tableName: 'o'.repeat(250) }).filter(({ AlarmName }) => AlarmName !== undefined);
    expect(names).toEqual([]);
  });

  test('CloudFormation generates the alarm names if it also generates the table name', () => {
    expect(designed({ tableName: undefined }).filter(({ AlarmName }) => AlarmName !== undefined)).toEqual([]);
  });

  test('a design without expiry has no alarm for expiry', () => {
    const { ttl: _, ...design } = orders;
    expect(designed({ design }).filter(({ AlarmName }) => AlarmName?.includes('expiry'))).toEqual([]);
  });
});

describe('a missed backup', () => {
  test('an alarm reports a missed backup within the hour, whether the backup failed, never started or was stopped', () => {
    const alarm = named(
      alarmsOf((stack) => new DesignedSystem(stack, 'S', { design: trimobe })),
      'trimobe-prod-backups-failed',
    );
    expect(alarm).toMatchObject({ Threshold: 0, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
    expect(metricsOf(alarm).map(({ MetricName }) => MetricName)).toEqual([
      'NumberOfBackupJobsFailed',
      'NumberOfBackupJobsExpired',
      'NumberOfBackupJobsAborted',
    ]);
    expect(metricsOf(alarm)[0]).toMatchObject({
      Namespace: 'AWS/Backup',
      Dimensions: [
        { Name: 'BackupVaultName', Value: { 'Fn::GetAtt': [expect.stringMatching(/Vault/), 'BackupVaultName'] } },
      ],
    });
  });
});

describe('an environment', () => {
  test('the environment dev has no alarms', () => {
    expect(designed({ environment: 'dev' })).toEqual([]);
  });

  test.each([environments.staging, environments.prod])(
    'the environment $name has its own thresholds',
    (environment) => {
      const alarms = designed({ environment });
      const { throttles, systemErrors, latency, periods } = environment.alarms as Exclude<
        typeof environment.alarms,
        'none'
      >;
      expect(named(alarms, 'orders-throttles-account-limit').Threshold).toBe(throttles);
      expect(named(alarms, 'system-errors').Threshold).toBe(systemErrors);
      expect(named(alarms, 'latency-GetItem')).toMatchObject({ Threshold: latency, EvaluationPeriods: periods });
    },
  );
});

describe('a topic', () => {
  test('alarms notify the topic when they fire and when they recover', () => {
    const alarms = alarmsOf((stack) => {
      new DesignedTable(stack, 'Orders', { design: orders, alarmTopic: new Topic(stack, 'Topic') });
    });
    expect(alarms).toHaveLength(10);
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: 'TopicBFC7AF6E' }]);
      expect(OKActions).toEqual(AlarmActions);
    }
  });

  test('alarms have no topic by default', () => {
    expect(designed().filter(({ AlarmActions }) => AlarmActions !== undefined)).toEqual([]);
  });
});

describe('a system', () => {
  const system = (props = {}) => alarmsOf((stack) => new DesignedSystem(stack, 'S', { design: trimobe, ...props }));

  test('a system has one alarm for user errors, since CloudWatch counts these errors only per account', () => {
    const found = system().filter(({ MetricName }) => MetricName === 'UserErrors');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ AlarmName: 'trimobe-prod-user-errors', Threshold: 50 });
    expect(found[0]?.Dimensions).toBeUndefined();
  });

  test("all of a system's alarms notify the same topic", () => {
    const alarms = alarmsOf((stack) => {
      new DesignedSystem(stack, 'S', { design: trimobe, alarmTopic: new Topic(stack, 'Topic') });
    });
    expect(alarms).toHaveLength(system().length);
    expect(alarms.filter(({ AlarmActions }) => AlarmActions?.length !== 1)).toEqual([]);
  });

  test('a system creates no alarms for an adopted table, whose owner is responsible for alarms', () => {
    const names = system({ adopt: { Users: { tableName: 'live-users' } } }).map(({ AlarmName }) => AlarmName);
    expect(names.filter((name) => name?.includes('Users'))).toEqual([]);
    expect(names).toContain('trimobe-prod-Tenants-system-errors');
  });

  test.each(systemsOf('aws'))(
    'the system $name has at most ten metrics per alarm, and unique alarm names',
    (design) => {
      const alarms = alarmsOf((stack) => new DesignedSystem(stack, 'S', { design }));
      expect(alarms.filter((alarm) => metricsOf(alarm).length > 10)).toEqual([]);
      expect(new Set(alarms.map(({ AlarmName }) => AlarmName)).size).toBe(alarms.length);
    },
  );
});

test('a system has the number of alarms that the docs state', () => {
  const counts = [blog, booking].map((design) => {
    const alarms = alarmsOf((stack) => new DesignedSystem(stack, 'S', { design }));
    return [alarms.length, alarms.reduce((sum, alarm) => sum + (metricsOf(alarm).length || 1), 0)];
  });
  const text = readFileSync(join(__dirname, '../../../../docs/guides/operations.md'), 'utf8');
  const said =
    /blog has (\d+) alarms with (\d+) metrics; booking, with its seven tables, has (\d+) alarms with (\d+)/.exec(
      text.replaceAll('\n', ' '),
    );
  expect(said?.slice(1).map(Number)).toEqual(counts.flat());
});

describe('alarms outside a system', () => {
  test('alarms can monitor a table that was created without this library, including its indexes and operations', () => {
    const alarms = alarmsOf((stack) => {
      const partitionKey = { name: 'id', type: AttributeType.STRING };
      const table = new TableV2(stack, 'Table', { partitionKey });
      new TableAlarms(stack, 'Alarms', { table: { table, indexes: ['GSI1'], operations: ['Scan'] }, name: 'legacy' });
    });
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual([
      'legacy-throttles-hot-partition',
      'legacy-throttles-account-limit',
      'legacy-GSI1-throttles-hot-partition',
      'legacy-GSI1-throttles-account-limit',
      'legacy-system-errors',
      'legacy-latency-Scan',
    ]);
  });

  test('more than ten operations are spread over several alarms of at most ten metrics each', () => {
    const operations = Array.from({ length: 11 }, (_, i) => `Operation${i}` as Operation);
    const alarms = alarmsOf((stack) => {
      const table = new Table(stack, 'Table', { partitionKey: { name: 'id', type: AttributeType.STRING } });
      new TableAlarms(stack, 'Alarms', { table: { table, operations }, name: 'old', causes: ['provisioned'] });
    });
    expect(alarms.filter(({ AlarmName }) => AlarmName?.includes('system')).map((one) => metricsOf(one).length)).toEqual(
      [10, 1],
    );
    expect(alarms.map(({ AlarmName }) => AlarmName)).toContain('old-throttles-provisioned');
  });

  test("an account's alarms use prod's thresholds by default", () => {
    const thresholds = { ...(environments.prod.alarms as object), userErrors: 7 } as never;
    const given = alarmsOf((stack) => {
      new AccountAlarms(stack, 'A');
      new AccountAlarms(stack, 'B', { thresholds });
    });
    expect(given.map(({ Threshold }) => Threshold)).toEqual([50, 7]);
  });
});

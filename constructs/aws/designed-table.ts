import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { assertSound } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Evolution } from '../../lib/evolve';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';
import { type AlarmTopic, assertTopic } from './alarm-topic';
import { settle, stageOfTable } from './evolution';
import { type GrantablePattern, type GrantOptions, grantPatterns } from './grants';
import { alarmsOf, backupOf, guardData } from './operate';
import type { TableAlarms } from './operations/alarms';
import type { TableBackup } from './operations/backup';
import { acknowledgeNoBackup, acknowledgeRelaxed } from './relaxed';
import { keepPolicyFromReplicas, warnOfOpenReplicas } from './replicas';
import { assertDeployable, assertTableName, type TableOptions, tableProps } from './table-props';
import { warnOfTable } from './warnings';

/** A table with its design, whether this app makes it or it was there before. */
export interface IDesignedTable<D extends TableDesign = TableDesign> {
  readonly design: D;
  /** The underlying table, for anything this construct does not offer. */
  readonly table: ITableV2;
  /** The system it belongs to. */
  readonly system?: SystemDesign;
  /** Lets a principal do exactly what these patterns do. */
  grantPattern(grantee: IGrantable, pattern: GrantablePattern<D>, ...more: readonly GrantablePattern<D>[]): Grant;
  /** The same with options, such as the confinement to one tenant. */
  grantPatterns(grantee: IGrantable, patterns: readonly GrantablePattern<D>[], options?: GrantOptions): Grant;
}

export interface DesignedTableProps<D extends TableDesign = TableDesign> extends TableOptions {
  readonly design: D;
  /**
   * How it is protected, encrypted and watched.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment;
  /**
   * The key that encrypts the table, where the environment uses customer-managed keys.
   * @default - a key of the table's own
   */
  readonly encryptionKey?: IKey;
  /**
   * The system it belongs to, which says what the tenant is.
   * @default - none
   */
  readonly system?: SystemDesign;
  /**
   * Who is told when an alarm goes off, where the environment has alarms.
   * @default - nobody
   */
  readonly alarmTopic?: AlarmTopic;
  /**
   * What is deployed, and the step of the plan that leads from it to the design.
   * @default - the design is synthesized as it is, whatever is deployed
   */
  readonly evolution?: Evolution;
}

/** The table of a design. */
export class DesignedTable<D extends TableDesign = TableDesign> extends Construct implements IDesignedTable<D> {
  public readonly design: D;
  /** The underlying table, for anything this construct does not offer. */
  public readonly table: TableV2;
  public readonly system?: SystemDesign;
  /** Its design as it is deployed, while a plan is under way: grants are for both. */
  public readonly former?: TableDesign;
  /** Its alarms, where the environment has them. */
  public readonly alarms?: TableAlarms;
  /** Its backups, where the environment has them and it is not a system's, which backs up all its tables. */
  public readonly backup?: TableBackup;

  public constructor(scope: Construct, id: string, props: DesignedTableProps<D>) {
    const environment = environmentOf(props.environment);
    assertSound(props.design);
    const { region } = Stack.of(scope);
    assertDeployable(props.design, environment, props, region);
    assertTopic('alarmTopic', props.alarmTopic, region);
    const stage = stageOfTable(props, environment);
    super(scope, id);
    keepPolicyFromReplicas(this);
    this.design = props.design;
    if (props.system !== undefined) this.system = props.system;
    const key =
      environment.encryption === 'customer-managed'
        ? (props.encryptionKey ?? encryptionKey(this, props.design.name, environment))
        : undefined;
    this.table = new TableV2(this, 'Default', tableProps(props.design, environment, props, key, stage?.resources));
    if (stage !== undefined) settle(this.table, stage, props.tableName);
    if (stage?.former !== undefined) this.former = stage.former;
    this.alarms = alarmsOf(this, environment, props);
    const backup = { name: props.tableName, topic: props.alarmTopic, encryptionKey: key };
    this.backup = backupOf(this, [this.table], environment, backup);
    guardData(this, environment);
    acknowledgeRelaxed(this, environment);
    if (props.system === undefined) acknowledgeNoBackup(this, environment);
    warnOfOpenReplicas(this, environment, props);
    warnOfTable(this, props.design);
  }

  public grantPattern(
    grantee: IGrantable,
    pattern: GrantablePattern<D>,
    ...more: readonly GrantablePattern<D>[]
  ): Grant {
    return grantPatterns(grantee, this, [pattern, ...more]);
  }

  public grantPatterns(grantee: IGrantable, patterns: readonly GrantablePattern<D>[], options?: GrantOptions): Grant {
    return grantPatterns(grantee, this, patterns, options);
  }
}

/** A rotated key that goes and stays with the data it encrypts. */
export function encryptionKey(scope: Construct, design: string, environment: Environment): Key {
  return new Key(scope, 'Key', {
    description: `Encrypts the tables of ${design} (${environment.name})`,
    enableKeyRotation: true,
    removalPolicy: environment.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

export interface AdoptedTableProps<D extends TableDesign = TableDesign> {
  readonly design: D;
  readonly tableName: string;
  /** @default - the table is not encrypted with a customer-managed key */
  readonly encryptionKey?: IKey;
  /**
   * The system it belongs to, which says what the tenant is.
   * @default - none
   */
  readonly system?: SystemDesign;
}

/** The table of a design that exists already: not made here, but good for everything else. */
export class AdoptedTable<D extends TableDesign = TableDesign> extends Construct implements IDesignedTable<D> {
  public readonly design: D;
  public readonly table: ITableV2;
  public readonly system?: SystemDesign;

  public constructor(scope: Construct, id: string, { design, tableName, encryptionKey, system }: AdoptedTableProps<D>) {
    assertSound(design);
    assertTableName('tableName', tableName);
    super(scope, id);
    this.design = design;
    if (system !== undefined) this.system = system;
    this.table = TableV2.fromTableAttributes(this, 'Default', {
      tableName,
      ...(encryptionKey === undefined ? {} : { encryptionKey }),
      globalIndexes: Object.keys(design.indexes ?? {}),
    });
    warnOfTable(this, design);
  }

  public grantPattern(
    grantee: IGrantable,
    pattern: GrantablePattern<D>,
    ...more: readonly GrantablePattern<D>[]
  ): Grant {
    return grantPatterns(grantee, this, [pattern, ...more]);
  }

  public grantPatterns(grantee: IGrantable, patterns: readonly GrantablePattern<D>[], options?: GrantOptions): Grant {
    return grantPatterns(grantee, this, patterns, options);
  }
}

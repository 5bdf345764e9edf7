import { type ITableV2, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { EventSourceMapping, IFunction } from 'aws-cdk-lib/aws-lambda';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { assertSound } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Evolution } from '../../lib/evolve';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';
import { type AlarmTopic, assertTopic } from './alarm-topic';
import { type Deployment, deploymentOf } from './evolution';
import { freeText } from './free-text';
import { globalIndexes } from './global-indexes';
import { type GrantablePattern, type GrantOptions, grantPatterns } from './grants';
import { type ConsumerOptions, onChange } from './on-change';
import { alarmsOf, backupOf, guardData, watchConsumer } from './operate';
import type { TableAlarms } from './operations/alarms';
import type { TableBackup } from './operations/backup';
import { acknowledgeNoBackup, acknowledgeRelaxed } from './relaxed';
import { keepPolicyFromReplicas, warnOfOpenReplicas } from './replicas';
import { assertDeployable, assertTableName, type TableOptions, tableProps } from './table-props';
import { warnOfTable } from './warnings';

/** A table with its design. Either this app creates the table, or the table exists already. */
export interface IDesignedTable<D extends TableDesign = TableDesign> {
  readonly design: D;
  /** The underlying table, for features that this construct does not offer. */
  readonly table: ITableV2;
  /** The system that the table belongs to. */
  readonly system?: SystemDesign;
  /** Grants a principal exactly the permissions that these patterns need. */
  grantPattern(grantee: IGrantable, pattern: GrantablePattern<D>, ...more: readonly GrantablePattern<D>[]): Grant;
  /** Like `grantPattern`, but with options, such as a limit to one tenant. */
  grantPatterns(grantee: IGrantable, patterns: readonly GrantablePattern<D>[], options?: GrantOptions): Grant;
  /**
   * Calls a function with the changes to these entities. Changes to other entities are filtered out if the keys tell
   * the entities apart.
   */
  onChange(fn: IFunction, entities: readonly EntityName<D>[], options?: ConsumerOptions): EventSourceMapping;
}

type EntityName<D extends TableDesign> = keyof D['entities'] & string;

export interface DesignedTableProps<D extends TableDesign = TableDesign> extends TableOptions {
  readonly design: D;
  /**
   * The environment determines the protection, encryption and monitoring of the table.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment | undefined;
  /**
   * The key that encrypts the table, if the environment uses customer-managed keys.
   * @default - a new key for this table
   */
  readonly encryptionKey?: IKey;
  /**
   * The table's system, which defines the tenant.
   * @default - none
   */
  readonly system?: SystemDesign;
  /**
   * The SNS topic that alarms notify, if the environment has alarms.
   * @default - the alarms notify nobody
   */
  readonly alarmTopic?: AlarmTopic;
  /**
   * The lock of the deployed design and, while a plan is under way, the plan and the step to synthesize.
   * @default - the design is synthesized without regard to the deployed table
   */
  readonly evolution?: Evolution;
}

/** The grant methods that new and adopted tables share. */
abstract class TableOfDesign<D extends TableDesign> extends Construct implements IDesignedTable<D> {
  public abstract readonly design: D;
  public abstract readonly table: ITableV2;
  public abstract readonly system?: SystemDesign;

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

  public abstract onChange(
    fn: IFunction,
    entities: readonly EntityName<D>[],
    options?: ConsumerOptions,
  ): EventSourceMapping;
}

/** A table that this app creates from a design. */
export class DesignedTable<D extends TableDesign = TableDesign> extends TableOfDesign<D> {
  public readonly design: D;
  /** The underlying table, for features that this construct does not offer. */
  public readonly table: TableV2;
  public readonly system?: SystemDesign;
  /** The deployed design while a plan is under way; grants cover this design too. */
  public readonly former?: TableDesign;
  /**
   * The extra requests that a release sends while items move, as a design with a procedure for each write. A grant for
   * a pattern also covers the pattern's extra requests.
   */
  public readonly moving?: SystemDesign;
  /** The table's alarms, if the environment has alarms. */
  public readonly alarms?: TableAlarms;
  /**
   * The table's backups, if the environment has backups. A system backs up all of its tables together instead, so its
   * tables have no backups of their own.
   */
  public readonly backup?: TableBackup;
  readonly #deployment: Deployment;
  readonly #watch: (fn: IFunction) => void;

  public constructor(scope: Construct, id: string, props: DesignedTableProps<D>) {
    const environment = environmentOf(props.environment);
    assertMakeable(scope, props, environment);
    const deployment = deploymentOf(scope, id, props, environment);
    super(scope, id);
    keepPolicyFromReplicas(this);
    this.design = props.design;
    if (props.system !== undefined) this.system = props.system;
    if (deployment.former !== undefined) this.former = deployment.former;
    if (deployment.moving !== undefined) this.moving = deployment.moving;
    this.#deployment = deployment;
    this.#watch = (fn) => watchConsumer(fn, environment, props.alarmTopic);
    const key = keyOf(this, props, environment);
    this.table = new TableV2(this, 'Default', tableProps(props.design, environment, deployment, key));
    deployment.settle(this.table);
    this.alarms = alarmsOf(this, environment, props);
    const backup = { name: props.tableName, topic: props.alarmTopic, encryptionKey: key };
    this.backup = backupOf(this, [this.table], environment, backup);
    review(this, props, environment);
  }

  public onChange(
    fn: IFunction,
    entities: readonly EntityName<D>[],
    options: ConsumerOptions = {},
  ): EventSourceMapping {
    const { stream, isStreamOff } = this.#deployment;
    const remedy = isStreamOff
      ? 'the plan disables the stream in this step: let its consumers read the stream to the end, and leave them out of this deployment'
      : 'create the table with dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES';
    const { design, table, former } = this;
    const mapping = onChange({ design, table, former, stream, remedy }, fn, entities, options);
    this.#watch(fn);
    return mapping;
  }
}

/** Refuses invalid props before creating a construct. */
function assertMakeable(scope: Construct, props: DesignedTableProps, environment: Environment): void {
  const { region } = Stack.of(scope);
  assertSound(props.design);
  assertDeployable(props.design, environment, props, region);
  assertTopic('alarmTopic', props.alarmTopic, region);
}

/** The key that encrypts the table, if the environment uses customer-managed keys. */
function keyOf(scope: Construct, props: DesignedTableProps, environment: Environment): IKey | undefined {
  if (environment.encryption !== 'customer-managed') return undefined;
  return props.encryptionKey ?? encryptionKey(scope, props.design.name, environment);
}

/**
 * Warns about possible data loss, acknowledges the findings that the environment causes on purpose, and shows the
 * design's warnings.
 */
function review(table: DesignedTable, props: DesignedTableProps, environment: Environment): void {
  guardData(table, environment);
  acknowledgeRelaxed(table, environment);
  if (props.system === undefined) acknowledgeNoBackup(table, environment);
  warnOfOpenReplicas(table, environment, props);
  warnOfTable(table, props.design);
}

/** Creates a rotating key, which is retained or deleted together with the data that it encrypts. */
export function encryptionKey(scope: Construct, design: string, environment: Environment): Key {
  return new Key(scope, 'Key', {
    description: freeText(`Encrypts the tables of ${design} (${environment.name})`),
    enableKeyRotation: true,
    removalPolicy: environment.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

export interface AdoptedTableProps<D extends TableDesign = TableDesign> {
  readonly design: D;
  readonly tableName: string;
  /** @default - the table is not encrypted with a customer-managed key */
  readonly encryptionKey?: IKey;
  /** The ARN of the table's stream, which must contain new and old images. @default - consumers cannot follow changes to the table */
  readonly tableStreamArn?: string | undefined;
  /**
   * The table's system, which defines the tenant.
   * @default - none
   */
  readonly system?: SystemDesign;
}

/**
 * An existing table with its design. It has the same grants and the same `onChange` as a `DesignedTable`, but this app
 * does not create it.
 */
export class AdoptedTable<D extends TableDesign = TableDesign> extends TableOfDesign<D> {
  public readonly design: D;
  public readonly table: ITableV2;
  public readonly system?: SystemDesign;
  private readonly stream?: StreamViewType;

  public constructor(scope: Construct, id: string, props: AdoptedTableProps<D>) {
    const { design, tableName, encryptionKey, tableStreamArn, system } = props;
    assertSound(design);
    assertTableName('tableName', tableName);
    super(scope, id);
    this.design = design;
    if (system !== undefined) this.system = system;
    if (tableStreamArn !== undefined) this.stream = StreamViewType.NEW_AND_OLD_IMAGES;
    this.table = TableV2.fromTableAttributes(this, 'Default', {
      tableName,
      ...(encryptionKey === undefined ? {} : { encryptionKey }),
      ...(tableStreamArn === undefined ? {} : { tableStreamArn }),
      globalIndexes: [...globalIndexes(design)],
      localIndexes: Object.keys(design.indexes ?? {}).filter((name) => design.indexes?.[name]?.local),
    });
    warnOfTable(this, design);
  }

  public onChange(
    fn: IFunction,
    entities: readonly EntityName<D>[],
    options: ConsumerOptions = {},
  ): EventSourceMapping {
    const remedy = "pass the table's tableStreamArn, the ARN of a stream with new and old images";
    return onChange({ design: this.design, table: this.table, stream: this.stream, remedy }, fn, entities, options);
  }
}

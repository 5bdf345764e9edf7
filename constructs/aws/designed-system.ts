import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Stack, Tags } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { tableNameOf } from '../../lib/blueprint/names';
import { whole } from '../../lib/blueprint/shares';
import { assertDesign, assertSound } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Evolution, Stage } from '../../lib/evolve';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';
import { type Adoption, assertAdoptable } from './adoption';
import { type AlarmTopic, assertTopic } from './alarm-topic';
import { AdoptedTable, DesignedTable, encryptionKey, type IDesignedTable } from './designed-table';
import { stageOfSystem } from './evolution';
import { type GrantableName, type GrantOptions, grantInSystem } from './grants';
import { operate, type SystemOperations } from './operate';
import { acknowledgeNoBackup } from './relaxed';
import { assertDeployable, type TableOptions } from './table-props';
import { warnOfSystem } from './warnings';

export interface DesignedSystemProps<S extends SystemDesign = SystemDesign> {
  readonly design: S;
  /**
   * The environment determines the protection, encryption and monitoring of the tables, and is part of their names.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment;
  /**
   * Existing tables, which the construct does not create.
   * @default - the construct creates all tables
   */
  readonly adopt?: { readonly [T in keyof S['tables']]?: Adoption };
  /**
   * Further options for individual tables.
   * @default - the settings of the design and the environment
   */
  readonly options?: { readonly [T in keyof S['tables']]?: TableOptions };
  /**
   * The SNS topic that alarms notify, if the environment has alarms.
   * @default - the alarms notify nobody
   */
  readonly alarmTopic?: AlarmTopic;
  /**
   * The lock of the deployed design and, while a plan is under way, the plan and the step to synthesize.
   * @default - the design is synthesized without regard to the deployed tables
   */
  readonly evolution?: Evolution;
}

/** The tables of a system, with one encryption key if the environment uses customer-managed keys. */
export class DesignedSystem<S extends SystemDesign = SystemDesign> extends Construct {
  public readonly design: S;
  public readonly tables: { readonly [T in keyof S['tables']]: IDesignedTable<S['tables'][T]> };
  /** The key that encrypts all tables that this construct creates, if the environment uses customer-managed keys. */
  public readonly encryptionKey?: Key;
  /**
   * The alarms and backups of the tables that this construct creates, and a dashboard of all tables, as the environment
   * configures them.
   */
  public readonly operations: SystemOperations;
  /** The deployed design while a plan is under way; grants cover this design too. */
  public readonly former?: SystemDesign;
  /**
   * The extra requests that a release sends while items move, as a design with a procedure for each write. A grant for
   * a pattern also covers the pattern's extra requests.
   */
  public readonly moving?: SystemDesign;

  public constructor(scope: Construct, id: string, props: DesignedSystemProps<S>) {
    assertMakeable(props, Stack.of(scope).region);
    super(scope, id);
    const environment = environmentOf(props.environment);
    this.design = props.design;
    if (environment.encryption === 'customer-managed')
      this.encryptionKey = encryptionKey(this, props.design.name, environment);
    const stage = stageOfSystem(props.design, environment, props.evolution);
    this.former = stage?.former;
    this.moving = stage?.moving;
    this.tables = mapTables(props.design, stage, (name, design) => {
      const adoption = props.adopt?.[name];
      if (adoption !== undefined) {
        const { tableName, encryptionKey: given } = adoption;
        const encryptionKey = given === 'system' ? this.encryptionKey : given;
        return new AdoptedTable(this, name, { design, tableName, encryptionKey, system: props.design });
      }
      const options = { ...tableOptions(props, environment, name), encryptionKey: this.encryptionKey };
      // The system's backup plan covers all tables, so the tables need no plans of their own.
      const own = { alarmTopic: props.alarmTopic, environment: { ...environment, backup: 'none' } as const };
      const { design: system, evolution } = props;
      return new DesignedTable(this, name, { design, ...options, ...own, system, ...(evolution && { evolution }) });
    });
    const made = Object.values(this.tables).filter((table) => table instanceof DesignedTable);
    this.operations = operate(this, made, environment, props.alarmTopic);
    Tags.of(this).add('system', props.design.name);
    Tags.of(this).add('environment', environment.name);
    acknowledgeNoBackup(this, environment);
    warnOfSystem(this, props.design);
  }

  /** Grants a principal exactly the permissions that the named patterns and procedures need. */
  public grantPatterns(grantee: IGrantable, names: readonly GrantableName<S>[], options?: GrantOptions): Grant {
    return grantInSystem(
      grantee,
      { of: this.design, names, former: this.former, moving: this.moving },
      this.tables,
      options,
    );
  }
}

/** Refuses invalid props before creating a construct; `region` is the stack's region, if already known. */
export function assertMakeable(props: DesignedSystemProps, region?: string): void {
  const { design, adopt = {}, options = {} } = props;
  assertDesign(design);
  const environment = environmentOf(props.environment);
  if (design.cloud !== 'aws') {
    throw new Error(`system '${design.name}' must be designed for cloud 'aws', got: '${design.cloud}'`);
  }
  for (const name of [...Object.keys(adopt), ...Object.keys(options)]) {
    if (!Object.hasOwn(design.tables, name)) {
      const known = Object.keys(design.tables).join(', ');
      throw new Error(`system '${design.name}' has no table '${name}'; its tables are ${known}`);
    }
  }
  assertTopic('alarmTopic', props.alarmTopic, region);
  assertSound(design);
  for (const [name, table] of Object.entries(design.tables)) {
    const adoption = adopt[name];
    if (adoption === undefined) assertDeployable(table, environment, tableOptions(props, environment, name), region);
    else assertAdoptable(`adopt.${name}`, adoption, environment);
  }
  stageOfSystem(design, environment, props.evolution);
}

function tableOptions(props: DesignedSystemProps, environment: Environment, name: string): TableOptions {
  return { tableName: tableNameOf(props.design, environment.name, name), ...props.options?.[name] };
}

/** Creates the design's tables or, in a step of a plan, the tables of that step. */
function mapTables<S extends SystemDesign>(
  system: S,
  stage: Stage | undefined,
  make: (name: string, design: TableDesign) => IDesignedTable,
): { [T in keyof S['tables']]: IDesignedTable<S['tables'][T]> } {
  const staged = stage && Object.entries(stage.tables).map(([name, { design }]) => [name, design] as const);
  const made = (staged ?? Object.entries(whole(system).tables)).map(([name, design]) => [name, make(name, design)]);
  return Object.fromEntries(made) as { [T in keyof S['tables']]: IDesignedTable<S['tables'][T]> };
}

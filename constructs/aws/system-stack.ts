import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { nameOutputOf } from '../../lib/blueprint/names';
import type { SystemDesign } from '../../lib/design/system';
import { environmentOf } from '../environment';
import { assertMakeable, DesignedSystem, type DesignedSystemProps } from './designed-system';
import { freeText } from './free-text';

export interface SystemStackProps<S extends SystemDesign = SystemDesign> extends DesignedSystemProps<S>, StackProps {}

/** A stack with one system in one environment. Its outputs are the tables' names and ARNs. */
export class SystemStack<S extends SystemDesign = SystemDesign> extends Stack {
  public readonly system: DesignedSystem<S>;

  public constructor(scope: Construct, id: string, props: SystemStackProps<S>) {
    assertMakeable(props, props.env?.region);
    const { protectData, name } = environmentOf(props.environment);
    super(scope, id, {
      description: freeText(`${props.design.purpose ?? props.design.name} (${name})`),
      terminationProtection: protectData,
      ...props,
    });
    this.system = new DesignedSystem(this, 'Default', props);
    for (const [table, { table: made }] of Object.entries(this.system.tables)) {
      new CfnOutput(this, nameOutputOf(table), { value: made.tableName });
      new CfnOutput(this, `${table}TableArn`, { value: made.tableArn });
    }
  }
}

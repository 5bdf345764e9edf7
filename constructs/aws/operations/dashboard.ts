import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { IDesignedTable } from '../designed-table';
import { freeText } from '../free-text';
import { chunks } from './alarms';
import { latencyMetric, operationMetric, THROTTLE_CAUSES, tableMetric, throttlesOf } from './metrics';
import { operationOf, patternsOn, watched } from './watched';

export interface TableDashboardProps {
  /** The tables, keyed by the names that the dashboard shows. */
  readonly tables: Readonly<Record<string, IDesignedTable>>;
  /**
   * The alarms whose states are shown at the top of the dashboard.
   * @default - none
   */
  readonly alarms?: readonly Alarm[];
  /**
   * The name of the first dashboard; a number is appended to the name of each further dashboard.
   * @default - CloudFormation chooses a name
   */
  readonly name?: string;
}

/**
 * Shows the activity of tables, with a section for each table and index. A section's heading lists the access patterns
 * that use the table or index. CloudWatch has metrics for tables, indexes and operations, but not for patterns.
 */
export class TableDashboard extends Construct {
  /** The dashboard, or several dashboards if the widgets exceed CloudWatch's limits. */
  public readonly dashboards: readonly Dashboard[];

  public constructor(scope: Construct, id: string, { tables, alarms = [], name }: TableDashboardProps) {
    super(scope, id);
    const sections = Object.entries(tables).map(([title, table]) => tableSection(title, table));
    this.dashboards = pages([statusOf(alarms), ...sections]).map((widgets, i) => {
      const number = i === 0 ? '' : `-${i + 1}`;
      return new Dashboard(this, `Dashboard${number}`, {
        // A dashboard's name cannot contain every character that a table's name can.
        dashboardName: name && `${name.replace(/[^\w-]/g, '-')}${number}`,
        widgets,
      });
    });
  }
}

/** The widgets, row by row. */
type Section = IWidget[][];

const WIDTH = 24;
const HEIGHT = 6;
// CloudWatch allows 500 widgets and 2,500 metrics per dashboard. The six widgets of a table show up to 31 metrics.
const MOST_WIDGETS = 400;
const ALARMS_OF_WIDGET = 100;

/** Distributes the sections in order, and starts another dashboard when one reaches CloudWatch's limits. */
function pages(sections: readonly Section[]): readonly Section[] {
  const made: Section[] = [[]];
  for (const section of sections) {
    const last = made.at(-1) as Section;
    if (last.length > 0 && last.flat().length + section.flat().length > MOST_WIDGETS) made.push([...section]);
    else last.push(...section);
  }
  return made;
}

function statusOf(alarms: readonly Alarm[]): Section {
  return chunks(alarms, ALARMS_OF_WIDGET).map((shown) => [
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...shown], width: WIDTH, height: HEIGHT }),
  ]);
}

function tableSection(title: string, designed: IDesignedTable): Section {
  const { design, table } = designed;
  const { operations, expires, indexes } = watched(designed);
  const counted = ['ConditionalCheckFailedRequests', 'TransactionConflict'].map((name) => tableMetric(table, name));
  return [
    [heading(`## ${title}`, designed)],
    graphs(
      ['Capacity', capacity(designed)],
      ['Throttles by cause', throttles(designed)],
      ['Latency, average (ms)', operations.map((label) => latencyMetric(table, label).with({ label }))],
      [
        'Errors',
        [...operations.map((label) => operationMetric(table, 'SystemErrors', label).with({ label })), ...counted],
      ],
      ...(expires ? [['Expired items', [tableMetric(table, 'TimeToLiveDeletedItemCount')]] as const] : []),
    ),
    ...indexes.flatMap((index) => {
      const purpose = design.indexes?.[index]?.purpose;
      return [
        [heading(`### ${title} / ${index}${purpose === undefined ? '' : `: ${purpose}`}`, designed, index)],
        graphs(['Capacity', capacity(designed, index)], ['Throttles by cause', throttles(designed, index)]),
      ];
    }),
  ];
}

function heading(title: string, { design }: IDesignedTable, index?: string): TextWidget {
  const patterns = patternsOn(design, index).map((pattern) => `**${pattern.name}** (${operationOf(pattern)})`);
  const markdown = `${title}\n\n${patterns.length === 0 ? 'No access pattern.' : patterns.join(' · ')}`;
  return new TextWidget({ markdown: freeText(markdown), width: WIDTH, height: patterns.length > 12 ? 4 : 3 });
}

function graphs(...all: readonly (readonly [string, readonly IMetric[]])[]): IWidget[] {
  return all.map(
    ([title, left]) =>
      new GraphWidget({ title, left: [...left], width: Math.floor(WIDTH / all.length), height: HEIGHT }),
  );
}

function capacity({ table }: IDesignedTable, index?: string): readonly IMetric[] {
  return ['Read', 'Write'].map((kind) =>
    tableMetric(table, `Consumed${kind}CapacityUnits`, index).with({ label: kind.toLowerCase() }),
  );
}

function throttles({ table }: IDesignedTable, index?: string): readonly IMetric[] {
  return THROTTLE_CAUSES.map((cause) => throttlesOf(table, cause, index));
}

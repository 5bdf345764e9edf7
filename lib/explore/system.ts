import { portability } from '../azure-tables/equivalents/portability';
import { outline } from '../blueprint/outline';
import { whole } from '../blueprint/shares';
import { type Acknowledged, type Finding, review, rules } from '../check';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Item } from '../items/item';
import type { SystemCases } from '../proof/cases';
import type { Held } from './engine/held';
import { grantView } from './grants';
import { Items, itemsOf, plain } from './items';
import { tableView } from './table';
import type { EquivalentView, FindingView, ProcedureView, SystemView } from './view';

/** A system with its example items, and the data that the page shows about it. */
export interface Explored {
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  /** The items from the system's cases, keyed by table. Empty if the items are read from running tables. */
  readonly items: ReadonlyMap<string, Items>;
  /** The running tables that contain the items of the system. @default - the items come from the cases */
  readonly held?: Held;
  readonly view: SystemView;
}

const NO_CASES: SystemCases = { tables: {} };

/**
 * Prepares a design to be shown, even if it is unsound. If the design cannot be read, the view contains only its
 * findings.
 *
 * @param samples some items from each running table, as a source of example values for forms
 */
export function explore(
  design: SystemDesign,
  cases: SystemCases = NO_CASES,
  held?: Held,
  samples: ReadonlyMap<string, readonly Item[]> = new Map(),
): Explored {
  const system = wholeOf(design);
  const { findings, acknowledged } = review(system, { notes: true });
  const about = {
    name: String(system.name),
    ...(system.purpose === undefined ? {} : { purpose: system.purpose }),
    cloud: system.cloud,
    findings: findings.map(findingView),
    acknowledged: acknowledged.map(findingView),
  };
  const problems: string[] = [];
  const items = new Map<string, Items>();
  const tables = Object.keys(system.tables).flatMap((name) => {
    try {
      const table = outline(system.tables[name] as TableDesign);
      const found = held === undefined ? itemsOf(table, cases, name) : { items: [], problems: [] };
      const all = new Items(table, found.items);
      const some = () => new Items(table, samples.get(name)?.map((item) => ({ item })) ?? []);
      const view = tableView(system, name, cases, held === undefined ? { all } : { some: some() });
      items.set(name, all);
      problems.push(...found.problems.map((problem) => `${name}: ${problem}`));
      return [view];
    } catch (error) {
      problems.push(`table '${name}' cannot be shown: ${(error as Error).message}`);
      return [];
    }
  });
  const equivalent = attempt(() => equivalentView(system));
  const view: SystemView = {
    ...about,
    tables,
    procedures: Object.entries(system.procedures ?? {}).map(([name, { uses, purpose }]) =>
      procedureView(system, cases, name, uses, purpose),
    ),
    problems,
    ...(held === undefined ? {} : { source: held.name }),
    ...(equivalent === undefined ? {} : { equivalent }),
  };
  return { system, cases, items, ...(held === undefined ? {} : { held }), view };
}

/** Adds the system's patterns to its tables, or returns the design unchanged if it cannot be read. */
function wholeOf(design: SystemDesign): SystemDesign {
  return attempt(() => whole(design)) ?? design;
}

/** Returns undefined if `make` throws, because the design is unsound. The findings explain why. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function findingView(finding: Finding | Acknowledged): FindingView {
  const { severity, rule, path, message, fix, subject } = finding;
  const { kind, name, table } = subject;
  return {
    severity,
    rule,
    path,
    message,
    fix,
    why: rules.find(({ id }) => id === rule)?.why ?? '',
    ...(table === undefined ? {} : { table }),
    ...(kind === 'pattern' || kind === 'entity' || kind === 'index' ? { [kind]: name } : {}),
    ...('reason' in finding ? { reason: finding.reason } : {}),
  };
}

function procedureView(
  system: SystemDesign,
  cases: SystemCases,
  name: string,
  uses: readonly string[],
  purpose: string | undefined,
): ProcedureView {
  const found = cases.procedures?.[name];
  return {
    name,
    ...(purpose === undefined ? {} : { purpose }),
    uses,
    ...(found === undefined ? {} : { example: plain(found.values) as Record<string, unknown> }),
    grant: grantView(system, name),
  };
}

function equivalentView(system: SystemDesign): EquivalentView | undefined {
  if (system.cloud === 'azure') return undefined;
  const { tables, lines } = portability(system);
  return {
    tables: tables.map(({ name, table, index, isMirror, partition, row }) => ({
      name,
      of: [table, ...(index === undefined ? [] : [`index ${index}`]), ...(isMirror ? ['descending'] : [])].join(', '),
      partition: partition.map((attribute) => attribute.name).join(' + '),
      row: row.map((attribute) => attribute.name).join(' + ') || '-',
    })),
    notes: lines,
  };
}

import { type AzureTable, azureTables, transactionsTable } from '../azure-tables/equivalents/tables';
import { entitiesNamed, keysIn, outline, type PatternBlueprint } from '../blueprint/outline';
import { namesIn, patternsNamed } from '../blueprint/system';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { reservedProblems } from './request-problems';
import { isWriting } from './statements';

/** An Azure table that a pattern touches, and whether the pattern writes to it. */
export interface Touch {
  readonly table: string;
  readonly writes: boolean;
}

/**
 * The Azure tables that patterns and procedures touch, without duplicates. A read touches only the table, index or
 * mirror that it reads. A write touches the table and all tables whose rows are derived from it. A DynamoDB system that
 * runs on Azure also has a table of transaction records: any write may need it, and every read checks it, except a read
 * of an index or mirror. Throws for a name that is not in the system, or that cannot be granted.
 */
export function touchedBy(system: SystemDesign, names: readonly string[]): readonly Touch[] {
  const known = namesIn(system);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const list = unknown.map((name) => `'${name}'`).join(', ');
    throw new Error(`system '${system.name}' has no pattern or procedure ${list}; it has ${known.join(', ')}`);
  }
  const reserved = reservedProblems(system, names).map(({ path, message, fix }) => `${path}: ${message}; ${fix}`);
  if (reserved.length > 0) throw new Error(reserved.join('\n'));
  const touched = new Map<string, boolean>();
  const touch = (table: string, writes: boolean) => touched.set(table, writes || touched.get(table) === true);
  const tables = azureTables(system);
  const records = system.cloud === 'azure' ? undefined : transactionsTable(system);
  for (const { table: owner, design, patterns } of patternsNamed(system, names)) {
    const own = tables.filter(({ table }) => table === owner);
    for (const { index, writes, isDescending } of patterns.flatMap((pattern) => placesOf(design, pattern))) {
      const isMeant = ({ isMirror }: AzureTable) => writes || (isMirror === true) === isDescending;
      for (const table of own) if (table.index === index && isMeant(table)) touch(table.name, writes);
      if (records !== undefined && (writes || (index === undefined && !isDescending))) touch(records, writes);
    }
  }
  const all = [...tables.map(({ name }) => name), ...(records === undefined ? [] : [records])];
  return all.flatMap((table) => (touched.has(table) ? [{ table, writes: touched.get(table) === true }] : []));
}

/** An index, or the table itself, and how a pattern uses it. */
interface Place {
  readonly index: string | undefined;
  readonly writes: boolean;
  readonly isDescending: boolean;
}

function placesOf(design: TableDesign, { accesses }: PatternBlueprint): readonly Place[] {
  const table = outline(design);
  return accesses.flatMap(({ action, index, entities, step }): readonly Place[] => {
    const isDescending = 'order' in step && step.order === 'descending';
    // A transaction locks the items that it requires.
    if (action === 'require') return [{ index, writes: true, isDescending }];
    if (!isWriting(action)) return [{ index, writes: false, isDescending }];
    const written = table.indexes.filter((key) =>
      entitiesNamed(table, entities).some((entity) => keysIn(entity, key) !== undefined),
    );
    return [undefined, ...written.map((key) => key.name)].map((place) => ({
      index: place,
      writes: true,
      isDescending: false,
    }));
  });
}

import { type AzureTable, azureTables } from '../azure-tables/equivalents/tables';
import { entitiesNamed, keysIn, outline, type PatternBlueprint } from '../blueprint/outline';
import { namesIn, patternsNamed } from '../blueprint/system';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { reservedProblems } from './request-problems';
import { isWriting } from './statements';

/** An Azure table that a pattern touches, and whether it writes there. */
export interface Touch {
  readonly table: AzureTable;
  readonly writes: boolean;
}

/**
 * The Azure tables that patterns and procedures touch, each once: a read touches the table or index that it asks, and a write
 * the table and every index that the entity is in. Throws for names that the system does not have or does not grant.
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
  const touched = new Map<AzureTable, boolean>();
  const tables = azureTables(system);
  for (const { table: owner, design, patterns } of patternsNamed(system, names)) {
    for (const { index, writes } of patterns.flatMap((pattern) => placesOf(design, pattern))) {
      const table = tables.find((azure) => azure.table === owner && azure.index === index);
      if (table !== undefined) touched.set(table, writes || touched.get(table) === true);
    }
  }
  return tables.flatMap((table) => (touched.has(table) ? [{ table, writes: touched.get(table) === true }] : []));
}

/** One index, or the table itself. */
interface Place {
  readonly index: string | undefined;
  readonly writes: boolean;
}

function placesOf(design: TableDesign, { accesses }: PatternBlueprint): readonly Place[] {
  const table = outline(design);
  return accesses.flatMap(({ action, index, entities }): readonly Place[] => {
    if (!isWriting(action)) return [{ index, writes: false }];
    const written = table.indexes.filter((key) =>
      entitiesNamed(table, entities).some((entity) => keysIn(entity, key) !== undefined),
    );
    return [undefined, ...written.map((key) => key.name)].map((place) => ({ index: place, writes: true }));
  });
}

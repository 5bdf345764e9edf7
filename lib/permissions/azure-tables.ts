import { type AzureTable, azureTables } from '../azure-tables/equivalents/tables';
import { type Access, accessesOf } from '../blueprint/accesses';
import { blueprint, entityNamed, keyOf } from '../blueprint/table';
import type { SystemDesign } from '../design/system';

/** An Azure table that a pattern touches, and whether it writes there. */
export interface Touch {
  readonly table: AzureTable;
  readonly writes: boolean;
}

const READS: ReadonlySet<Access['action']> = new Set(['get', 'query', 'batchGet', 'require']);

/**
 * The Azure tables that patterns and procedures touch, each once: what is read is the table or the index asked for, what is
 * written is the table and every index that the entity is in. Throws for names that the system does not have.
 */
export function touchedBy(system: SystemDesign, names: readonly string[]): readonly Touch[] {
  const patterns = patternsOf(system);
  const procedures = new Map(Object.entries(system.procedures ?? {}));
  const known = [...patterns.keys(), ...procedures.keys()];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const list = unknown.map((name) => `'${name}'`).join(', ');
    throw new Error(`system '${system.name}' has no pattern or procedure ${list}; it has ${known.join(', ')}`);
  }
  const used = names.flatMap((name) => procedures.get(name)?.uses ?? [name]);
  const touched = new Map<AzureTable, boolean>();
  const tables = azureTables(system);
  for (const name of used) {
    const owner = patterns.get(name) as string;
    for (const { index, writes } of placesOf(system, owner, name)) {
      const table = tables.find((one) => one.table === owner && one.index === index) as AzureTable;
      touched.set(table, writes || touched.get(table) === true);
    }
  }
  return tables.flatMap((table) => (touched.has(table) ? [{ table, writes: touched.get(table) === true }] : []));
}

/** The table of each pattern. */
function patternsOf({ tables }: SystemDesign): ReadonlyMap<string, string> {
  const owned = Object.entries(tables).flatMap(([table, { patterns = {} }]) =>
    Object.keys(patterns).map((name) => [name, table] as const),
  );
  return new Map(owned);
}

/** An index, or the table itself. */
interface Place {
  readonly index: string | undefined;
  readonly writes: boolean;
}

function placesOf(system: SystemDesign, owner: string, name: string): readonly Place[] {
  const design = system.tables[owner];
  const pattern = design?.patterns?.[name];
  if (design === undefined || pattern === undefined) return [];
  const plan = blueprint(design);
  return accessesOf(design, pattern).flatMap(({ action, index, entities }): readonly Place[] => {
    if (READS.has(action)) return [{ index, writes: false }];
    const indexes = plan.indexes.filter((key) =>
      entities.some((entity) => keyOf(key).every((attribute) => entityNamed(plan, entity)?.keys.has(attribute.name))),
    );
    return [undefined, ...indexes.map((key) => key.name)].map((place) => ({ index: place, writes: true }));
  });
}

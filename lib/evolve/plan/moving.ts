import { isRead } from '../../blueprint/accesses';
import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../../blueprint/outline';
import type { PatternDesign } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { EntityName, ItemChange } from './plan';

/**
 * Returns a design from which to derive the extra grants that a release needs while items move. During that time, a
 * write looks for its item in both the old and the new place, moves the item, and checks that it is not in the other
 * place. In this design, each write is a procedure that uses patterns for these requests.
 */
export function movingOf(
  before: SystemDesign,
  after: SystemDesign,
  items: readonly ItemChange[],
): SystemDesign | undefined {
  const moving = items.filter((item) => item.moves && item.to !== undefined);
  if (moving.length === 0) return undefined;
  const tables: Record<string, TableDesign> = {};
  const uses = new Map<EntityName, readonly string[]>();
  for (const { from, to } of moving as readonly (ItemChange & { readonly to: EntityName })[]) {
    const names = [
      place(tables, outline(before.tables[from.table] as TableDesign), from.entity, 'old'),
      place(tables, outline(after.tables[to.table] as TableDesign), to.entity, 'new'),
    ];
    uses.set(to, names.flat());
  }
  const writes = Object.values(after.tables).flatMap((table) =>
    outline(table).patterns.flatMap(({ name, design, accesses }) => {
      if (isRead(design)) return [];
      const touched = [...uses].filter(
        ([to]) => to.table === table.name && accesses.some(({ entities }) => entities.includes(to.entity)),
      );
      return touched.length === 0 ? [] : [[name, touched.flatMap(([, patterns]) => patterns)] as const];
    }),
  );
  const own = new Map(writes);
  const procedures = Object.entries(after.procedures ?? {}).flatMap(([name, { uses: used }]) => {
    const all = used.flatMap((pattern) => own.get(pattern) ?? []);
    return all.length === 0 ? [] : [[name, all] as const];
  });
  const all = [...writes, ...procedures].map(([name, patterns]) => [name, { uses: [...new Set(patterns)] }]);
  return { ...after, tables, procedures: Object.fromEntries(all) };
}

/**
 * Adds an entity in its old or new place, with the patterns that a write needs there. Returns the names of the
 * patterns.
 */
function place(
  tables: Record<string, TableDesign>,
  table: TableOutline,
  entity: string,
  side: 'old' | 'new',
): readonly string[] {
  const { design, keys } = entityNamed(table, entity) as EntityOutline;
  const name = `${entity} in its ${side} place`;
  const where = Object.fromEntries(
    keyOf(table.key).map((key) => [key.name, keys.get(key.name)?.template.text ?? `<${key.name}>`]),
  );
  const patterns: Record<string, PatternDesign> = {
    [`look for ${name}`]: { op: 'get', where, returns: [name] },
    [`move ${name}`]: {
      op: 'transaction',
      steps: {
        check: { op: 'require', entity: name, where, condition: {} },
        move: side === 'old' ? { op: 'delete', entity: name, where } : { op: 'put', entity: name },
      },
    },
  };
  const known = tables[table.name];
  tables[table.name] = {
    ...table.design,
    entities: { ...known?.entities, [name]: design },
    patterns: { ...known?.patterns, ...patterns },
  };
  return Object.keys(patterns);
}

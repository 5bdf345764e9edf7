import type { TableUnderCheck } from '../table-under-check';

type Several = 'page' | 'range';

const known = new WeakMap<TableUnderCheck, ReadonlyMap<string, Several>>();

/** Whether a pattern reads several items of an entity within one partition of the table: a page or an order, or a range. */
export function readsSeveral(table: TableUnderCheck, entity: string): Several | undefined {
  const reads = known.get(table) ?? severalIn(table);
  known.set(table, reads);
  return reads.get(entity);
}

function severalIn({ accesses }: TableUnderCheck): ReadonlyMap<string, Several> {
  const reads = new Map<string, Several>();
  for (const { design, index, range, entities } of accesses) {
    const [entity, ...more] = entities;
    if (design.op !== 'query' || index !== undefined || range.kind === 'equals') continue;
    if (entity === undefined || more.length > 0) continue;
    const isPage = design.order !== undefined || design.orderBy !== undefined || (design.pageSize ?? 1) > 1;
    if (isPage) reads.set(entity, 'page');
    else if (range.kind !== 'all' && !reads.has(entity)) reads.set(entity, 'range');
  }
  return reads;
}

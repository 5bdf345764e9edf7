import { oncePerTable, type TableUnderCheck } from '../table-under-check';

type Several = 'page' | 'range';

/** Whether a pattern reads several items of an entity from one partition of the table: in pages, in an order, or as a range. */
export function readsSeveral(table: TableUnderCheck, entity: string): Several | undefined {
  return severalIn(table).get(entity);
}

const severalIn = oncePerTable(({ accesses }): ReadonlyMap<string, Several> => {
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
});

import type { KeySource } from '../../blueprint/table';
import { boundsOf, type TableUnderCheck } from '../table-under-check';
import type { Edit } from './finding';
import { atKey, atWhere } from './place';

/**
 * Returns edits that replace text in a key template and in every request that uses the key. Returns no edits if one of
 * these requests also reads another entity.
 */
export function keyEdits(
  { accesses }: TableUnderCheck,
  source: KeySource,
  from: string,
  to: string,
): { readonly edits?: readonly Edit[] } {
  if (source.natural) return {};
  const asking = accesses.filter(
    (access) =>
      access.entities.includes(source.entity) &&
      boundsOf(access).some(([attribute, { text }]) => attribute === source.attribute && text.includes(from)),
  );
  if (asking.some(({ entities }) => entities.length > 1)) return {};
  const paths = new Set(asking.map((access) => atWhere(access, source.attribute).path));
  return { edits: [atKey(source).path, ...paths].map((path) => ({ path, replace: [from, to] })) };
}

import { counterpartOf } from '../../blueprint/keys';
import { factsIn, type KeySource } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { inWords, isIdOf } from '../../blueprint/words';
import type { Part } from '../../design/template';
import { kindIdentifiedBy } from '../names/ids';
import type { TableUnderCheck } from '../table-under-check';

/** Formats whose ids practically never collide. */
const RANDOM: ReadonlySet<string> = new Set(['uuid', 'guid', 'ulid', 'nanoid', 'cuid', 'cuid2', 'xid', 'ksuid']);

/** Whether two keys are never equal because they have random ids of two different entities in the same place. */
export function areOtherIds(table: TableUnderCheck, a: KeySource, b: KeySource): boolean {
  return partsOf(a.template).some((ours) => {
    const theirs = counterpartOf(a.template, ours, b.template);
    if (theirs === undefined || !isRandom(a, ours) || !isRandom(b, theirs)) return false;
    const [one, other] = [entityIdentified(table, a, ours), entityIdentified(table, b, theirs)];
    return one !== undefined && other !== undefined && one !== other;
  });
}

function isRandom(source: KeySource, part: Part): boolean {
  return part.format === undefined && RANDOM.has(factsIn(source, part)?.format ?? '');
}

/** Returns the entity that a part identifies: the key's own entity, or another entity of the table. */
function entityIdentified({ entities }: TableUnderCheck, { entity }: KeySource, part: Part): string | undefined {
  if (isIdOf(entity, part.path.at(-1) as string)) return entity;
  const thing = kindIdentifiedBy(part);
  return thing === undefined ? undefined : entities.find(({ name }) => inWords(name) === thing)?.name;
}

import type { SortRange } from '../blueprint/accesses';
import { type EntityBlueprint, type KeyBlueprint, type KeySource, keyOf } from '../blueprint/table';

import { headOf } from '../design/template';
import { canFit } from './fit';
import { Heads } from './heads';
import { atTable } from './places';
import type { PatternAccess, TableUnderCheck } from './subject';
import { leftOpen } from './undecided';

/** The entities that a pattern does not mean, and whose items can be where it goes. */
export function strangersIn(table: TableUnderCheck, access: PatternAccess): readonly EntityBlueprint[] {
  // In a table of one kind of item there are none, and nothing has to be sorted to see it.
  if (table.plan.entities.every(({ name }) => access.entities.includes(name))) return [];
  const before = looks.get(table) ?? 0;
  if (before > PATIENCE) return [];
  const partition = access.partition === undefined ? '' : headOf(access.partition);
  const candidates = neighbours(table, access.key, partition, headOfRange(access.range));
  const looked = before + candidates.length;
  looks.set(table, looked);
  if (looked > PATIENCE) leftOpen(table, atTable(table.plan, 'patterns'), 'what else some patterns find');
  return candidates.filter((entity) => !access.entities.includes(entity.name) && canFit(table, access, entity));
}

/** How many entities are looked at for all patterns of a table, where thousands are in one partition. */
const PATIENCE = 200_000;

const looks = new WeakMap<TableUnderCheck, number>();

/** Those with keys that can begin as these do. */
export function neighbours(
  table: TableUnderCheck,
  key: KeyBlueprint,
  partition: string,
  sort: string,
): readonly EntityBlueprint[] {
  return [...headsOf(table, key).meeting(partition)].flatMap((bySort) => [...bySort.meeting(sort)]);
}

type TwoHeads = Heads<Heads<EntityBlueprint>>;

const made = new WeakMap<TableUnderCheck, Map<KeyBlueprint, TwoHeads>>();

function headsOf(table: TableUnderCheck, key: KeyBlueprint): TwoHeads {
  const known = made.get(table) ?? new Map<KeyBlueprint, TwoHeads>();
  made.set(table, known);
  let heads = known.get(key);
  if (heads === undefined) {
    heads = makeHeads(table, key);
    known.set(key, heads);
  }
  return heads;
}

function makeHeads({ plan }: TableUnderCheck, key: KeyBlueprint): TwoHeads {
  const present = plan.entities.filter(({ keys }) => keyOf(key).every(({ name }) => keys.has(name)));
  const partitions = new Map<string, (readonly [string, EntityBlueprint])[]>();
  for (const entity of present) {
    const head = ({ name }: { name: string }) => headOf((entity.keys.get(name) as KeySource).template);
    const same = partitions.get(head(key.partition)) ?? [];
    partitions.set(head(key.partition), same);
    same.push([key.sort === undefined ? '' : head(key.sort), entity]);
  }
  return new Heads(Array.from(partitions, ([partition, bySort]) => [partition, new Heads(bySort)]));
}

/** What every key in a range begins with. */
function headOfRange(range: SortRange): string {
  if (range.kind === 'equals' || range.kind === 'beginsWith') return headOf(range.at);
  if (range.kind !== 'between') return '';
  const [from, to] = [headOf(range.from), headOf(range.to)];
  let length = 0;
  while (length < from.length && from[length] === to[length]) length++;
  return from.slice(0, length);
}

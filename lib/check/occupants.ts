import type { SortRange } from '../blueprint/accesses';
import { type EntityBlueprint, type KeyBlueprint, type KeySource, keyOf } from '../blueprint/table';
import { headOf } from '../design/template';
import { canFit } from './fit';
import { commonHead, Heads } from './heads';
import { atTable } from './places';
import type { PatternAccess, TableUnderCheck } from './subject';
import { leftOpen } from './undecided';

/** The entities that a pattern does not return, but whose items can be where it looks. */
export function strangersIn(table: TableUnderCheck, access: PatternAccess): readonly EntityBlueprint[] {
  // If the pattern returns every entity of the table, nothing has to be sorted to see that there are none.
  if (table.plan.entities.every(({ name }) => access.entities.includes(name))) return [];
  const before = looks.get(table) ?? 0;
  if (before > PATIENCE) return [];
  const candidates = neighbours(table, access.key, ...headsAskedFor(access));
  const looked = before + candidates.length;
  looks.set(table, looked);
  if (looked > PATIENCE) leftOpen(table, atTable(table.plan, 'patterns'), 'what else some patterns find');
  return candidates.filter((entity) => !access.entities.includes(entity.name) && canFit(table, access, entity));
}

/** How many entities the check looks at for all patterns of a table, in case thousands are in one partition. */
const PATIENCE = 200_000;

const looks = new WeakMap<TableUnderCheck, number>();

/** What the first attributes of the partition key and the sort key begin with: enough to leave few candidates. */
function headsAskedFor({ key, partition, sort, range }: PatternAccess): readonly [string, string] {
  const [first] = key.sortBy;
  const held = partition?.find(({ attribute }) => attribute === first);
  const ofSort = held === undefined ? (sort === first ? headOfRange(range) : '') : headOf(held.at);
  return [partition === undefined ? '' : headOf(partition[0].at), ofSort];
}

/** The entities whose keys can begin like this, by the first attribute of each side. */
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
    const [first] = key.sortBy;
    const partition = head(key.partitionBy[0]);
    const same = partitions.get(partition) ?? [];
    partitions.set(partition, same);
    same.push([first === undefined ? '' : head(first), entity]);
  }
  return new Heads(Array.from(partitions, ([partition, bySort]) => [partition, new Heads(bySort)]));
}

/** What every key in a range begins with. */
function headOfRange(range: SortRange): string {
  if (range.kind === 'equals' || range.kind === 'beginsWith') return headOf(range.at);
  return range.kind === 'between' ? commonHead(headOf(range.from), headOf(range.to)) : '';
}

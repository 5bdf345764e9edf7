import type { Items } from '../items';
import { textOf } from '../rows';
import type { ItemView, PlaceView, TableView } from '../view';
import { colourClass, fitted, picture, type Shape, shape } from './shape';

/** The maximum number of partitions and rows to draw. */
export interface Extent {
  readonly partitions: number;
  /** The maximum number of rows per partition. */
  readonly rows: number;
}

const WIDTH = 960;
const TOP = 74;
const ROW = 26;
const GAP = 10;
/** The horizontal positions of the columns: the partition, the sort key, the entity, and the other attributes. */
const COLUMNS = [12, 232, 500, 632] as const;
/** The average width of a character. */
const LETTER = 6.95;

/**
 * Draws the items of a table or an index, grouped by partition. If not all items fit, it draws items of as many
 * entities as possible.
 */
export function drawCollections(table: TableView, place: PlaceView, items: Items, extent: Extent): Shape {
  const { partitions, size } = items.in(place.index);
  const chosen = variedPartitions(partitions, extent.partitions);
  const drawn: Shape[] = [];
  let y = TOP;
  let shown = 0;
  for (const { rows } of chosen) {
    const seen = rows.length <= extent.rows ? rows : variedRows(rows, extent.rows);
    const rest = rows.length - seen.length;
    const height = (seen.length + (rest > 0 ? 1 : 0)) * ROW;
    shown += seen.length;
    drawn.push(shape('rect', { x: 0.5, y: y + 0.5, width: WIDTH - 1, height: height - 1, rx: 6, class: 'box' }));
    drawn.push(cell(COLUMNS[0], y, keyCell(place.partition, seen[0], room(0)), 'mono'));
    drawn.push(...seen.flatMap((item, i) => row(table, place, item, y + i * ROW, i > 0)));
    if (rest > 0) drawn.push(cell(COLUMNS[1], y + seen.length * ROW, [`… ${rest} more`], 'soft'));
    y += height + GAP;
  }
  const left = size - shown;
  const title = place.index === undefined ? table.name : `${table.name} / ${place.index}`;
  const heads = [place.partition.join(' + '), place.sort.join(' + '), 'entity', 'attributes'];
  const paper = shape('rect', { width: WIDTH, height: y + 18, class: 'paper' });
  const heading = shape('text', { x: 12, y: 26, class: 'heading' }, title);
  const columns = heads.map((head, i) => shape('text', { x: COLUMNS[i] as number, y: 56, class: 'strong soft' }, head));
  if (left > 0) drawn.push(shape('text', { x: 12, y: y + 8, class: 'soft' }, `${left} of ${size} items not shown`));
  const height = y + (left > 0 ? 18 : 0);
  return picture(WIDTH, height, `The item collections of ${title}`, paper, heading, ...columns, ...drawn);
}

type Partition = ReturnType<Items['in']>['partitions'][number];

/**
 * Selects up to `count` partitions and keeps their order. Prefers partitions with an entity that no earlier partition
 * has.
 */
function variedPartitions(partitions: readonly Partition[], count: number): readonly Partition[] {
  const seen = new Set<string | undefined>();
  const first = partitions.filter(({ rows }) => {
    const isNew = rows.some(({ entity }) => !seen.has(entity));
    for (const { entity } of rows) seen.add(entity);
    return isNew;
  });
  const chosen = new Set([...first, ...partitions].slice(0, count));
  return partitions.filter((partition) => chosen.has(partition));
}

/** Selects up to `count` rows, of as many entities as possible, and keeps their order. */
function variedRows(rows: readonly ItemView[], count: number): readonly ItemView[] {
  const firsts = rows.filter(({ entity }, i) => rows.findIndex((other) => other.entity === entity) === i);
  const chosen = new Set([...firsts, ...rows].slice(0, count));
  return rows.filter((item) => chosen.has(item));
}

function row(table: TableView, place: PlaceView, item: ItemView, y: number, isRuled: boolean): readonly Shape[] {
  const { entity, attributes } = item;
  const own = table.entities.find(({ name }) => name === entity);
  const colour = colourClass(own?.colour);
  // Omits attributes that the keys in the same row already show.
  const shown = new Set(
    own?.keys.flatMap(({ attribute, template }) => [
      attribute,
      ...([...place.partition, ...place.sort].includes(attribute) ? template.map(({ part }) => part) : []),
    ]),
  );
  const others = Object.entries(attributes).filter(
    ([name]) => !shown.has(name) && name !== table.typeAttribute && (place.projected?.includes(name) ?? true),
  );
  const words = others.map(([name, value]) => `${name}: ${textOf(value)}`).join('  ');
  return [
    ...(isRuled ? [shape('line', { x1: COLUMNS[1] - 10, y1: y, x2: WIDTH - 1, y2: y, class: 'rule' })] : []),
    ...(place.sort.length === 0 ? [] : [cell(COLUMNS[1], y, keyCell(place.sort, item, room(1)), 'mono')]),
    shape('circle', { cx: COLUMNS[2] + 4, cy: y + ROW / 2, r: 4, class: `dot ${colour}` }),
    cell(COLUMNS[2] + 14, y, [fitted(entity ?? 'unknown', 14)], `strong ${colour}`),
    cell(COLUMNS[3], y, [fitted(words, Math.floor((WIDTH - COLUMNS[3] - 12) / 6.9))], 'soft'),
  ];
}

function room(column: 0 | 1): number {
  return Math.floor((COLUMNS[column + 1] as number) / LETTER - (COLUMNS[column] as number) / LETTER - 2);
}

function cell(x: number, y: number, text: readonly (Shape | string)[], style: string): Shape {
  return shape('text', { x, y: y + ROW / 2 + 4, class: style }, ...text);
}

/** Formats a partition key or a sort key. If the key has more than one attribute, joins their values. */
function keyCell(names: readonly string[], item: ItemView | undefined, room: number): readonly (Shape | string)[] {
  const texts = names.map((name) => textOf(item?.attributes[name]));
  const [text = ''] = texts;
  return texts.length === 1 ? marked(text, item?.marks[names[0] as string], room) : [fitted(texts.join(' + '), room)];
}

/** Draws a key, truncated to the available width, with its rendered parts in bold. */
function marked(text: string, lengths: readonly number[] = [], room: number): readonly (Shape | string)[] {
  const pieces: (Shape | string)[] = [];
  let at = 0;
  const short = fitted(text, room);
  for (const [i, length] of [...lengths, text.length].entries()) {
    const piece = short.slice(at, at + length);
    at += length;
    if (piece !== '') pieces.push(i % 2 === 1 && i < lengths.length ? shape('tspan', { class: 'part' }, piece) : piece);
  }
  return pieces;
}

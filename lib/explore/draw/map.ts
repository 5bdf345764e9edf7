import type { Action } from '../../blueprint/accesses';
import { type MapNode, mapOf } from '../map';
import type { PatternView, TableView } from '../view';
import { colourClass, fitted, picture, type Shape, shape } from './shape';

const WIDTH = 960;
/** The width of the column of names on the left. */
const NAMES = 250;
const ROW = 24;
/** The minimum and maximum width of an entity's column. */
const CELL = { least: 34, most: 120 } as const;
/** The width of a plain character and of a bold one. */
const LETTER = { plain: 7.3, bold: 7.6 } as const;

export type Column = 'entities' | 'places' | 'patterns';

type Link = (node: MapNode, column: Column) => string;

/**
 * Draws a matrix with a column for each entity. The table and each index have a row that marks the entities they
 * contain. Below that row, each pattern that reaches the table or index has its own row: R marks an entity that
 * the pattern reads, W one that it writes.
 * @param link returns the address that a node links to; omitted for a file, which has no links
 */
export function drawMap(table: TableView, link?: Link): Shape {
  const map = mapOf(table);
  const { width, top, middle, heads } = layoutOf(map.entities, link);
  const rows: Shape[] = [];
  let y = top;
  const row = (...shapes: readonly Shape[]) => {
    rows.push(...shapes);
    y += ROW;
  };
  for (const place of map.places) {
    const index = place.id === 'table' ? undefined : place.label;
    row(
      shape('rect', {
        x: 0.5,
        y: y + 0.5,
        width: width - 1,
        height: ROW - 1,
        class: `box plain${place.unreached === undefined ? '' : ' unreached'}`,
      }),
      named(place, 12, y, link?.(place, 'places')),
      ...map.edges
        .filter(({ to }) => to === place.id)
        .map(({ from, to, colour }) => {
          const i = map.entities.findIndex(({ id }) => id === from);
          return shape('circle', {
            cx: middle(i),
            cy: y + ROW / 2,
            r: 4,
            class: `dot ${colourClass(colour)}`,
            'data-from': from,
            'data-to': to,
          });
        }),
    );
    for (const { to } of map.edges.filter(({ from }) => from === place.id)) {
      const node = map.patterns.find(({ id }) => id === to) as MapNode;
      const pattern = table.patterns.find(({ name }) => name === node.label) as PatternView;
      const reached = map.entities.flatMap((entity, i) => {
        const actions = actionsOn(pattern, index, entity.label);
        return actions.length === 0 ? [] : [mark(entity, actions, { x: middle(i), y, from: place.id, to })];
      });
      row(
        shape('line', { x1: 0, y1: y + ROW, x2: width, y2: y + ROW, class: 'rule' }),
        named(node, 24, y, link?.(node, 'patterns')),
        ...reached,
      );
    }
  }
  const lone = map.patterns.filter(({ id }) => !map.edges.some(({ to }) => to === id));
  for (const node of lone) row(named(node, 24, y, link?.(node, 'patterns')));

  const columns = map.entities.map((_, i) =>
    shape('line', { x1: middle(i), y1: top, x2: middle(i), y2: y, class: 'rule' }),
  );
  const paper = shape('rect', { width, height: y + 4, class: 'paper' });
  const drawing = picture(width, y + 4, `Map of ${table.name}`, paper, ...columns, ...heads, ...rows);
  // If a picture contains links, a screen reader must not announce it as an image.
  return link === undefined ? drawing : { ...drawing, attributes: { ...drawing.attributes, role: 'group' } };
}

/**
 * Draws only the names of the entities, exactly as they appear above the map. The page keeps them in view while the map
 * scrolls.
 */
export function drawHeads(table: TableView): Shape {
  const { width, top, heads } = layoutOf(mapOf(table).entities);
  const paper = shape('rect', { width, height: top, class: 'paper' });
  return picture(width, top, `The entities of ${table.name}`, paper, ...heads);
}

/** Returns the width of the map, the middle of each column, and the names above the map with their height. */
function layoutOf(entities: readonly MapNode[], link?: Link) {
  const cell = Math.min(Math.max((WIDTH - NAMES) / Math.max(entities.length, 1), CELL.least), CELL.most);
  const width = Math.max(WIDTH, NAMES + cell * entities.length);
  const isNarrow = entities.some(({ label }) => label.length * LETTER.bold > cell - 8);
  const longest = Math.max(0, ...entities.map(({ label }) => Math.min(label.length, 22)));
  const top = isNarrow ? longest * LETTER.bold + 20 : 32;
  const middle = (i: number) => NAMES + cell * (i + 0.5);
  const heads = entities.map((entity, i) => headed(entity, middle(i), top, isNarrow, link?.(entity, 'entities')));
  return { width, top, middle, heads };
}

/** Returns a pattern's actions on an entity, in the table or in an index. */
function actionsOn({ accesses }: PatternView, index: string | undefined, entity: string): readonly string[] {
  return accesses
    .filter((access) => access.index === index && access.entities.includes(entity))
    .map(({ action }) => action);
}

const WRITES: ReadonlySet<string> = new Set<Action>(['put', 'update', 'delete', 'batchWrite']);

/**
 * Marks an entity that a pattern reads or writes, with an R or a W in a box of the entity's color. Each entity gets its
 * own letter, because a transaction may write one entity and only read another.
 */
function mark(
  { colour }: MapNode,
  actions: readonly string[],
  { x, y, from, to }: { readonly x: number; readonly y: number; readonly from: string; readonly to: string },
): Shape {
  const writes = actions.some((action) => WRITES.has(action));
  return shape(
    'g',
    { 'data-from': from, 'data-to': to },
    shape('rect', {
      x: x - 13,
      y: y + 3,
      width: 26,
      height: ROW - 6,
      rx: 5,
      class: `box ${colourClass(colour)}${writes ? ' write' : ''}`,
    }),
    shape('text', { x, y: y + 16, 'text-anchor': 'middle', class: 'strong' }, writes ? 'W' : 'R'),
  );
}

/** Draws the name of a table, index or pattern, followed by as much of its description as fits. */
function named(node: MapNode, x: number, y: number, href: string | undefined): Shape {
  const { label, note, unreached } = node;
  const words = unreached ?? note;
  const shown = fitted(label, Math.floor((NAMES - x - 8) / LETTER.bold));
  const room = Math.floor((NAMES - x - 16 - [...shown].length * LETTER.bold) / LETTER.plain);
  const text = shape(
    'text',
    { x, y: y + 16 },
    shape('tspan', { class: 'strong' }, shown),
    ...(room < 3
      ? []
      : [shape('tspan', { class: unreached === undefined ? 'soft' : 'warn', dx: 8 }, fitted(words, room))]),
  );
  // The link spans the whole width of the names, so that it is easy to tap.
  const area = shape('rect', { x: 0, y, width: NAMES, height: ROW, class: 'area' });
  return linked(node, href, area, text);
}

/** Draws the name of an entity above its column: horizontally if all names fit that way, otherwise vertically. */
function headed(node: MapNode, x: number, top: number, isNarrow: boolean, href: string | undefined): Shape {
  const { label, colour, unreached } = node;
  const style = unreached === undefined ? colourClass(colour) : 'warn';
  const turned: Shape['attributes'] = isNarrow
    ? { transform: `rotate(-90 ${x} ${top - 8})`, 'text-anchor': 'start' }
    : { 'text-anchor': 'middle' };
  const y = isNarrow ? top - 4 : top - 10;
  return linked(node, href, shape('text', { x, y, class: `strong ${style}`, ...turned }, fitted(label, 22)));
}

function linked({ id, label, note, unreached }: MapNode, href: string | undefined, ...shapes: readonly Shape[]): Shape {
  return shape(
    href === undefined ? 'g' : 'a',
    { class: 'node', 'data-id': id, ...(href === undefined ? {} : { href }) },
    shape('title', {}, `${label}: ${unreached ?? note}`),
    ...shapes,
  );
}

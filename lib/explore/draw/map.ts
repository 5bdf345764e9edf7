import { type MapEdge, type MapNode, mapOf } from '../map';
import type { TableView } from '../view';
import { colourClass, fitted, picture, type Shape, shape } from './shape';

const WIDTH = 960;
const COLUMN = 236;
const ROW = 28;
const BOX = 24;
const TOP = 40;
/** The widths of a letter, plain and bold. */
const LETTER = { plain: 7.3, bold: 7.6 } as const;

/** The left edges of the three columns. */
const LEFT = { entities: 0, places: (WIDTH - COLUMN) / 2, patterns: WIDTH - COLUMN } as const;

export type Column = keyof typeof LEFT;

/**
 * Draws three columns (entities, keys and indexes, patterns), with lines for what each place holds and which patterns reach it.
 * @param link gives the address that a node leads to; none in a file
 */
export function drawMap(table: TableView, link?: (node: MapNode, column: Column) => string): Shape {
  const map = mapOf(table);
  const rows = Math.max(map.entities.length, map.places.length, map.patterns.length, 1);
  const height = TOP + rows * ROW + 4;
  const at = new Map<string, { readonly x: number; readonly y: number }>();
  const put = (nodes: readonly MapNode[], column: Column, heights: readonly number[]) =>
    nodes.map((node, i) => {
      at.set(node.id, { x: LEFT[column], y: heights[i] as number });
      return box(node, LEFT[column], heights[i] as number, link?.(node, column));
    });
  const even = (count: number) => {
    // A shorter column is spread over the whole height, so that lines are short.
    const step = (rows * ROW) / Math.max(count, 1);
    return Array.from({ length: count }, (_, i) => TOP + step * (i + 0.5));
  };
  const patterns = put(map.patterns, 'patterns', even(map.patterns.length));
  const amid = map.places.map(({ id }) =>
    map.edges.filter(({ from }) => from === id).map(({ to }) => at.get(to)?.y ?? TOP),
  );
  const places = put(map.places, 'places', settled(amid, even(map.places.length)));
  const boxes = [...put(map.entities, 'entities', even(map.entities.length)), ...places, ...patterns];
  const lines = map.edges.flatMap((edge) => line(edge, at));
  const heading = (text: string, x: number) => shape('text', { x, y: 20, class: 'strong soft' }, text);
  const paper = shape('rect', { width: WIDTH, height, class: 'paper' });
  const headings = [
    heading('Entities', LEFT.entities + 2),
    heading('Keys and indexes', LEFT.places + 2),
    heading('Access patterns', LEFT.patterns + 2),
  ];
  const drawn = [shape('g', {}, ...lines), shape('g', {}, ...boxes)];
  const drawing = picture(WIDTH, height, `The map of ${table.name}`, paper, ...headings, ...drawn);
  // With links, it is more than an image.
  return link === undefined ? drawing : { ...drawing, attributes: { ...drawing.attributes, role: 'group' } };
}

/** Puts each in the middle of what it is connected to, in order and without overlap. */
function settled(amid: readonly (readonly number[])[], usual: readonly number[]): readonly number[] {
  const heights: number[] = [];
  for (const [i, ends] of amid.entries()) {
    const middle = ends.length === 0 ? (usual[i] as number) : ends.reduce((sum, y) => sum + y, 0) / ends.length;
    heights.push(Math.max(middle, i === 0 ? TOP + ROW / 2 : (heights[i - 1] as number) + ROW));
  }
  return heights;
}

function box({ id, label, note, colour, unreached }: MapNode, x: number, y: number, href: string | undefined): Shape {
  const words = unreached ?? note;
  const shown = fitted(label, Math.floor((COLUMN - 24) / LETTER.bold));
  const room = Math.floor((COLUMN - 32 - [...shown].length * LETTER.bold) / LETTER.plain);
  return shape(
    href === undefined ? 'g' : 'a',
    { class: 'node', 'data-id': id, ...(href === undefined ? {} : { href }) },
    shape('title', {}, `${label}: ${words}`),
    shape('rect', {
      ...{ x: x + 0.5, y: y - BOX / 2 + 0.5, width: COLUMN - 1, height: BOX - 1, rx: 6 },
      class: `box ${colourClass(colour)}${unreached === undefined ? '' : ' unreached'}`,
    }),
    shape(
      'text',
      { x: x + 12, y: y + 4 },
      shape('tspan', { class: 'strong' }, shown),
      ...(room < 4
        ? []
        : [shape('tspan', { class: unreached === undefined ? 'soft' : 'warn', dx: 8 }, fitted(words, room))]),
    ),
  );
}

function line(
  { from, to, colour, writes }: MapEdge,
  at: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): readonly Shape[] {
  const [start, end] = [at.get(from), at.get(to)];
  if (start === undefined || end === undefined) return [];
  const [x1, x2] = [start.x + COLUMN, end.x];
  const middle = (x1 + x2) / 2;
  const d = `M${x1} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${x2} ${end.y}`;
  const attributes = { d, class: `edge ${colourClass(colour)}${writes ? ' write' : ''}` };
  return [shape('path', { ...attributes, 'data-from': from, 'data-to': to })];
}

import type { PatternView, TableView } from './view';

/**
 * The entities of a table, the places that contain them (the table and its indexes), and the patterns that reach them
 * there.
 */
export interface MapView {
  readonly entities: readonly MapNode[];
  readonly places: readonly MapNode[];
  readonly patterns: readonly MapNode[];
  /** Edges from each entity to the places that contain it, and from each place to the patterns that reach it. */
  readonly edges: readonly MapEdge[];
}

export interface MapNode {
  readonly id: string;
  readonly label: string;
  /** A short description. */
  readonly note: string;
  /** The index of the entity's color. */
  readonly colour?: number;
  /** For a node that no pattern reaches or reads, a note that says so. @default - a pattern reaches the node */
  readonly unreached?: string;
}

export interface MapEdge {
  readonly from: string;
  readonly to: string;
  /** The color of the edge's entity, if the edge concerns only one entity. */
  readonly colour?: number;
  readonly writes: boolean;
}

/** Returns the map of a table. */
export function mapOf(table: TableView): MapView {
  const { entities, places, patterns } = table;
  const accessed = (test: (access: PatternView['accesses'][number], pattern: PatternView) => boolean) =>
    patterns.some((pattern) => pattern.accesses.some((access) => test(access, pattern)));
  const ordered = [...patterns].sort((a, b) => rank(table, a) - rank(table, b));
  return {
    entities: entities.map(({ name, colour, keys }) => ({
      id: `entity ${name}`,
      label: name,
      note: keys[0]?.template.map(({ text }) => text).join('') ?? '',
      colour,
      ...(accessed((access) => access.entities.includes(name)) ? {} : { unreached: 'reached by no pattern' }),
    })),
    places: places.map(({ index, local, partition, sort }) => ({
      id: placeId(index),
      label: index ?? table.name,
      note: `${[partition, sort]
        .filter((side) => side.length > 0)
        .map((side) => side.join(' + '))
        .join(', ')}${local ? ' (local)' : ''}`,
      // An index that no pattern reads is of no use, even if patterns write it.
      ...(accessed((access, { writes }) => access.index === index && !writes)
        ? {}
        : {
            unreached: accessed((access) => access.index === index) ? 'read by no pattern' : 'reached by no pattern',
          }),
    })),
    patterns: ordered.map(({ name, op }) => ({ id: `pattern ${name}`, label: name, note: op })),
    edges: [
      ...entities.flatMap(({ name, colour, indexes }) =>
        [undefined, ...indexes.map((index) => index.name)].map((index) => ({
          from: `entity ${name}`,
          to: placeId(index),
          colour,
          writes: false,
        })),
      ),
      ...ordered.flatMap((pattern) => reaches(table, pattern)),
    ],
  };
}

function placeId(index: string | undefined): string {
  return index === undefined ? 'table' : `index ${index}`;
}

/** Sorts patterns by the table or index that they reach, then with writes before reads, and then by entity. */
function rank({ places, entities }: TableView, { accesses, writes }: PatternView): number {
  const [first] = accesses;
  const place = places.findIndex(({ index }) => index === first?.index);
  const entity = entities.findIndex(({ name }) => first?.entities[0] === name);
  return (place * 2 + (writes ? 0 : 1)) * entities.length + entity;
}

function reaches({ entities }: TableView, { name, accesses, writes }: PatternView): readonly MapEdge[] {
  const indexes = [...new Set(accesses.map(({ index }) => index))];
  return indexes.map((index) => {
    const here = new Set(accesses.filter((access) => access.index === index).flatMap((access) => access.entities));
    const colour = here.size === 1 ? entities.find((entity) => here.has(entity.name))?.colour : undefined;
    return { from: placeId(index), to: `pattern ${name}`, ...(colour === undefined ? {} : { colour }), writes };
  });
}

import {
  type IndexBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';
import type { ProvisionedTable } from './tables';

/** One point in which a template departs from its design. */
export interface Difference {
  /** The place in the design: `blog.indexes.GSI1.sort`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

/** The differences as lines of text. */
export function describeDifferences(found: readonly Difference[]): string {
  return found.map(({ place, expected, got }) => `${place}: expected ${expected}, got ${got}`).join('\n');
}

/** Where the keys, indexes and TTL of a table in a template differ from its design. */
export function* compareTable(plan: TableBlueprint, table: ProvisionedTable): Iterable<Difference> {
  yield* compareKey(`${plan.name}.key`, plan.key, table.key);
  for (const index of plan.indexes) {
    const place = `${plan.name}.indexes.${index.name}`;
    const got = table.indexes.find(({ name }) => name === index.name);
    if (got === undefined) {
      yield { place, expected: `an index with key ${showKey(index)}`, got: 'no such index' };
    } else {
      yield* compareKey(place, index, got);
      yield* differ(`${place}.projection`, showProjection(index), showProjection(got));
      yield* differ(`${place}.local`, showKind(index), showKind(got));
    }
  }
  for (const { name } of table.indexes) {
    if (!plan.indexes.some((index) => index.name === name)) {
      yield {
        place: `${plan.name}.indexes.${name}`,
        expected: 'no such index',
        got: 'an index that is not in the design',
      };
    }
  }
  yield* differ(`${plan.name}.ttl`, plan.ttl ?? 'no TTL', table.ttl ?? 'no TTL');
}

function* compareKey(place: string, expected: KeyBlueprint, got: KeyBlueprint): Iterable<Difference> {
  yield* differ(`${place}.partition`, showSide(expected.partitionBy), showSide(got.partitionBy));
  yield* differ(`${place}.sort`, showSide(expected.sortBy), showSide(got.sortBy));
}

export function* differ(place: string, expected: string, got: string): Iterable<Difference> {
  if (expected !== got) yield { place, expected, got };
}

export function showKey(key: KeyBlueprint): string {
  return showSide(keyOf(key));
}

/** In the order of the key, which matters. */
function showSide(by: readonly KeyAttribute[]): string {
  return by.length === 0 ? 'none' : by.map(({ name, type }) => `${name} (${type})`).join(', ');
}

function showProjection({ projection }: IndexBlueprint): string {
  return typeof projection === 'string' ? projection : `keys and ${[...projection].sort().join(', ')}`;
}

function showKind({ local }: IndexBlueprint): string {
  return local ? 'a local index' : 'a global index';
}

import { type IndexBlueprint, type KeyAttribute, type KeyBlueprint, keyOf } from '../../blueprint/outline';
import { indexNamed, type PhysicalTable } from '../../blueprint/physical-table';

/** One difference between a template and its design. */
export interface Difference {
  /** The place in the design: `blog.indexes.GSI1.sort`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

/** Describes the differences, one per line. */
export function describeDifferences(found: readonly Difference[]): string {
  return found.map(({ place, expected, got }) => `${place}: expected ${expected}, got ${got}`).join('\n');
}

/** Yields each difference between a table's expected and actual keys, indexes and TTL. */
export function* compareTable(name: string, expected: PhysicalTable, got: PhysicalTable): Iterable<Difference> {
  yield* compareKey(`${name}.key`, expected.key, got.key);
  for (const index of expected.indexes) {
    const place = `${name}.indexes.${index.name}`;
    const own = indexNamed(got, index.name);
    if (own === undefined) {
      yield { place, expected: `an index with key ${showKey(index)}`, got: 'no such index' };
    } else {
      yield* compareKey(place, index, own);
      yield* differ(`${place}.projection`, showProjection(index), showProjection(own));
      yield* differ(`${place}.local`, showKind(index), showKind(own));
    }
  }
  for (const index of got.indexes) {
    if (indexNamed(expected, index.name) !== undefined) continue;
    const place = `${name}.indexes.${index.name}`;
    yield { place, expected: 'no such index', got: 'an index that is not in the design' };
  }
  yield* differ(`${name}.ttl`, expected.ttl ?? 'no TTL', got.ttl ?? 'no TTL');
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

/** Lists the attributes in key order, because the same attributes in a different order are a different key. */
function showSide(by: readonly KeyAttribute[]): string {
  return by.length === 0 ? 'none' : by.map(({ name, type }) => `${name} (${type})`).join(', ');
}

function showProjection({ projection }: IndexBlueprint): string {
  return typeof projection === 'string' ? projection : `keys and ${projection.join(', ')}`;
}

function showKind({ local }: IndexBlueprint): string {
  return local ? 'a local index' : 'a global index';
}

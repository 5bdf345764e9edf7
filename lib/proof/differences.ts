import { isDeepStrictEqual } from 'node:util';

/** The maximum number of listed differences; any others are only counted. */
const LISTED = 8;

/**
 * Returns the differences between a value and the expected value, with their paths: `lines[1].count: expected 2, got
 * 3`. List elements are matched by similarity, so that a missing element does not make all later elements differ.
 */
export function differencesOf(expected: unknown, got: unknown): string {
  const all = [...differences(expected, got, '')];
  const more = all.length > LISTED ? [`and ${all.length - LISTED} more`] : [];
  return [...all.slice(0, LISTED), ...more].join('; ');
}

function* differences(expected: unknown, got: unknown, path: string): Iterable<string> {
  if (isDeepStrictEqual(expected, got)) return;
  if (Array.isArray(expected) && Array.isArray(got)) yield* inLists(expected, got, path);
  else if (isRecord(expected) && isRecord(got)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(got)]))
      yield* differences(expected[name], got[name], path === '' ? name : `${path}.${name}`);
  } else yield `${path === '' ? '' : `${path}: `}expected ${shown(expected)}, got ${shown(got)}`;
}

function* inLists(expected: readonly unknown[], got: readonly unknown[], path: string): Iterable<string> {
  const missing = without(expected, got);
  const unexpected = without(got, expected);
  if (missing.length === 0 && unexpected.length === 0) {
    const order = got.map((element) => expected.findIndex((other) => isDeepStrictEqual(element, other)));
    yield `${path}[]: got the expected elements in the wrong order: ${order.map((i) => `[${i}]`).join(', ')}`;
    return;
  }
  for (const element of unexpected) {
    const like = likest(element, missing);
    if (like === undefined) {
      yield `${path}[]: got ${shown(element)}, which is not expected`;
      continue;
    }
    missing.splice(missing.indexOf(like), 1);
    yield* differences(like, element, `${path}[${expected.indexOf(like)}]`);
  }
  for (const element of missing) yield `${path}[${expected.indexOf(element)}]: expected ${shown(element)}, got none`;
}

/**
 * Returns the elements of a list that have no equal element in the other list. Each element of the other list matches
 * at most one element.
 */
function without(list: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = [...others];
  return list.filter((element) => {
    const found = left.findIndex((other) => isDeepStrictEqual(element, other));
    if (found !== -1) left.splice(found, 1);
    return found === -1;
  });
}

/** Returns the candidate that shares the most fields with a value; undefined if it shares fewer than half of them. */
export function likest<T>(
  value: unknown,
  candidates: readonly T[],
  fieldsOf: (candidate: T) => unknown = (candidate) => candidate,
): T | undefined {
  const rated = candidates.map((candidate) => ({ candidate, share: shareOf(fieldsOf(candidate), value) }));
  const alike = rated.filter(({ share }) => share >= 0.5);
  return alike.toSorted((a, b) => b.share - a.share)[0]?.candidate;
}

/** The proportion of fields that two values have in common. */
function shareOf(a: unknown, b: unknown): number {
  if (!isRecord(a) || !isRecord(b)) return 0;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const same = [...names].filter((name) => isDeepStrictEqual(a[name], b[name]));
  return names.size === 0 ? 0 : same.length / names.size;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}

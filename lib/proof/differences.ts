import { isDeepStrictEqual } from 'node:util';

/** How many differences are told; the rest are counted. */
const TOLD = 8;

/**
 * What of a value is not as expected, each with its place: `lines[1].count: expected 2, got 3`. Elements of lists are told by
 * what they are like, so that one that is missing does not make all that follow differ.
 */
export function differencesOf(expected: unknown, got: unknown): string {
  const all = [...differences(expected, got, '')];
  const more = all.length > TOLD ? [`and ${all.length - TOLD} more`] : [];
  return [...all.slice(0, TOLD), ...more].join('; ');
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
  const strange = without(got, expected);
  if (missing.length === 0 && strange.length === 0) {
    const order = got.map((one) => expected.findIndex((other) => isDeepStrictEqual(one, other)));
    yield `${path}[]: expected them in another order, got ${order.map((i) => `[${i}]`).join(', ')}`;
    return;
  }
  for (const one of strange) {
    const like = likest(one, missing);
    if (like === undefined) {
      yield `${path}[]: got ${shown(one)}, which is not expected`;
      continue;
    }
    missing.splice(missing.indexOf(like), 1);
    yield* differences(like, one, `${path}[${expected.indexOf(like)}]`);
  }
  for (const one of missing) yield `${path}[${expected.indexOf(one)}]: expected ${shown(one)}, got none`;
}

/** What the one list has and the other has not, each as often as it is there. */
function without(some: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = [...others];
  return some.filter((one) => {
    const found = left.findIndex((other) => isDeepStrictEqual(one, other));
    if (found !== -1) left.splice(found, 1);
    return found === -1;
  });
}

/** The one that has most in common with a value: half of its fields, or more. */
export function likest<T>(value: unknown, among: readonly T[], of: (one: T) => unknown = (one) => one): T | undefined {
  const rated = among.map((one) => ({ one, share: shareOf(of(one), value) })).filter(({ share }) => share >= 0.5);
  return rated.toSorted((a, b) => b.share - a.share)[0]?.one;
}

function shareOf(one: unknown, other: unknown): number {
  if (!isRecord(one) || !isRecord(other)) return 0;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const same = [...names].filter((name) => isDeepStrictEqual(one[name], other[name]));
  return names.size === 0 ? 0 : same.length / names.size;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}

import fc from './fuzz';

/** Data from JSON or from faulty code that a caller may pass in place of a value. */
const JUNK: readonly unknown[] = [
  ...[null, undefined, 0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 2 ** 53, 10n ** 40n, true],
  ...['', 'x', 'a#b', 'a_b', '__proto__', 'constructor', '\ud800', 'x\udc00y', '\u0000', '\uffff', 'é'.repeat(3000)],
  ...[[], {}, [null], { a: null }, { length: 1e9 }, Array(5), Symbol('s'), () => 1],
  ...[new Date(Number.NaN), new Date(0), new Uint8Array(3), new Map([[1, 2]]), new Set(['a'])],
  ...[Object.create(null), JSON.parse('{"__proto__":{"x":1}}'), nested(), circular()],
];

const NAMES = ['__proto__', 'constructor', 'toString', 'length', 'zz', ''];

/** Returns data that is nested too deeply for any recursive function. */
function nested(): unknown {
  let value: unknown = 'x';
  for (let i = 0; i < 20_000; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

function circular(): unknown {
  const value: { itself?: unknown } = {};
  value.itself = value;
  return value;
}

/** A change: its place, its kind, the index of the junk value to use, and the name of a value to add. */
interface Edit {
  readonly place: number;
  readonly kind: 'drop' | 'put' | 'add';
  readonly junk: number;
  readonly name: string;
}

/**
 * Generates a few changes to some data. A change consists of numbers and names only, so that a failure can print it.
 */
export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    place: fc.nat(),
    kind: fc.constantFrom('drop', 'put', 'put', 'put', 'add'),
    junk: fc.nat(JUNK.length - 1),
    name: fc.constantFrom(...NAMES),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Returns a copy of the data with the given changes. */
export function edited(data: unknown, changes: readonly Edit[]): unknown {
  const holder = { data: copied(data) };
  for (const { place, kind, junk, name } of changes) {
    const places = [...placesIn(holder)];
    const [owner, key] = places[place % places.length] as [object, string];
    if (kind === 'drop' && owner !== holder) Reflect.deleteProperty(owner, key);
    else define(owner, kind === 'put' || owner === holder ? key : name, JUNK[junk]);
  }
  return holder.data;
}

function define(owner: object, name: string, value: unknown): void {
  if (Array.isArray(owner)) owner[name in owner && name !== 'length' ? Number(name) : owner.length] = value;
  else Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });
}

function* placesIn(owner: object, depth = 0): Iterable<readonly [object, string]> {
  for (const [name, value] of Object.entries(owner)) {
    yield [owner, name];
    if (depth < 8 && isPlain(value)) yield* placesIn(value, depth + 1);
  }
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one)])) : value;
}

function isPlain(value: unknown): value is object {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  );
}

import {
  type Characters,
  type Edge,
  intersection,
  LAST_CODE_POINT,
  type Language,
  largest,
  meet,
  smallest,
  trimmed,
} from './language';
import { type Ends, endsAt, somewhere } from './walk';

/** Whether a condition holds for all keys and parameter values, for some, or for none. */
export type Verdict = 'always' | 'sometimes' | 'never';

/** A condition on a key. Each bound is a set of strings, because it depends on parameter values. */
export type KeyRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly from: Language; readonly to: Language }
  | {
      readonly kind: 'equals' | 'beginsWith' | 'atLeast' | 'atMost' | 'greaterThan' | 'lessThan';
      readonly at: Language;
    };

/**
 * Decides whether the keys of a language are within a range. The result is exact unless a search takes too long; such a
 * search is assumed to succeed.
 */
export function relate(keys: Language, range: KeyRange): Verdict {
  if (!canBeWithin(keys, range)) return 'never';
  return canBeOutside(keys, range) ? 'sometimes' : 'always';
}

/**
 * Whether some key is within the range for some values of the parameters. Cheaper than `relate`, and usually
 * sufficient.
 */
export function canBeWithin(keys: Language, range: KeyRange): boolean {
  if (range.kind === 'all') return !isEmpty(keys);
  if (range.kind === 'between') return exists(atLeastOneOf(range.from, keys), range.to, atMost);
  return TESTS[range.kind][0](keys, range.at);
}

function canBeOutside(keys: Language, range: KeyRange): boolean {
  if (range.kind === 'all') return false;
  if (range.kind === 'between') return exists(keys, range.from, less) || exists(range.to, keys, less);
  return TESTS[range.kind][1](keys, range.at);
}

/** Whether two sets of strings overlap. */
export function overlaps(a: Language, b: Language): boolean {
  return a === b ? !isEmpty(a) : exists(a, b, equal);
}

type Question = (keys: Language, bound: Language) => boolean;

/** Two tests for each comparison: whether the comparison can hold for a key and a bound, and whether it can fail. */
const TESTS: Readonly<Record<Exclude<KeyRange['kind'], 'all' | 'between'>, readonly [Question, Question]>> = {
  equals: [overlaps, (keys, bound) => exists(keys, bound, different)],
  beginsWith: [(keys, bound) => exists(bound, keys, prefix), (keys, bound) => exists(bound, keys, noPrefix)],
  atLeast: [(keys, bound) => exists(bound, keys, atMost), (keys, bound) => exists(keys, bound, less)],
  atMost: [(keys, bound) => exists(keys, bound, atMost), (keys, bound) => exists(bound, keys, less)],
  greaterThan: [(keys, bound) => exists(bound, keys, less), (keys, bound) => exists(keys, bound, atMost)],
  lessThan: [(keys, bound) => exists(keys, bound, less), (keys, bound) => exists(bound, keys, atMost)],
};

/** A pair of states, one in each language, that are reached by the same characters. */
interface Pair {
  readonly a: Ends;
  readonly b: Ends;
}

/**
 * Whether a relation such as equality can hold between two strings, each of which continues from one state of a pair.
 */
type Relation = (pair: Pair) => boolean;

const equal: Relation = ({ a, b }) => a.accepting && b.accepting;
const prefix: Relation = ({ a }) => a.accepting;
const less: Relation = ({ a, b }) =>
  b.edges.length > 0 && (a.accepting || (a.edges.length > 0 && first(a.edges) < last(b.edges)));
const atMost: Relation = (pair) => equal(pair) || less(pair);
const noPrefix: Relation = ({ a, b }) => a.edges.length > 0 && (b.accepting || canDiffer(a.edges, b.edges));
const different: Relation = (pair) => noPrefix(pair) || (pair.a.accepting && pair.b.edges.length > 0);

/** Whether two strings can continue with different characters. */
function canDiffer(a: readonly Edge[], b: readonly Edge[]): boolean {
  return b.length > 0 && !(first(a) === last(b) && last(a) === first(b));
}

function first(edges: readonly Edge[]): number {
  return edges.reduce((least, { characters }) => Math.min(least, smallest(characters)), Infinity);
}

function last(edges: readonly Edge[]): number {
  return edges.reduce((most, { characters }) => Math.max(most, largest(characters)), -Infinity);
}

/**
 * Whether a string from one language can have the given relation to a string from the other language. The search visits
 * all shared prefixes.
 */
function exists(a: Language, b: Language, relation: Relation): boolean {
  if (isEmpty(a) || isEmpty(b)) return false;
  return somewhere(a, b, (atA, atB) => relation({ a: endsAt(a, atA), b: endsAt(b, atB) }));
}

function isEmpty({ accepting }: Language): boolean {
  return !accepting.includes(true);
}

/**
 * Returns the keys that are equal to or greater than at least one bound. After a shared prefix, only the bounds with
 * the smallest next character matter, because a key that is greater than one of the others is also greater than these.
 */
function atLeastOneOf(bounds: Language, keys: Language): Language {
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  const numbers = new Map<number, number>();
  const pending: (readonly [number | undefined, number])[] = [];
  // Each new state is a pair: a state of the bounds and a state of the keys. If the state of the bounds is undefined,
  // the key is already greater than some bound.
  const stateOf = (bound: number | undefined, key: number): number => {
    const name = (bound === undefined ? 0 : bound + 1) * keys.edges.length + key;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    pending.push([bound, key]);
    return numbers.size - 1;
  };
  stateOf(0, 0);
  for (const [bound, key] of pending) {
    const onwards = keys.edges[key] as readonly Edge[];
    const reached = bound === undefined || bounds.accepting[bound] === true;
    accepting.push(reached && keys.accepting[key] === true);
    if (reached) {
      edges.push(onwards.map(({ characters, to }) => ({ characters, to: stateOf(undefined, to) })));
      continue;
    }
    const ways = bounds.edges[bound] as readonly Edge[];
    const least = first(ways);
    const same: Characters = [[least, least]];
    const next = ways.filter(({ characters }) => smallest(characters) === least);
    edges.push(
      onwards.flatMap(({ characters, to }): readonly Edge[] => {
        const above = intersection(characters, [[least + 1, LAST_CODE_POINT]]);
        return [
          ...(above.length === 0 ? [] : [{ characters: above, to: stateOf(undefined, to) }]),
          ...(meet(characters, same) ? next.map((way) => ({ characters: same, to: stateOf(way.to, to) })) : []),
        ];
      }),
    );
  }
  return trimmed({ edges, accepting });
}

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

/** Whether a condition holds for all keys and parameters, for some, or for none. */
export type Verdict = 'always' | 'sometimes' | 'never';

/** A condition on a key, whose bounds are themselves sets of strings: one string for each value of a parameter. */
export type KeyRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly from: Language; readonly to: Language }
  | {
      readonly kind: 'equals' | 'beginsWith' | 'atLeast' | 'atMost' | 'greaterThan' | 'lessThan';
      readonly at: Language;
    };

/** Decides, exactly, whether keys of a language are within a range. */
export function relate(keys: Language, range: KeyRange): Verdict {
  if (!canBeWithin(keys, range)) return 'never';
  return canBeOutside(keys, range) ? 'sometimes' : 'always';
}

/** Whether there is a key within the range, for some parameters: most that want to know no more need not pay for it. */
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

/** Whether two sets of strings have one in common. */
export function overlaps(a: Language, b: Language): boolean {
  return a === b ? !isEmpty(a) : exists(a, b, equal);
}

type Question = (keys: Language, bound: Language) => boolean;

/** For each comparison: is there a key and a bound for which it holds, and one for which it fails? */
const TESTS: Readonly<Record<Exclude<KeyRange['kind'], 'all' | 'between'>, readonly [Question, Question]>> = {
  equals: [overlaps, (keys, bound) => exists(keys, bound, different)],
  beginsWith: [(keys, bound) => exists(bound, keys, prefix), (keys, bound) => exists(bound, keys, noPrefix)],
  atLeast: [(keys, bound) => exists(bound, keys, atMost), (keys, bound) => exists(keys, bound, less)],
  atMost: [(keys, bound) => exists(keys, bound, atMost), (keys, bound) => exists(bound, keys, less)],
  greaterThan: [(keys, bound) => exists(bound, keys, less), (keys, bound) => exists(keys, bound, atMost)],
  lessThan: [(keys, bound) => exists(keys, bound, less), (keys, bound) => exists(bound, keys, atMost)],
};

/** Two states that were reached by the same characters. */
interface Pair {
  readonly a: Ends;
  readonly b: Ends;
}

interface Ends {
  readonly accepting: boolean;
  readonly edges: readonly Edge[];
}

/** What strings that go on from a pair of states can be to one another. */
type Relation = (pair: Pair) => boolean;

const equal: Relation = ({ a, b }) => a.accepting && b.accepting;
const prefix: Relation = ({ a }) => a.accepting;
const less: Relation = ({ a, b }) =>
  (a.accepting && b.edges.length > 0) || someEdges(a, b, (x, y) => smallest(x) < largest(y));
const atMost: Relation = (pair) => equal(pair) || less(pair);
const noPrefix: Relation = ({ a, b }) => (b.accepting && a.edges.length > 0) || someEdges(a, b, canDiffer);
const different: Relation = (pair) => noPrefix(pair) || (pair.a.accepting && pair.b.edges.length > 0);

function someEdges(a: Ends, b: Ends, test: (x: Characters, y: Characters) => boolean): boolean {
  return a.edges.some((x) => b.edges.some((y) => test(x.characters, y.characters)));
}

function canDiffer(x: Characters, y: Characters): boolean {
  return smallest(x) !== largest(y) || largest(x) !== smallest(y);
}

/** Whether there are strings of both languages in this relation: a walk over all common beginnings. */
function exists(a: Language, b: Language, relation: Relation): boolean {
  if (isEmpty(a) || isEmpty(b)) return false;
  const width = b.edges.length;
  const seen = new Set([0]);
  for (const pair of seen) {
    const [atA, atB] = [Math.floor(pair / width), pair % width];
    const ends = { a: endsAt(a, atA), b: endsAt(b, atB) };
    if (relation(ends)) return true;
    for (const x of ends.a.edges) {
      for (const y of ends.b.edges) {
        if (meet(x.characters, y.characters)) seen.add(x.to * width + y.to);
      }
    }
  }
  return false;
}

function isEmpty({ accepting }: Language): boolean {
  return !accepting.includes(true);
}

function endsAt(language: Language, state: number): Ends {
  return { accepting: language.accepting[state] === true, edges: language.edges[state] as readonly Edge[] };
}

/** The keys that are not below every bound: those for which some bound is the same, or less. */
function atLeastOneOf(bounds: Language, keys: Language): Language {
  const edges: Edge[][] = [];
  const accepting: boolean[] = [];
  const numbers = new Map<string, number>();
  const pending: (readonly [number | undefined, number])[] = [];
  // A pair walks along a bound and a key alike; a key without a bound has been found greater than one.
  const stateOf = (bound: number | undefined, key: number): number => {
    const name = `${bound} ${key}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    pending.push([bound, key]);
    return numbers.size - 1;
  };
  stateOf(0, 0);
  for (const [bound, key] of pending) {
    const reached = bound === undefined || bounds.accepting[bound] === true;
    const ways = (keys.edges[key] as readonly Edge[]).flatMap(({ characters, to }): Edge[] => {
      if (reached) return [{ characters, to: stateOf(undefined, to) }];
      return (bounds.edges[bound] as readonly Edge[]).flatMap((edge) =>
        [
          { characters: intersection(characters, edge.characters), to: () => stateOf(edge.to, to) },
          { characters: intersection(characters, above(edge.characters)), to: () => stateOf(undefined, to) },
        ]
          .filter((way) => way.characters.length > 0)
          .map((way) => ({ characters: way.characters, to: way.to() })),
      );
    });
    edges.push(ways);
    accepting.push(reached && keys.accepting[key] === true);
  }
  return trimmed({ edges, accepting });
}

function above(characters: Characters): Characters {
  const least = smallest(characters);
  return least === LAST_CODE_POINT ? [] : [[least + 1, LAST_CODE_POINT]];
}

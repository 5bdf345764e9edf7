import {
  allBut,
  type Characters,
  type Edge,
  intersection,
  type Language,
  languageOf,
  only,
  type Piece,
} from './language';
import { overlaps } from './relation';
import { meeting } from './walk';

/** A string that two languages share. */
export interface Common {
  readonly text: string;
  /** Returns the characters of the text that come from the given part of the first or the second language. */
  within(side: 'first' | 'second', part: Part): string;
}

/** A piece of a language, and the states that belong to this piece once the language is built. */
export interface Part {
  readonly piece: Piece;
  has(state: number): boolean;
}

/** Wraps a piece so that it remembers its own states. */
export function partOf(piece: Piece): Part {
  let [from, to] = [0, 0];
  return {
    piece: (states, ends) => {
      from = states.length;
      const next = piece(states, ends);
      to = states.length;
      return next;
    },
    has: (state) => from <= state && state < to,
  };
}

/**
 * A pair of states, one in each language, that are reached by the same characters, with a link to the preceding pair.
 */
interface Pair {
  readonly before: Pair | undefined;
  readonly character: string;
  readonly first: number;
  readonly second: number;
}

/** The maximum number of pairs of states to visit in a search for a shared string. */
const PATIENCE = 200_000;

/**
 * Finds a shortest string that two languages share; undefined if they share none, and `unknown` if the search takes too
 * long.
 */
export function commonOf(a: Language, b: Language): Common | 'unknown' | undefined {
  if (!overlaps(a, b)) return undefined;
  const width = b.edges.length;
  const seen = new Set([0]);
  const walked: Pair[] = [{ before: undefined, character: '', first: 0, second: 0 }];
  for (const pair of walked) {
    if (a.accepting[pair.first] && b.accepting[pair.second]) return common(pair);
    if (walked.length > PATIENCE) break;
    for (const [x, y] of meeting(a.edges[pair.first] as readonly Edge[], b.edges[pair.second] as readonly Edge[])) {
      const number = x.to * width + y.to;
      if (seen.has(number)) continue;
      seen.add(number);
      const character = shown(intersection(x.characters, y.characters));
      walked.push({ before: pair, character, first: x.to, second: y.to });
    }
  }
  return 'unknown';
}

function common(last: Pair): Common {
  const walked: Pair[] = [];
  for (let pair: Pair | undefined = last; pair !== undefined; pair = pair.before) walked.unshift(pair);
  const textOf = (some: readonly Pair[]) => some.map(({ character }) => character).join('');
  return {
    text: textOf(walked),
    within: (side, part) => textOf(walked.filter((pair) => part.has(pair[side]))),
  };
}

/** Returns a familiar character from the set if there is one, or else the first visible character. */
function shown(characters: Characters): string {
  const known = [...'abcxyz019AZ-_'].find((character) => intersection(characters, only(character)).length > 0);
  if (known !== undefined) return known;
  const [[first] = [0]] = [...intersection(characters, [[0x21, 0xd7ff]]), ...characters];
  return String.fromCodePoint(first);
}

/** Returns a piece that accepts everything that `piece` accepts, except `text`. */
export function except(text: string, piece: Piece): Piece {
  const { edges, accepting } = languageOf([piece]);
  const characters = Array.from(text);
  // Each new state combines a state of the piece with the number of characters of `text` that match so far. The number
  // `strayed` means that the string already differs from `text`.
  const strayed = characters.length + 1;
  return (states, ends) => {
    const first = states.length;
    const stateOf = (state: number, read: number) => first + state * (strayed + 1) + read;
    const waysFrom = (state: number, read: number): Edge[] =>
      (edges[state] as readonly Edge[]).flatMap((edge) => {
        const next = characters[read];
        const along = next === undefined ? [] : intersection(edge.characters, only(next));
        const astray = next === undefined ? edge.characters : intersection(edge.characters, allBut(next));
        return [
          { characters: along, to: stateOf(edge.to, read + 1) },
          { characters: astray, to: stateOf(edge.to, strayed) },
        ].filter((way) => way.characters.length > 0);
      });
    const all = edges.flatMap((_, state) => Array.from({ length: strayed + 1 }, (__, read) => ({ state, read })));
    for (const { state, read } of all) states.push(waysFrom(state, read));
    for (const end of ends) (states[end] as Edge[]).push(...waysFrom(0, 0));
    const whole = all.filter(({ state, read }) => state > 0 && accepting[state] && read !== characters.length);
    const atOnce = accepting[0] && characters.length > 0 ? ends : [];
    return [...atOnce, ...whole.map(({ state, read }) => stateOf(state, read))];
  };
}

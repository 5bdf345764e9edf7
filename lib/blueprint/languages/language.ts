/**
 * A set of strings, represented by a small automaton over Unicode code points, since DynamoDB and Azure compare keys in
 * code point order. Every state can reach an accepting state, so any path from the start spells a prefix of some string
 * in the set.
 */
export interface Language {
  /** The edges from each state; state 0 is the start. */
  readonly edges: readonly (readonly Edge[])[];
  readonly accepting: readonly boolean[];
}

export interface Edge {
  readonly characters: Characters;
  readonly to: number;
}

/** Ranges of code points, in order and without overlap. */
export type Characters = readonly Range[];

type Range = readonly [from: number, to: number];

/** Appends a piece of a string to every state in `ends`, and returns the states in which the piece ends. */
export type Piece = (states: Edge[][], ends: readonly number[]) => readonly number[];

export const LAST_CODE_POINT = 0x10ffff;

/** Returns the language of all strings that consist of the given pieces in sequence. */
export function languageOf(pieces: readonly Piece[]): Language {
  const edges: Edge[][] = [[]];
  const ends = new Set(sequence(pieces)(edges, [0]));
  return trimmed({ edges, accepting: edges.map((_, state) => ends.has(state)) });
}

/** Removes the edges to states that cannot reach an accepting state. */
export function trimmed(whole: Language): Language {
  const { edges, accepting } = whole;
  const alive = [...accepting];
  for (let changed = true; changed; ) {
    changed = false;
    // The loop runs backwards, because most edges lead to later states, which should be decided first.
    for (let state = edges.length - 1; state >= 0; state--) {
      if (!alive[state] && edges[state]?.some(({ to }) => alive[to])) {
        alive[state] = true;
        changed = true;
      }
    }
  }
  return alive.includes(false) ? { edges: edges.map((ways) => ways.filter(({ to }) => alive[to])), accepting } : whole;
}

export function text(literal: string): Piece {
  const characters = Array.from(literal, only);
  return (states, ends) => characters.reduce((at, character) => append(states, at, character), ends);
}

export function one(characters: Characters): Piece {
  return (states, ends) => append(states, ends, characters);
}

function append(states: Edge[][], ends: readonly number[], characters: Characters): readonly number[] {
  if (ends.length === 0) return [];
  const next = states.push([]) - 1;
  for (const end of ends) (states[end] as Edge[]).push({ characters, to: next });
  return [next];
}

export function times(count: number, characters: Characters): Piece {
  return sequence(Array.from({ length: count }, () => one(characters)));
}

/** Accepts any sequence of one or more of the given characters. */
export function many(characters: Characters): Piece {
  return (states, ends) => {
    const next = one(characters)(states, ends);
    for (const state of next) (states[state] as Edge[]).push({ characters, to: state });
    return next;
  };
}

export function sequence(pieces: readonly Piece[]): Piece {
  return (states, ends) => pieces.reduce((at, piece) => piece(states, at), ends);
}

export function either(...pieces: readonly Piece[]): Piece {
  return (states, ends) => [...new Set(pieces.flatMap((piece) => piece(states, ends)))];
}

export const nothing: Piece = (_states, ends) => ends;

export const ANY: Characters = [[0, LAST_CODE_POINT]];
export const DIGIT = range('0', '9');

/** Caches single-character sets, since most of a key is literal text with few different characters. */
const singles = new Map<string, Characters>();

export function only(character: string): Characters {
  let single = singles.get(character);
  if (single === undefined) {
    single = range(character, character);
    singles.set(character, single);
  }
  return single;
}

export function range(from: string, to: string): Characters {
  return [[from.codePointAt(0) as number, to.codePointAt(0) as number]];
}

/** Returns all characters except the given character; all characters if the argument is empty. */
export function allBut(character: string): Characters {
  const point = character.codePointAt(0) ?? -1;
  const sides: [number, number][] = [
    [0, point - 1],
    [point + 1, LAST_CODE_POINT],
  ];
  return sides.filter(([from, to]) => from <= to);
}

export function union(...sets: readonly Characters[]): Characters {
  return sets.flat().sort(([a], [b]) => a - b);
}

export function intersection(a: Characters, b: Characters): Characters {
  const common: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [fromA, toA] = a[i] as Range;
    const [fromB, toB] = b[j] as Range;
    if (fromA <= toB && fromB <= toA) common.push([Math.max(fromA, fromB), Math.min(toA, toB)]);
    // The range that ends first cannot overlap with any later range.
    if (toA < toB) i++;
    else j++;
  }
  return common;
}

/** Whether two sets of characters overlap. */
export function meet(a: Characters, b: Characters): boolean {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [fromA, toA] = a[i] as Range;
    const [fromB, toB] = b[j] as Range;
    if (fromA <= toB && fromB <= toA) return true;
    if (toA < toB) i++;
    else j++;
  }
  return false;
}

export function smallest(characters: Characters): number {
  return (characters[0] as Range)[0];
}

export function largest(characters: Characters): number {
  return (characters[characters.length - 1] as Range)[1];
}

import { mapParts, type Part, type Template } from '../../design/template';
import { partOf } from './common';
import { type KeySpace, pieceOf } from './keys';
import { type Edge, type Language, languageOf, text } from './language';
import { meeting } from './walk';

/** The maximum number of steps in a search for two readings of one key. */
const PATIENCE = 300_000;

/**
 * Finds the first part whose end is ambiguous, so that a key can be read in two ways; `unknown` if the search takes too
 * long.
 */
export function ambiguousPart(template: Template, space: KeySpace): Part | 'unknown' | undefined {
  const marked = mapParts(
    template,
    (literal) => partOf(text(literal)),
    (part) => partOf(pieceOf(part, space)),
  );
  const language = languageOf(marked.map(({ piece }) => piece));
  const owners = new Map<number, number>();
  const ownerOf = (state: number): number => {
    const known = owners.get(state) ?? marked.findIndex(({ has }) => has(state));
    owners.set(state, known);
    return known;
  };
  const at = firstSplit(language, ownerOf);
  if (at === undefined || at === 'unknown') return at;
  const places = mapParts(
    template,
    () => undefined,
    (part) => part,
  );
  return places[at];
}

/** Follows two readings of the same text, and finds the part where they diverge, if both readings reach an end. */
function firstSplit(
  { edges, accepting }: Language,
  ownerOf: (state: number) => number,
): number | 'unknown' | undefined {
  const width = edges.length;
  const seen = new Map<number, number | undefined>([[0, undefined]]);
  const queue: number[] = [0];
  let looks = 0;
  for (const named of queue) {
    const split = seen.get(named);
    const pair = named >= width * width ? named - width * width : named;
    const [one, other] = [Math.floor(pair / width), pair % width];
    if (split !== undefined && accepting[one] && accepting[other]) return split;
    const ways = meeting(edges[one] as readonly Edge[], edges[other] as readonly Edge[]);
    looks += ways.length + (edges[one]?.length ?? 0) + (edges[other]?.length ?? 0) + 1;
    if (looks > PATIENCE) return 'unknown';
    for (const [x, y] of ways) {
      // Swapping the two states of a pair makes no difference, so each pair is visited in one order only.
      const [low, high] = x.to <= y.to ? [x.to, y.to] : [y.to, x.to];
      const parted = split ?? (ownerOf(low) === ownerOf(high) ? undefined : Math.max(ownerOf(one), 0));
      const name = low * width + high + (parted === undefined ? 0 : width * width);
      if (seen.has(name)) continue;
      seen.set(name, parted);
      queue.push(name);
    }
  }
  return undefined;
}

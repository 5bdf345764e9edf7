import { type Characters, type Edge, only, type Piece } from './language';

/**
 * A rest is what can follow a prefix of the listed strings: the end of a string, or a character and then another rest.
 */
interface Rest {
  readonly accepting: boolean;
  /** Edges to other rests; the target of each edge is the number of a rest. */
  readonly ways: readonly Edge[];
}

/**
 * Accepts any of the given strings. Shared prefixes and suffixes are stored once, because comparing two long lists
 * would otherwise take one step per pair of strings.
 */
export function oneOf(texts: readonly string[]): Piece {
  const rests = restsOf(texts);
  return (states, ends) => {
    if (ends.length === 0) return [];
    const [root, ...others] = rests.toReversed() as [Rest, ...Rest[]];
    // Reverses `rests`, because each rest in the list comes after the rests to which it leads, but an edge must lead to
    // a later state.
    const last = states.length + others.length - 1;
    const next: number[] = root.accepting ? [...ends] : [];
    for (const { accepting, ways } of others) {
      if (accepting) next.push(states.length);
      states.push(ways.map(({ characters, to }) => ({ characters, to: last - to })));
    }
    for (const { characters, to } of root.ways) {
      for (const end of ends) (states[end] as Edge[]).push({ characters, to: last - to });
    }
    return next;
  };
}

/** An unfinished rest: the characters that can follow, and the number of the rest to which each character leads. */
interface Open {
  readonly character: number;
  accepting: boolean;
  readonly points: number[];
  readonly to: number[];
}

/**
 * Returns the smallest set of rests for all strings. Each rest comes after the rests to which it leads, so the root is
 * last. In sorted order, strings with the same prefix are neighbors, so a rest is complete as soon as the next string
 * has a different prefix.
 */
function restsOf(texts: readonly string[]): readonly Rest[] {
  const rests: Rest[] = [];
  const numbers = new Map<string | number, number>();
  const path: Open[] = [open(-1)];
  /** Returns the number of a complete rest; equal rests share a number. */
  const settle = ({ accepting, points, to }: Open): number => {
    const name = nameOf(accepting, points, to);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, rests.length);
    return rests.push({ accepting, ways: waysOf(points, to) }) - 1;
  };
  const close = (length: number) => {
    while (path.length > length) {
      const done = path.pop() as Open;
      const before = path.at(-1) as Open;
      before.points.push(done.character);
      before.to.push(settle(done));
    }
  };
  for (const text of [...texts].sort()) {
    let depth = 0;
    for (const character of text) {
      const point = character.codePointAt(0) as number;
      depth++;
      if (path[depth]?.character === point) continue;
      close(depth);
      path.push(open(point));
    }
    close(depth + 1);
    (path[depth] as Open).accepting = true;
  }
  close(1);
  const [{ accepting, points, to }] = path as [Open];
  return [...rests, { accepting, ways: waysOf(points, to) }];
}

function open(character: number): Open {
  return { character, accepting: false, points: [], to: [] };
}

/** Returns a name that equal rests share. If only one character can follow, as in most rests, the name is a number. */
function nameOf(accepting: boolean, points: readonly number[], to: readonly number[]): string | number {
  if (points.length === 1) return (2 * (points[0] as number) + Number(accepting)) * 2 ** 30 + (to[0] as number);
  return `${accepting} ${points.map((point, i) => `${point} ${to[i]}`).join()}`;
}

function waysOf(points: readonly number[], to: readonly number[]): readonly Edge[] {
  if (points.length === 1)
    return [{ characters: only(String.fromCodePoint(points[0] as number)), to: to[0] as number }];
  const byRest = new Map<number, number[]>();
  for (const [i, rest] of to.entries()) {
    const leading = byRest.get(rest) ?? [];
    byRest.set(rest, leading);
    leading.push(points[i] as number);
  }
  return Array.from(byRest, ([rest, leading]) => ({ characters: rangesOf(leading), to: rest }));
}

function rangesOf(points: number[]): Characters {
  const ranges: [number, number][] = [];
  for (const point of points.sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && point <= last[1] + 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}

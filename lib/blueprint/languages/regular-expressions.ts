import {
  ANY,
  type Characters,
  DIGIT,
  type Edge,
  either,
  intersection,
  LAST_CODE_POINT,
  many,
  nothing,
  one,
  type Piece,
  range,
  sequence,
  union,
} from './language';

/**
 * Returns a piece that accepts every string that a regular expression matches. The piece may accept more strings,
 * because the parser ignores lookaheads and lookbehinds. Returns undefined if the expression uses a feature that this
 * parser does not support.
 */
export function matchesOf(source: string, flags: string, legal: Characters): Piece | undefined {
  if (/[^gimsuvdy]/.test(flags) || source.length > 2_000) return undefined;
  try {
    return new Reader(source, flags.includes('i'), legal).whole();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

/** The parser treats a repetition count above this number as unlimited. */
const MOST = 64;

const WORD = union(DIGIT, range('A', 'Z'), [[0x5f, 0x5f]], range('a', 'z'));
const SPACE: Characters = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const CLASSES: Readonly<Record<string, Characters>> = {
  d: DIGIT,
  D: others(DIGIT),
  w: WORD,
  W: others(WORD),
  s: SPACE,
  S: others(SPACE),
};
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

class Reader {
  private at = 0;
  private readonly characters: readonly string[];

  public constructor(
    source: string,
    private readonly ignoresCase: boolean,
    private readonly legal: Characters,
  ) {
    this.characters = Array.from(source);
  }

  public whole(): Piece {
    const piece = this.choice(true);
    if (this.at < this.characters.length) throw new Unknown();
    return piece;
  }

  /**
   * Parses the alternatives of an expression. Outside of groups, any text may come before an alternative without `^`,
   * and any text may follow an alternative without `$`.
   */
  private choice(outside = false): Piece {
    const pieces = [this.run(outside)];
    while (this.skips('|')) pieces.push(this.run(outside));
    return pieces.length === 1 ? (pieces[0] as Piece) : either(...pieces);
  }

  private run(outside: boolean): Piece {
    const pieces: Piece[] = [];
    const isBegun = this.skips('^');
    let isEnded = false;
    while (this.at < this.characters.length && !this.isNext('|') && !this.isNext(')')) {
      if (isEnded) throw new Unknown();
      if (this.skips('$')) isEnded = true;
      else if (this.isNext('^')) throw new Unknown();
      else pieces.push(this.repeated(this.atom()));
    }
    // This parser supports no anchor inside a group, because the anchor would also affect the text outside of the
    // group.
    if (!outside) {
      if (isBegun || isEnded) throw new Unknown();
      return sequence(pieces);
    }
    return sequence([...(isBegun ? [] : [this.anything()]), ...pieces, ...(isEnded ? [] : [this.anything()])]);
  }

  private anything(): Piece {
    return either(nothing, many(this.legal));
  }

  private repeated(piece: Piece): Piece {
    const [least, most] = this.count();
    this.skips('?');
    if (least > MOST) return sequence([sequence(Array.from({ length: MOST }, () => piece)), anyNumberOf(piece)]);
    const needed = Array.from({ length: least }, () => piece);
    if (most === least) return sequence(needed);
    if (most - least > MOST) return sequence([...needed, anyNumberOf(piece)]);
    // `x{0,2}` is equivalent to `(x(x)?)?`.
    let rest: Piece = nothing;
    for (let i = least; i < most; i++) rest = either(nothing, sequence([piece, rest]));
    return sequence([...needed, rest]);
  }

  private count(): readonly [number, number] {
    if (this.skips('*')) return [0, Infinity];
    if (this.skips('+')) return [1, Infinity];
    if (this.skips('?')) return [0, 1];
    if (!this.isNext('{')) return [1, 1];
    const rest = this.characters.slice(this.at, this.at + 16).join('');
    const [all, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(rest) ?? [];
    if (all === undefined) throw new Unknown();
    this.at += all.length;
    const from = Number(least);
    return [from, comma === '' ? from : most === '' ? Infinity : Number(most)];
  }

  private atom(): Piece {
    if (this.skips('(')) return this.group();
    if (this.skips('[')) return this.some(this.set());
    if (this.skips('.'))
      return this.some(
        others([
          [10, 10],
          [13, 13],
          [0x2028, 0x2029],
        ]),
      );
    if (this.skips('\\')) {
      const next = this.next();
      if (next === 'b' || next === 'B') return nothing;
      return this.some(this.escaped(next));
    }
    const next = this.next();
    if ('*+?{}]'.includes(next)) throw new Unknown();
    return this.some(points(next));
  }

  private group(): Piece {
    let isLook = false;
    if (this.skips('?')) {
      const kind = this.next();
      if (kind === '=' || kind === '!') isLook = true;
      else if (kind === '<') {
        if (this.isNext('=') || this.isNext('!')) isLook = true;
        else while (this.next() !== '>');
      } else if (kind !== ':') throw new Unknown();
    }
    if (isLook) return this.leftOut();
    const piece = this.choice();
    if (!this.skips(')')) throw new Unknown();
    return piece;
  }

  /** Skips a lookahead or a lookbehind. */
  private leftOut(): Piece {
    for (let depth = 1; depth > 0; ) {
      const next = this.next();
      if (next === '\\') this.next();
      else if (next === '[') this.set();
      else depth += next === '(' ? 1 : next === ')' ? -1 : 0;
    }
    return nothing;
  }

  private set(): Characters {
    const isNegated = this.skips('^');
    const members: Characters[] = [];
    while (!this.skips(']')) {
      const from = this.member();
      if (this.isNext('-') && this.characters[this.at + 1] !== ']') {
        this.at++;
        const to = this.member();
        if (from.length !== 1 || to.length !== 1) throw new Unknown();
        members.push([[(from[0] as readonly number[])[0] as number, (to[0] as readonly number[])[1] as number]]);
      } else members.push(from);
    }
    const set = merged(this.ignoresCase ? members.map(inBothCases) : members);
    return isNegated ? others(set) : set;
  }

  private member(): Characters {
    if (!this.skips('\\')) return points(this.next());
    const next = this.next();
    return next === 'b' ? points('\b') : this.escaped(next);
  }

  private escaped(next: string): Characters {
    if (Object.hasOwn(CLASSES, next)) return CLASSES[next] as Characters;
    if (Object.hasOwn(ESCAPES, next)) return [[ESCAPES[next] as number, ESCAPES[next] as number]];
    if (next === 'x' || next === 'u') return this.coded(next === 'x' ? 2 : 4);
    // This parser supports neither Unicode properties nor backreferences.
    if (/[A-Za-z1-9]/.test(next)) throw new Unknown();
    return points(next);
  }

  private coded(digits: number): Characters {
    const code = this.characters.slice(this.at, this.at + digits).join('');
    if (!/^[\da-f]+$/i.test(code) || code.length !== digits) throw new Unknown();
    this.at += digits;
    const point = Number.parseInt(code, 16);
    return [[point, point]];
  }

  private some(characters: Characters): Piece {
    const possible = intersection(this.ignoresCase ? inBothCases(characters) : characters, this.legal);
    return possible.length === 0 ? () => [] : one(possible);
  }

  private next(): string {
    const next = this.characters[this.at++];
    if (next === undefined) throw new Unknown();
    return next;
  }

  private isNext(character: string): boolean {
    return this.characters[this.at] === character;
  }

  private skips(character: string): boolean {
    const isNext = this.isNext(character);
    if (isNext) this.at++;
    return isNext;
  }
}

/** Repeats a piece any number of times, including zero: wherever the piece ends, it can begin again. */
function anyNumberOf(piece: Piece): Piece {
  return (states, ends) => {
    if (ends.length === 0) return [];
    const start = states.push([]) - 1;
    const inner = piece(states, [start]).filter((end) => end !== start);
    const ways = [...(states[start] as Edge[])];
    for (const end of new Set([...ends, ...inner])) (states[end] as Edge[]).push(...ways);
    return [...new Set([...ends, ...inner])];
  };
}

function points(character: string): Characters {
  const point = character.codePointAt(0) as number;
  return [[point, point]];
}

function others(characters: Characters): Characters {
  const found: [number, number][] = [];
  let next = 0;
  for (const [from, to] of characters) {
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST_CODE_POINT) found.push([next, LAST_CODE_POINT]);
  return found;
}

function merged(sets: readonly Characters[]): Characters {
  const found: [number, number][] = [];
  for (const [from, to] of union(...sets)) {
    const last = found.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/**
 * Returns the characters in both upper and lower case. If any character is not ASCII, returns all characters, which is
 * a safe superset.
 */
function inBothCases(characters: Characters): Characters {
  const shifted = (from: string, to: string, by: number): Characters =>
    intersection(characters, range(from, to)).map(([a, b]) => [a + by, b + by] as const);
  const foreign = intersection(characters, [[0x80, LAST_CODE_POINT]]).length > 0;
  return foreign ? ANY : merged([characters, shifted('a', 'z', -32), shifted('A', 'Z', 32)]);
}

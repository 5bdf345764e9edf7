import { type Edge, type Language, meet } from './language';

/** The state to which a string leads in a language. */
export interface Ends {
  readonly accepting: boolean;
  readonly edges: readonly Edge[];
}

export function endsAt(language: Language, state: number): Ends {
  return { accepting: language.accepting[state] === true, edges: language.edges[state] as readonly Edge[] };
}

/**
 * The maximum number of pairs of edges that one search examines. A search follows two keys along their shared text, and
 * usually takes about one step per character. It takes more steps only where adjacent parts have no clear boundary.
 */
const PATIENCE = 2_000_000;

/**
 * Whether a test holds for any pair of states, one in each language, that are reached by the same string. After
 * `PATIENCE` steps without a result, the search returns true, because `false` requires a proof.
 */
export function somewhere(a: Language, b: Language, test: (atA: number, atB: number) => boolean): boolean {
  const width = b.edges.length;
  const seen = new Set([0]);
  let looks = 0;
  for (const pair of seen) {
    const [atA, atB] = [Math.floor(pair / width), pair % width];
    if (test(atA, atB)) return true;
    const [from, to] = [a.edges[atA] as readonly Edge[], b.edges[atB] as readonly Edge[]];
    for (const [x, y] of meeting(from, to)) {
      seen.add(x.to * width + y.to);
      looks++;
    }
    looks++;
    if (looks > PATIENCE) return true;
  }
  return false;
}

/** Returns the pairs of edges whose characters overlap. */
export function meeting(a: readonly Edge[], b: readonly Edge[]): readonly (readonly [Edge, Edge])[] {
  if (a.length * b.length > FEW) return swept(a, b);
  const found: (readonly [Edge, Edge])[] = [];
  for (const x of a) {
    for (const y of b) if (meet(x.characters, y.characters)) found.push([x, y]);
  }
  return found;
}

const FEW = 64;

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly edge: Edge;
  readonly ofA: boolean;
}

/**
 * Like `meeting`, but in a single sweep over all characters, since a long list of values can have thousands of edges.
 */
function swept(a: readonly Edge[], b: readonly Edge[]): readonly (readonly [Edge, Edge])[] {
  const stretches = [...stretchesOf(a, true), ...stretchesOf(b, false)].sort((x, y) => x.from - y.from);
  const found = new Map<Edge, Set<Edge>>();
  let open: Stretch[] = [];
  for (const next of stretches) {
    open = open.filter(({ to }) => to >= next.from);
    for (const other of open) {
      if (other.ofA === next.ofA) continue;
      const [x, y] = next.ofA ? [next.edge, other.edge] : [other.edge, next.edge];
      found.set(x, (found.get(x) ?? new Set()).add(y));
    }
    open.push(next);
  }
  return [...found].flatMap(([x, partners]) => Array.from(partners, (y) => [x, y] as const));
}

function stretchesOf(edges: readonly Edge[], ofA: boolean): readonly Stretch[] {
  return edges.flatMap((edge) => edge.characters.map(([from, to]) => ({ from, to, edge, ofA })));
}

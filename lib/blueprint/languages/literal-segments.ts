import type { Part, Template } from '../../design/template';
import { type Piece, piecesOf } from '../template-parts';

/** The text between two separators of a template; undefined if a value occurs there. */
type Segment = string | undefined;

const cut = new Map<string, WeakMap<Template, readonly Segment[]>>();

/** Splits a template at its separators, which values never contain. Caches the result. */
function segmentsOf(template: Template, separator: string): readonly Segment[] {
  let known = cut.get(separator);
  if (known === undefined) {
    known = new WeakMap();
    cut.set(separator, known);
  }
  let segments = known.get(template);
  if (segments === undefined) {
    segments = piecesOf(template, separator).map(({ text, values }) => (values.length === 0 ? text : undefined));
    known.set(template, segments);
  }
  return segments;
}

/**
 * Whether separators and literal text alone prove that no key of the template `keys` equals, or begins with, a key of
 * the template `bound`. This quick test decides most pairs. If it returns false, callers must compare the keys
 * completely.
 */
export function areApart(
  keys: Template,
  bound: Template,
  separator: string,
  relation: 'equals' | 'beginsWith',
): boolean {
  const [ours, theirs] = [segmentsOf(keys, separator), segmentsOf(bound, separator)];
  const last = theirs.length - 1;
  if (relation === 'equals' ? ours.length !== theirs.length : ours.length < theirs.length) return true;
  return theirs.some((segment, i) => {
    const other = ours[i];
    if (segment === undefined || other === undefined) return false;
    return relation === 'beginsWith' && i === last ? !other.startsWith(segment) : other !== segment;
  });
}

/** Whether the value of a part can be a given text; undefined if the schema does not decide this. */
export type Answer = (part: Part, text: string) => boolean | undefined;

export interface Side {
  readonly template: Template;
  readonly canBe: Answer;
}

/**
 * Whether two keys can be equal. Where one key has literal text and the other has a value, the value's schema decides
 * whether it can be this text. The result is undefined if both keys have a value in the same place, because a decision
 * would need all possible values of both keys. Without a separator, the keys are compared as a whole.
 */
export function canMeet(ours: Side, theirs: Side, separator: string | undefined): boolean | undefined {
  const [a, b] = [piecesOf(ours.template, separator), piecesOf(theirs.template, separator)];
  if (a.length !== b.length) return separator === undefined ? undefined : false;
  const [ofA, ofB] = [new Map<string, string>(), new Map<string, string>()];
  let isDecided = true;
  for (const [i, one] of a.entries()) {
    const other = b[i] as Piece;
    const answer =
      other.values.length === 0
        ? filled(one, other.text, ours.canBe, ofA)
        : one.values.length === 0
          ? filled(other, one.text, theirs.canBe, ofB)
          : undefined;
    if (answer === false) return false;
    isDecided &&= answer === true;
  }
  return isDecided ? true : undefined;
}

/** Whether a piece can become the text `whole`. A part that occurs twice has the same value in both places. */
function filled({ text, values, tail }: Piece, whole: string, canBe: Answer, given: Map<string, string>) {
  const [part, ...more] = values;
  if (part === undefined) return text === whole;
  if (!whole.startsWith(text)) return false;
  if (more.length > 0) return undefined;
  const value = whole.slice(text.length, whole.length - tail.length);
  if (!whole.endsWith(tail) || whole.length <= text.length + tail.length) return false;
  const name = part.format === undefined ? part.name : `${part.name}:${part.format}`;
  const before = given.get(name) ?? value;
  given.set(name, before);
  return before === value && canBe(part, value);
}

import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import {
  hasParts,
  isCountedDown,
  isPieceOfTime,
  partsOf,
  placesOf,
  shownHole,
  templateOf,
  textWith,
} from '../../blueprint/template-parts';
import { isSameName } from '../../blueprint/words';
import type { Hole, Template } from '../../design/template';
import type { Fault, TableRule } from '../finding';
import { keysOf } from '../matching/keys';
import { overlaps } from '../matching/relation';
import { type About, atWhere } from '../places';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../subject';
import { areOfAKind, thingOf, thingsIn, wordBefore } from '../things';

const causes = {
  'of-another-name': 'a parameter with the name of one attribute is where the key has another',
  'whole-time': 'a whole timestamp is where the key has a piece of it',
  'of-another-thing':
    'a parameter is the id of one thing, but comes after the word for another, whose id the key has there (a warning)',
  'of-a-step': 'a value taken from a step is where the key has something it can never be',
} as const;

type Cause = keyof typeof causes;

export const mistakenPart: TableRule<'mistaken-part', Cause> = {
  id: 'mistaken-part',
  severity: 'error',
  why: 'With the wrong value in its place, a key is one that no item has, so the request finds nothing.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      for (const [attribute, bound] of access.entities.length === 0 ? [] : boundsOf(access)) {
        const fault = bound.faults.length === 0 && hasParts(bound) && inBound(table, access, attribute, bound);
        if (fault) yield { ...atWhere(access, attribute, fault.about), ...fault.found };
      }
    }
  },
};

/** An entity with the template of the key that a request asks by. */
interface Candidate {
  readonly entity: EntityBlueprint;
  readonly key: Template;
}

interface Mistaken {
  readonly about: About;
  readonly found: Fault<Cause>;
}

/** The fault of one key, with a fix for all of its wrong parts. */
function inBound(
  table: TableUnderCheck,
  access: PatternAccess,
  attribute: string,
  bound: Template,
): Mistaken | undefined {
  const candidates = access.entities.flatMap((name): readonly Candidate[] => {
    const entity = entityNamed(table.plan, name);
    const source = entity?.keys.get(attribute);
    return entity === undefined || source === undefined || source.natural ? [] : [{ entity, key: source.template }];
  });
  // Nearly all patterns ask for the key word for word.
  if (candidates.length < access.entities.length || candidates.every(({ key }) => key.text === bound.text))
    return undefined;
  const mistakes = new Map<Hole, Mistake>();
  const last = placesOf(bound).find(({ next }) => next === undefined);
  for (const hole of partsOf(bound)) {
    if (hole === last?.hole && isOpen(access, attribute)) continue;
    const mistake = referred(table, access, bound, hole, candidates) ?? named(table, access, bound, hole, candidates);
    if (mistake !== undefined) mistakes.set(hole, mistake);
  }
  const [first] = mistakes;
  if (first === undefined) return undefined;
  const [hole, { cause, message }] = first;
  const proposed = textWith(bound, (part) => mistakes.get(part)?.instead ?? shownHole(part));
  return {
    about: { part: hole.name, proposed },
    found: {
      ...(cause === 'of-another-thing' ? { severity: 'warning' } : {}),
      cause,
      message: `'${bound.text}': ${message}`,
      fix: `write '${proposed}'`,
    },
  };
}

/** Whether the last part may be just the beginning of a value, or a bound that no item has. */
function isOpen({ sort, range }: PatternAccess, attribute: string): boolean {
  return attribute === sort?.name && range.kind !== 'equals';
}

interface Mistake {
  readonly cause: Cause;
  readonly message: string;
  /** What belongs there. */
  readonly instead: string;
}

/** `<trip.userId>` is what the step `trip` puts, whatever its name. */
function referred(
  { plan }: TableUnderCheck,
  { design }: PatternAccess,
  bound: Template,
  hole: Hole,
  candidates: readonly Candidate[],
): Mistake | undefined {
  const [first = '', ...path] = hole.path;
  if (design.op !== 'transaction' || path.length === 0 || !Object.hasOwn(design.steps, first)) return undefined;
  const step = design.steps[first];
  const source = step?.op === 'put' ? entityNamed(plan, step.entity) : undefined;
  const facts = source && attributeAt(source.design.attributes, path);
  if (facts === undefined) return undefined;
  const parts = candidates.map((candidate) => partAt(candidate, bound, hole));
  const own = { ...hole, name: path.join('.'), path };
  const isAstray = parts.every(
    (part, i) =>
      part !== undefined &&
      (isNever(hole, facts, part, plan.separator) ||
        isSwappedReference(own, part.hole, bound, candidates[i] as Candidate)),
  );
  if (!isAstray) return undefined;
  const [{ hole: there }] = parts as [Part];
  // If the item that the step puts lacks it, the caller gives it.
  const isThere = attributeAt((source as EntityBlueprint).design.attributes, there.path) !== undefined;
  return {
    cause: 'of-a-step',
    message: `<${hole.name}> is where the key has ${shownHole(there)}`,
    instead: shownHole(isThere ? { ...there, name: `${first}.${there.name}` } : there),
  };
}

/** Whether two values taken from a step have changed places. */
function isSwappedReference(own: Hole, there: Hole, bound: Template, { key }: Candidate): boolean {
  const has = (template: Template, name: string) =>
    partsOf(template).some(({ path }) => isSameName(path.at(-1) as string, name));
  return (
    !isSameName(own.name, there.name) &&
    !areOfAKind(own, there) &&
    has(key, own.name) &&
    has(bound, there.path.at(-1) as string)
  );
}

/** A parameter named like an attribute is that attribute; with any other name, it is whatever part it stands for. */
function named(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  hole: Hole,
  candidates: readonly Candidate[],
): Mistake | undefined {
  const judged = candidates.map((candidate) => judge(table, access, bound, hole, candidate));
  // If one key has the parts in another order than the rest, one of the two is wrong.
  const swapped = judged.find((verdict) => verdict?.isSwapped);
  const [first] = judged;
  const part = swapped?.part ?? (judged.every((verdict) => verdict !== undefined) ? first?.part : undefined);
  if (part === undefined) return undefined;
  const { hole: there } = part;
  const isWhole = isSameName(there.name, hole.name);
  const isThing = !isWhole && judged.some((verdict) => verdict?.isThing);
  const what = isWhole ? 'is a whole timestamp, and is' : 'is';
  const whose = swapped !== undefined && candidates.length > 1 ? ` of ${swapped.entity}` : '';
  return {
    cause: isWhole ? 'whole-time' : isThing ? 'of-another-thing' : 'of-another-name',
    message: `<${hole.name}> ${what} where the key${whose} has ${shownHole(there)}`,
    instead: shownHole(there),
  };
}

interface Judged {
  readonly part: Part;
  readonly entity: string;
  readonly isSwapped: boolean;
  /** Whether only the names suggest it. */
  readonly isThing: boolean;
}

function judge(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  hole: Hole,
  candidate: Candidate,
): Judged | undefined {
  const facts = attributeCalled(candidate.entity, hole.path);
  const part = partAt(candidate, bound, hole);
  if (facts === undefined || part === undefined) return undefined;
  const found = { part, entity: candidate.entity.name, isSwapped: false, isThing: false };
  if (isSameName(part.hole.name, hole.name)) {
    return part.hole.format !== hole.format && isPieceOf(hole, facts, part.hole) ? found : undefined;
  }
  if (isSwapped(bound, hole, candidate.key, part.hole, table, access)) return { ...found, isSwapped: true };
  if (isNever(hole, facts, part, table.plan.separator)) return found;
  return isIdOfAnother(table, bound, hole, part.hole) ? { ...found, isThing: true } : undefined;
}

/** Whether a part is `USER#<orderId>` where the key has `USER#<userId>`, and orders are something else. */
function isIdOfAnother(table: TableUnderCheck, bound: Template, hole: Hole, there: Hole): boolean {
  const [asked, kept] = [thingOf(hole), thingOf(there)];
  return (
    asked !== undefined &&
    kept !== undefined &&
    wordBefore(bound, hole) === kept &&
    thingsIn(table).has(asked) &&
    !areOfAKind(hole, there)
  );
}

/** The attribute with this name, however it is spelled. */
function attributeCalled({ design, attributes }: EntityBlueprint, path: readonly string[]): AttributeFacts | undefined {
  const known = attributeAt(design.attributes, path);
  if (known !== undefined || path.length > 1) return known;
  const same = attributes.find((attribute) => isSameName(attribute, path[0] as string));
  return same === undefined ? undefined : attributeAt(design.attributes, [same]);
}

interface Part {
  readonly hole: Hole;
  readonly facts: AttributeFacts | undefined;
}

function partAt({ entity, key }: Candidate, bound: Template, hole: Hole): Part | undefined {
  const there = counterpartOf(bound, hole, key);
  return there && { hole: there, facts: attributeAt(entity.design.attributes, there.path) };
}

function isPieceOf({ format }: Hole, facts: AttributeFacts, there: Hole): boolean {
  if (format !== undefined) return isCountedDown({ format }) !== isCountedDown(there);
  return facts.format === 'datetime' && isPieceOfTime(there.format);
}

/** Whether two parts of one key have changed places, and no other request asks for them in the right order. */
function isSwapped(
  bound: Template,
  hole: Hole,
  key: Template,
  there: Hole,
  { accesses }: TableUnderCheck,
  access: PatternAccess,
): boolean {
  const has = (template: Template, name: string) => partsOf(template).some((other) => isSameName(other.name, name));
  if (!has(key, hole.name) || !has(bound, there.name)) return false;
  // An edge of a graph may be asked for both ways round: then another request has the order of the key.
  return (
    !areOfAKind(hole, there) ||
    !accesses.some((other) => other !== access && boundsOf(other).some(([, { text }]) => text === key.text))
  );
}

function isNever(hole: Hole, facts: AttributeFacts, there: Part, separator: string): boolean {
  if (there.facts === undefined) return false;
  const language = (part: Hole, known: AttributeFacts) => keysOf(templateOf(part), { separator, facts: () => known });
  return !overlaps(language(hole, facts), language(there.hole, there.facts));
}

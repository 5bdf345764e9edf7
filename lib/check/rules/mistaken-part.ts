import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import { keysOf } from '../../blueprint/languages/keys';
import { overlaps } from '../../blueprint/languages/relation';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import {
  hasParts,
  isCountedDown,
  isPieceOfTime,
  partsOf,
  placesOf,
  shownPart,
  templateOf,
  textWith,
} from '../../blueprint/template-parts';
import { isSameName } from '../../blueprint/words';
import { isTypoOf } from '../../design/names';
import type { Part, Template } from '../../design/template';
import { type Fault, GUESS, type TableRule } from '../findings/finding';
import { type About, atWhere } from '../findings/place';
import { areOfAKind, kindIdentifiedBy, kindsWithIds, wordBefore } from '../names/ids';
import { putBy } from '../requests/put-by';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  'of-another-name':
    'a parameter is named after one attribute, but stands in the place of another attribute (a warning if only the names show it)',
  'whole-time': 'a pattern has a whole timestamp where the key has only a piece of the time',
  'of-another-thing':
    'a parameter is named after the id of one thing, but it stands where the key has the id of another, after the literal text of that other thing (a guess)',
  misspelt:
    "a parameter's name matches no attribute, but looks like a misspelling of the attribute in the key, or differs from it only in case (a warning)",
  'of-a-step': 'a key part takes its value from a step, but can never have that value',
} as const;

type Cause = keyof typeof causes;

export const mistakenPart: TableRule<'mistaken-part', Cause> = {
  id: 'mistaken-part',
  severity: 'error',
  why: 'A key with a wrong value in one place matches no item, so the request finds nothing.',
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

/** An entity, and its template for one key attribute of a request. */
interface Candidate {
  readonly entity: EntityBlueprint;
  readonly key: Template;
}

interface Mistaken {
  readonly about: About;
  readonly found: Fault<Cause>;
}

/** Returns the first mistake in one key of a request, with a fix for all wrong parts of the key. */
function inBound(
  table: TableUnderCheck,
  access: PatternAccess,
  attribute: string,
  bound: Template,
): Mistaken | undefined {
  const candidates = access.entities.flatMap((name): readonly Candidate[] => {
    const entity = entityNamed(table, name);
    const source = entity?.keys.get(attribute);
    return entity === undefined || source === undefined || source.natural ? [] : [{ entity, key: source.template }];
  });
  // Nearly all patterns use the key template verbatim.
  if (candidates.length < access.entities.length || candidates.every(({ key }) => key.text === bound.text))
    return undefined;
  const mistakes = new Map<Part, Mistake>();
  const last = placesOf(bound).find(({ next }) => next === undefined);
  for (const ours of partsOf(bound)) {
    if (ours === last?.part && isOpen(access, attribute)) continue;
    const mistake =
      referred(table, access, bound, ours, candidates) ??
      named(table, access, bound, ours, candidates) ??
      misspelt(table, bound, ours, candidates);
    if (mistake !== undefined) mistakes.set(ours, mistake);
  }
  // A mistake that only the names show must not hide a certain one.
  const first = [...mistakes].find(([, { isLikely }]) => !isLikely) ?? [...mistakes][0];
  if (first === undefined) return undefined;
  const [ours, { cause, message, isLikely }] = first;
  const isCertain = ![...mistakes.values()].some((mistake) => mistake.isLikely);
  const proposed = textWith(bound, (part) => mistakes.get(part)?.instead ?? shownPart(part));
  return {
    about: { part: ours.name, proposed },
    found: {
      ...(cause === 'of-another-thing' ? GUESS : {}),
      cause,
      message: `'${bound.text}': ${message}`,
      ...(isLikely ? { severity: 'warning' } : {}),
      fix: `write '${proposed}'${cause === 'misspelt' ? ', and rename the parameter in calls to the pattern' : ''}`,
      ...(isCertain && { edits: [{ path: atWhere(access, attribute).path, replace: [bound.text, proposed] }] }),
    },
  };
}

/**
 * Whether a key condition is a range. The last part of a range may be only the start of a value, or a bound that equals
 * no item's value.
 */
function isOpen({ sort, range }: PatternAccess, attribute: string): boolean {
  return attribute === sort?.name && range.kind !== 'equals';
}

interface Mistake {
  readonly cause: Cause;
  readonly message: string;
  /** The correct part, as code. */
  readonly instead: string;
  /** Whether only the names show the mistake, which is then a warning. */
  readonly isLikely?: boolean;
}

/** Checks a reference to a step: `<trip.userId>` is the `userId` of the item that the step `trip` puts. */
function referred(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  ours: Part,
  candidates: readonly Candidate[],
): Mistake | undefined {
  const [first = '', ...path] = ours.path;
  if (access.design.op !== 'transaction' || path.length === 0) return undefined;
  const source = putBy(table, access, access.design, first);
  const facts = source && attributeAt(source.design.attributes, path);
  if (facts === undefined) return undefined;
  const parts = candidates.map((candidate) => partAt(candidate, bound, ours));
  const own = { ...ours, name: path.join('.'), path };
  const isAstray = parts.every(
    (part, i) =>
      part !== undefined &&
      (isNever(ours, facts, part, table.separator) ||
        isSwappedReference(own, part.part, bound, candidates[i] as Candidate)),
  );
  if (!isAstray) return undefined;
  const [{ part: there }] = parts as [PlacedPart];
  // If the item that the step puts lacks the attribute, the caller must pass the value.
  const isThere = attributeAt((source as EntityBlueprint).design.attributes, there.path) !== undefined;
  return {
    cause: 'of-a-step',
    message: `the pattern has <${ours.name}> where the key has ${shownPart(there)}`,
    instead: shownPart(isThere ? { ...there, name: `${first}.${there.name}` } : there),
  };
}

/** Whether two values from a step are swapped. */
function isSwappedReference(own: Part, there: Part, bound: Template, { key }: Candidate): boolean {
  const has = (template: Template, name: string) =>
    partsOf(template).some(({ path }) => isSameName(path.at(-1) as string, name));
  return (
    !isSameName(own.name, there.name) &&
    !areOfAKind(own, there) &&
    has(key, own.name) &&
    has(bound, there.path.at(-1) as string)
  );
}

/**
 * Checks a parameter that is named after an attribute. A parameter with any other name may represent any value of the
 * key part.
 */
function named(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  ours: Part,
  candidates: readonly Candidate[],
): Mistake | undefined {
  const judged = candidates.map((candidate) => judge(table, access, bound, ours, candidate));
  // Swapped parts are a mistake even if only one entity's key shows the swap.
  const swapped = judged.find((verdict) => verdict?.isSwapped);
  const [first] = judged;
  const part = swapped?.part ?? (judged.every((verdict) => verdict !== undefined) ? first?.part : undefined);
  if (part === undefined) return undefined;
  const { part: there } = part;
  const isWhole = isSameName(there.name, ours.name);
  const isThing = !isWhole && judged.some((verdict) => verdict?.isThing);
  const what = isWhole ? 'the whole timestamp ' : '';
  const whose = swapped !== undefined && candidates.length > 1 ? ` of ${swapped.entity}` : '';
  return {
    cause: isWhole ? 'whole-time' : isThing ? 'of-another-thing' : 'of-another-name',
    message: `the pattern has ${what}<${ours.name}> where the key${whose} has ${shownPart(there)}`,
    instead: shownPart(there),
    isLikely: swapped === undefined && !isThing && judged.some((verdict) => verdict?.isElsewhere),
  };
}

/**
 * Reports `<membrId>` or `<memberID>` where the keys have `<memberId>`, because callers would have to use the misspelled
 * name.
 */
function misspelt(
  table: TableUnderCheck,
  bound: Template,
  ours: Part,
  candidates: readonly Candidate[],
): Mistake | undefined {
  const there = candidates.map((candidate) => partAt(candidate, bound, ours)?.part);
  const [first] = there;
  if (first === undefined || !there.every((part) => part?.name === first.name)) return undefined;
  const isCase = ours.name !== first.name && ours.name.toLowerCase() === first.name.toLowerCase();
  if (!isCase && !isTypoOf(ours.name, first.name)) return undefined;
  const isKnown = (entity: EntityBlueprint) =>
    (isCase ? attributeAt(entity.design.attributes, ours.path) : attributeCalled(entity, ours.path)) !== undefined;
  if (table.entities.some(isKnown)) return undefined;
  return {
    cause: 'misspelt',
    message: `no entity has an attribute '${ours.name}', but the key has ${shownPart(first)} in the same place`,
    instead: shownPart(first),
    isLikely: true,
  };
}

interface Judged {
  readonly part: PlacedPart;
  readonly entity: string;
  readonly isSwapped: boolean;
  /** Whether the key has the parameter's attribute in another place. */
  readonly isElsewhere: boolean;
  /** Whether the verdict is a guess based on names. */
  readonly isThing: boolean;
}

function judge(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  ours: Part,
  candidate: Candidate,
): Judged | undefined {
  const facts = attributeCalled(candidate.entity, ours.path);
  const part = partAt(candidate, bound, ours);
  if (facts === undefined || part === undefined) return undefined;
  const found = { part, entity: candidate.entity.name, isSwapped: false, isElsewhere: false, isThing: false };
  if (isSameName(part.part.name, ours.name)) {
    return part.part.format !== ours.format && isPieceOf(ours, facts, part.part) ? found : undefined;
  }
  if (isSwapped(bound, ours, candidate.key, part.part, table, access)) return { ...found, isSwapped: true };
  if (isNever(ours, facts, part, table.separator)) return found;
  if (isElsewhere(ours, candidate.key, part.part)) return { ...found, isElsewhere: true };
  return isIdOfAnother(table, bound, ours, part.part) ? { ...found, isThing: true } : undefined;
}

/**
 * Whether a pattern has `USER#<orderId>` where the key has `USER#<userId>`, and orders and users are different kinds of
 * things.
 */
function isIdOfAnother(table: TableUnderCheck, bound: Template, part: Part, there: Part): boolean {
  const [asked, kept] = [kindIdentifiedBy(part), kindIdentifiedBy(there)];
  return (
    asked !== undefined &&
    kept !== undefined &&
    wordBefore(bound, part) === kept &&
    kindsWithIds(table).has(asked) &&
    !areOfAKind(part, there)
  );
}

/** Finds an attribute by name, ignoring case and punctuation. */
function attributeCalled({ design, attributes }: EntityBlueprint, path: readonly string[]): AttributeFacts | undefined {
  const known = attributeAt(design.attributes, path);
  if (known !== undefined || path.length > 1) return known;
  const same = attributes.find((attribute) => isSameName(attribute, path[0] as string));
  return same === undefined ? undefined : attributeAt(design.attributes, [same]);
}

interface PlacedPart {
  readonly part: Part;
  readonly facts: AttributeFacts | undefined;
}

function partAt({ entity, key }: Candidate, bound: Template, part: Part): PlacedPart | undefined {
  const there = counterpartOf(bound, part, key);
  return there && { part: there, facts: attributeAt(entity.design.attributes, there.path) };
}

function isPieceOf({ format }: Part, facts: AttributeFacts, there: Part): boolean {
  if (format !== undefined) return isCountedDown({ format }) !== isCountedDown(there);
  return facts.format === 'datetime' && isPieceOfTime(there.format);
}

/**
 * Whether two parts of a key are swapped by mistake. Swapping two ids of the same kind is not a mistake if another
 * request has them in the key's order.
 */
function isSwapped(
  bound: Template,
  part: Part,
  key: Template,
  there: Part,
  { accesses }: TableUnderCheck,
  access: PatternAccess,
): boolean {
  const has = (template: Template, name: string) => partsOf(template).some((other) => isSameName(other.name, name));
  if (!has(key, part.name) || !has(bound, there.name)) return false;
  // Patterns may query the edges of a graph in both directions: one request has the ids in the key's order, another in
  // reverse.
  return (
    !areOfAKind(part, there) ||
    !accesses.some((other) => other !== access && boundsOf(other).some(([, { text }]) => text === key.text))
  );
}

/**
 * Whether a key such as `VISIT#<at>#<visitId>` has the part in another place. A piece of a time may stand for a date,
 * and one end of an edge for the other.
 */
function isElsewhere(part: Part, key: Template, there: Part): boolean {
  return (
    part.format === undefined &&
    partsOf(key).some((other) => isSameName(other.name, part.name)) &&
    !areOfAKind(part, there)
  );
}

function isNever(ours: Part, facts: AttributeFacts, there: PlacedPart, separator: string): boolean {
  if (there.facts === undefined) return false;
  const language = (part: Part, known: AttributeFacts) => keysOf(templateOf(part), { separator, facts: () => known });
  return !overlaps(language(ours, facts), language(there.part, there.facts));
}

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
interface Asked {
  readonly entity: EntityBlueprint;
  readonly key: Template;
}

interface Mistaken {
  readonly about: About;
  readonly found: Fault<Cause>;
}

/** All that is wrong with one key is mended at once. */
function inBound(
  table: TableUnderCheck,
  access: PatternAccess,
  attribute: string,
  bound: Template,
): Mistaken | undefined {
  const asked = access.entities.flatMap((name): readonly Asked[] => {
    const entity = entityNamed(table.plan, name);
    const source = entity?.keys.get(attribute);
    return entity === undefined || source === undefined || source.natural ? [] : [{ entity, key: source.template }];
  });
  // What asks for it word for word, as nearly all do, is right.
  if (asked.length < access.entities.length || asked.every(({ key }) => key.text === bound.text)) return undefined;
  const mistakes = new Map<Hole, Mistake>();
  const last = placesOf(bound).find(({ next }) => next === undefined);
  for (const hole of partsOf(bound)) {
    if (hole === last?.hole && isOpen(access, attribute)) continue;
    const mistake = referred(table, access, bound, hole, asked) ?? named(table, access, bound, hole, asked);
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

/** Whether the last part may be the beginning of a value, or a bound that is none. */
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
  asked: readonly Asked[],
): Mistake | undefined {
  const [first = '', ...path] = hole.path;
  if (design.op !== 'transaction' || path.length === 0 || !Object.hasOwn(design.steps, first)) return undefined;
  const step = design.steps[first];
  const source = step?.op === 'put' ? entityNamed(plan, step.entity) : undefined;
  const facts = source && attributeAt(source.design.attributes, path);
  if (facts === undefined) return undefined;
  const parts = asked.map((one) => partAt(one, bound, hole));
  const own = { ...hole, name: path.join('.'), path };
  const isAstray = parts.every(
    (part, i) =>
      part !== undefined &&
      (isNever(hole, facts, part, plan.separator) || isReferredAmiss(own, part.hole, bound, asked[i] as Asked)),
  );
  if (!isAstray) return undefined;
  const [{ hole: there }] = parts as [Part];
  // What the step puts may have it, or else the caller gives it.
  const isThere = attributeAt((source as EntityBlueprint).design.attributes, there.path) !== undefined;
  return {
    cause: 'of-a-step',
    message: `<${hole.name}> is where the key has ${shownHole(there)}`,
    instead: shownHole(isThere ? { ...there, name: `${first}.${there.name}` } : there),
  };
}

/** Whether what a step puts stands where the key has something else of its, and the other way round. */
function isReferredAmiss(own: Hole, there: Hole, bound: Template, { key }: Asked): boolean {
  const has = (template: Template, name: string) =>
    partsOf(template).some(({ path }) => isSameName(path.at(-1) as string, name));
  return (
    !isSameName(own.name, there.name) &&
    !areOfAKind(own, there) &&
    has(key, own.name) &&
    has(bound, there.path.at(-1) as string)
  );
}

/** A parameter of the name of an attribute is that attribute; one of any other name is what it stands for. */
function named(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  hole: Hole,
  asked: readonly Asked[],
): Mistake | undefined {
  const judged = asked.map((one) => judge(table, access, bound, hole, one));
  // Where the key of one has them in another order than that of the others, it is one of the two that is wrong.
  const swapped = judged.find((one) => one?.isSwapped);
  const [first] = judged;
  const part = swapped?.part ?? (judged.every((one) => one !== undefined) ? first?.part : undefined);
  if (part === undefined) return undefined;
  const { hole: there } = part;
  const isWhole = isSameName(there.name, hole.name);
  const isThing = !isWhole && judged.some((one) => one?.isThing);
  const what = isWhole ? 'is a whole timestamp, and is' : 'is';
  const of = swapped !== undefined && asked.length > 1 ? ` of ${swapped.entity}` : '';
  return {
    cause: isWhole ? 'whole-time' : isThing ? 'of-another-thing' : 'of-another-name',
    message: `<${hole.name}> ${what} where the key${of} has ${shownHole(there)}`,
    instead: shownHole(there),
  };
}

interface Judged {
  readonly part: Part;
  readonly entity: string;
  readonly isSwapped: boolean;
  /** Whether names alone tell. */
  readonly isThing: boolean;
}

function judge(
  table: TableUnderCheck,
  access: PatternAccess,
  bound: Template,
  hole: Hole,
  one: Asked,
): Judged | undefined {
  const facts = attributeCalled(one.entity, hole.path);
  const part = partAt(one, bound, hole);
  if (facts === undefined || part === undefined) return undefined;
  const found = { part, entity: one.entity.name, isSwapped: false, isThing: false };
  if (isSameName(part.hole.name, hole.name)) {
    return part.hole.format !== hole.format && isPieceOf(hole, facts, part.hole) ? found : undefined;
  }
  if (isSwapped(bound, hole, one.key, part.hole, table, access)) return { ...found, isSwapped: true };
  if (isNever(hole, facts, part, table.plan.separator)) return found;
  return isIdOfAnother(table, bound, hole, part.hole) ? { ...found, isThing: true } : undefined;
}

/** `USER#<orderId>` where the key has `USER#<userId>`, and orders are something else. */
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

/** The attribute of this name, however it is written. */
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

function partAt({ entity, key }: Asked, bound: Template, hole: Hole): Part | undefined {
  const there = counterpartOf(bound, hole, key);
  return there && { hole: there, facts: attributeAt(entity.design.attributes, there.path) };
}

function isPieceOf({ format }: Hole, facts: AttributeFacts, there: Hole): boolean {
  if (format !== undefined) return isCountedDown({ format }) !== isCountedDown(there);
  return facts.format === 'datetime' && isPieceOfTime(there.format);
}

/** Whether two parts of one key have changed places, and no other request asks for them as they are. */
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
  // An edge of a graph may be asked for both ways round: then one of the two is as the key says.
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

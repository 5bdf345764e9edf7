import type { SortRange } from '../../blueprint/accesses';
import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { canBePadded, canBeText } from '../../blueprint/attributes/texts';
import { counterpartOf } from '../../blueprint/keys';
import { areApart, canMeet, type Side } from '../../blueprint/languages/literal-segments';
import { canBeWithin, overlaps } from '../../blueprint/languages/relation';
import {
  type EntityBlueprint,
  entitiesNamed,
  entityNamed,
  factsIn,
  type KeyAttribute,
  type KeySource,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import { headOf, type Part, type Template } from '../../design/template';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';
import { boundRange, entityLanguage, inFormOf, sourcesOf } from './key-languages';
import { areOtherIds } from './other-ids';

/** Whether a pattern can reach items of an entity, and if not, why. */
export type Fit =
  | { readonly kind: 'fits' }
  /** The entity has no such key attribute, so it is not in the index. */
  | { readonly kind: 'absent'; readonly attribute: string }
  | {
      readonly kind: 'never';
      readonly role: 'partition' | 'sort';
      readonly attribute: string;
      readonly source: KeySource;
    };

/** Tells whether an access can reach items of an entity. */
export function fitOf(table: TableUnderCheck, access: PatternAccess, entity: EntityBlueprint): Fit {
  const { key } = access;
  for (const { name } of keyOf(key)) {
    if (!entity.keys.has(name)) return { kind: 'absent', attribute: name };
  }
  const never = (attribute: KeyAttribute): Fit => {
    const source = entity.keys.get(attribute.name) as KeySource;
    return {
      kind: 'never',
      role: key.sortBy.includes(attribute) ? 'sort' : 'partition',
      attribute: attribute.name,
      source,
    };
  };
  for (const { attribute, at } of access.partition ?? []) {
    if (!isWithin(table, access, entity, attribute.name, { kind: 'equals', at })) return never(attribute);
  }
  const { sort, range } = access;
  return sort === undefined || isWithin(table, access, entity, sort.name, range) ? FITS : never(sort);
}

const FITS: Fit = { kind: 'fits' };

/** Like `fitOf`, but without the reason. Returns as soon as literal text rules the entity out. */
export function canFit(table: TableUnderCheck, access: PatternAccess, entity: EntityBlueprint): boolean {
  const sort = access.sort && entity.keys.get(access.sort.name);
  if (sort !== undefined && answerByText(table, access, sort, access.range) === false) return false;
  return fitOf(table, access, entity).kind === 'fits';
}

function isWithin(
  table: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  attribute: string,
  range: SortRange,
): boolean {
  const source = entity.keys.get(attribute) as KeySource;
  const isNumber = source.natural && source.facts[0]?.kind === 'number';
  // Numbers do not sort as strings, and have no prefix.
  if (isNumber && range.kind !== 'all' && range.kind !== 'equals') return range.kind !== 'beginsWith';
  return (
    answerByText(table, access, source, range) ??
    (range.kind === 'equals' ? answerBySchema(table, access, source, range.at) : undefined) ??
    canBeWithin(entityLanguage(table, source), boundRange(table, access, attribute, range))
  );
}

/**
 * Whether a range can contain a key, judging by the templates' text alone. Returns undefined if the text does not
 * decide this, so that the caller has to examine all possible keys.
 */
function answerByText(
  table: TableUnderCheck,
  { entities }: PatternAccess,
  { entity, attribute, natural, template, facts }: KeySource,
  range: SortRange,
): boolean | undefined {
  const hasAny = !facts.some(isListed);
  // A key may be unable to contain any of the values that a schema lists.
  if (range.kind === 'all') return hasAny || undefined;
  if (range.kind !== 'equals' && range.kind !== 'beginsWith') return undefined;
  const { at } = range;
  if (!continues(headOf(template), headOf(at))) return false;
  // The values of a parameter come from the returned entities. Other entities may allow fewer values.
  if (hasAny && at.faults.length === 0 && (!hasParts(at) || entities.includes(entity))) {
    if (range.kind === 'equals' ? template.text === at.text : template.text.startsWith(at.text)) return true;
  }
  const isNatural = natural || entities.some((name) => entityNamed(table, name)?.keys.get(attribute)?.natural);
  return isCut(table, isNatural) && areApart(template, at, table.separator, range.kind) ? false : undefined;
}

/**
 * Asks the schemas whether a pattern can find an entity's key. This decides cases in which the pattern has literal text
 * where the key has a value, or vice versa.
 */
function answerBySchema(table: TableUnderCheck, access: PatternAccess, source: KeySource, asked: Template) {
  const sources = sourcesOf(table, access, source.attribute);
  const parameters: Side = {
    template: inFormOf(asked, source.attribute, entitiesNamed(table, access.entities)),
    canBe: (part, text) => {
      const answers = sources.map(({ entity, source: returned }) => {
        const counterpart = returned && counterpartOf(asked, part, returned.template);
        return counterpart && answer(entity, counterpart, text);
      });
      return answers.length > 0 && answers.every((answered) => answered === false) ? false : undefined;
    },
  };
  const isNatural = source.natural || sources.some(({ source: returned }) => returned?.natural === true);
  return canMeet(ofEntity(table, source), parameters, isCut(table, isNatural) ? table.separator : undefined);
}

/**
 * Returns the key template of an entity, with a test for whether the schema allows a given text in a part of the key.
 */
function ofEntity(table: TableUnderCheck, source: KeySource): Side {
  const { entity: name, template } = source;
  const entity = entityNamed(table, name) as EntityBlueprint;
  // A key may have fewer values than its attribute, because an item may have the key only for some values of the attribute.
  const isListed = (part: Part, text: string) =>
    factsIn(source, part)?.values?.some((value) => `${value}` === text) ?? true;
  return {
    template,
    canBe: (part, text) => (part.format === undefined && !isListed(part, text) ? false : answer(entity, part, text)),
  };
}

function answer({ design }: EntityBlueprint, { path, format }: Part, text: string): boolean | undefined {
  if (format === undefined) return canBeText(design.attributes, path, text);
  return typeof format === 'number' ? canBePadded(design.attributes, path, format, text) : undefined;
}

/** Whether the separator delimits the values in a key. The value of a natural key may contain the separator. */
function isCut({ separator }: TableBlueprint, natural: boolean): boolean {
  return !natural && separator.length === 1;
}

function isListed(facts: AttributeFacts | undefined): boolean {
  return facts?.values !== undefined;
}

/** Whether one string is a prefix of the other, so that a single key can begin with both. */
function continues(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** Whether items of two entities, both with complete primary keys, can have the same primary key. */
export function canCollide(table: TableUnderCheck, a: EntityBlueprint, b: EntityBlueprint): boolean {
  const pairs = keyOf(table.key).map(
    ({ name }) => [a.keys.get(name) as KeySource, b.keys.get(name) as KeySource] as const,
  );
  const isApart = ([ofA, ofB]: readonly [KeySource, KeySource]) =>
    isCut(table, ofA.natural || ofB.natural) && areApart(ofA.template, ofB.template, table.separator, 'equals');
  // Try the templates' text first, then the schemas.
  if (pairs.some(isApart)) return false;
  if (pairs.some(([ofA, ofB]) => areOtherIds(table, ofA, ofB))) return false;
  const answers = pairs.map(([ofA, ofB]) =>
    ofA.template.text === ofB.template.text
      ? undefined
      : canMeet(
          ofEntity(table, ofA),
          ofEntity(table, ofB),
          isCut(table, ofA.natural || ofB.natural) ? table.separator : undefined,
        ),
  );
  if (answers.includes(false)) return false;
  return pairs.every(([ofA, ofB], i) => answers[i] ?? overlaps(entityLanguage(table, ofA), entityLanguage(table, ofB)));
}

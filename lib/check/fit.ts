import type { SortRange } from '../blueprint/accesses';
import { type AttributeFacts, attributeAt } from '../blueprint/attributes/facts';
import { canBePadded, canBeText } from '../blueprint/attributes/texts';
import { counterpartOf } from '../blueprint/keys';
import {
  type EntityBlueprint,
  entitiesNamed,
  entityNamed,
  factsIn,
  type KeyAttribute,
  type KeySource,
  keyOf,
  type TableBlueprint,
} from '../blueprint/table';
import { hasParts } from '../blueprint/template-parts';
import { type Hole, headOf, mapParts, type Template, withHoles } from '../design/template';
import { keysOf } from './matching/keys';
import type { Language } from './matching/language';
import { canBeWithin, type KeyRange, overlaps } from './matching/relation';
import { areApart, canMeet, type Side } from './matching/segments';
import type { PatternAccess, TableUnderCheck } from './subject';

/** Whether items of an entity can be where a pattern reads or writes, and if not, why. */
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

/** Whether items of an entity can be where an access goes. */
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

/** Like `fitOf`, without the reason: if literal text already rules it out, nothing else is looked at. */
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
  // Numbers have an order of their own, and no beginning.
  if (isNumber && range.kind !== 'all' && range.kind !== 'equals') return range.kind !== 'beginsWith';
  return (
    answerByText(table, access, source, range) ??
    (range.kind === 'equals' ? answerBySchema(table, access, source, range.at) : undefined) ??
    canBeWithin(entityLanguage(table, source), boundRange(table, access, attribute, range))
  );
}

/** What the templates' texts alone can decide, which is most cases; undefined if it takes all the keys they can become. */
function answerByText(
  { plan }: TableUnderCheck,
  { entities }: PatternAccess,
  { entity, attribute, natural, template, facts }: KeySource,
  range: SortRange,
): boolean | undefined {
  const hasAny = !facts.some(isListed);
  // It may be that none of the listed values can be in a key.
  if (range.kind === 'all') return hasAny || undefined;
  if (range.kind !== 'equals' && range.kind !== 'beginsWith') return undefined;
  const { at } = range;
  if (!continues(headOf(template), headOf(at))) return false;
  // A parameter has the values of the part it stands for in the returned entities; other entities may allow fewer.
  if (hasAny && at.faults.length === 0 && (!hasParts(at) || entities.includes(entity))) {
    if (range.kind === 'equals' ? template.text === at.text : template.text.startsWith(at.text)) return true;
  }
  const isNatural = natural || entities.some((name) => entityNamed(plan, name)?.keys.get(attribute)?.natural);
  return isCut(plan, isNatural) && areApart(template, at, plan.separator, range.kind) ? false : undefined;
}

/** What the schemas answer, if the pattern has literal text where the entity's key has a value, or the other way round. */
function answerBySchema(table: TableUnderCheck, access: PatternAccess, source: KeySource, asked: Template) {
  const { plan } = table;
  const sources = sourcesOf(table, access, source.attribute);
  const parameters: Side = {
    template: inFormOf(asked, sources),
    canBe: (hole, text) => {
      const answers = sources.map(({ entity, source: returned }) => {
        const counterpart = returned && counterpartOf(asked, hole, returned.template);
        return counterpart && answer(entity, counterpart, text);
      });
      return answers.length > 0 && answers.every((answered) => answered === false) ? false : undefined;
    },
  };
  const isNatural = source.natural || sources.some(({ source: returned }) => returned?.natural === true);
  return canMeet(ofEntity(table, source), parameters, isCut(plan, isNatural) ? plan.separator : undefined);
}

/** The key of an entity, with the answers of its schema. */
function ofEntity({ plan }: TableUnderCheck, source: KeySource): Side {
  const { entity: name, template } = source;
  const entity = entityNamed(plan, name) as EntityBlueprint;
  // A key may have fewer values than its attribute, if an item has the key only with some of them.
  const isListed = (hole: Hole, text: string) =>
    factsIn(source, hole)?.values?.some((value) => `${value}` === text) ?? true;
  return {
    template,
    canBe: (hole, text) => (hole.format === undefined && !isListed(hole, text) ? false : answer(entity, hole, text)),
  };
}

function answer({ design }: EntityBlueprint, { path, format }: Hole, text: string): boolean | undefined {
  if (format === undefined) return canBeText(design.attributes, path, text);
  return typeof format === 'number' ? canBePadded(design.attributes, path, format, text) : undefined;
}

/** Whether no value in a key holds the separator; the value of a natural key may. */
function isCut({ separator }: TableBlueprint, natural: boolean): boolean {
  return !natural && separator.length === 1;
}

function isListed(facts: AttributeFacts | undefined): boolean {
  return facts?.values !== undefined;
}

/** Whether one text begins with the other, so that both can be the beginning of one key. */
function continues(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** Whether items of two entities, which have whole primary keys, can have the same one. */
export function canCollide(table: TableUnderCheck, a: EntityBlueprint, b: EntityBlueprint): boolean {
  const { plan } = table;
  const pairs = keyOf(plan.key).map(
    ({ name }) => [a.keys.get(name) as KeySource, b.keys.get(name) as KeySource] as const,
  );
  const isApart = ([ofA, ofB]: readonly [KeySource, KeySource]) =>
    isCut(plan, ofA.natural || ofB.natural) && areApart(ofA.template, ofB.template, plan.separator, 'equals');
  // First what texts alone decide, then what the schemas answer.
  if (pairs.some(isApart)) return false;
  const answers = pairs.map(([ofA, ofB]) =>
    ofA.template.text === ofB.template.text
      ? undefined
      : canMeet(
          ofEntity(table, ofA),
          ofEntity(table, ofB),
          isCut(plan, ofA.natural || ofB.natural) ? plan.separator : undefined,
        ),
  );
  if (answers.includes(false)) return false;
  return pairs.every(([ofA, ofB], i) => answers[i] ?? overlaps(entityLanguage(table, ofA), entityLanguage(table, ofB)));
}

/** The languages of a table's keys and patterns. They take a lot of memory, so they live only as long as its check. */
interface Languages {
  /** By the key or the access they belong to, and then by name. */
  readonly byOwner: Map<KeySource | PatternAccess, Map<string, Language>>;
  /** By what they are made of: many keys have the same form, and most patterns ask for exactly what a key says. */
  readonly byForm: Map<string, Language>;
}

const languages = new WeakMap<TableUnderCheck, Languages>();

function languagesOf(table: TableUnderCheck): Languages {
  const known = languages.get(table) ?? { byOwner: new Map(), byForm: new Map() };
  languages.set(table, known);
  return known;
}

/** A language of a key or an access, made once. */
function once(table: TableUnderCheck, owner: KeySource | PatternAccess, name: string, make: () => Language): Language {
  const { byOwner } = languagesOf(table);
  const made = byOwner.get(owner) ?? new Map<string, Language>();
  byOwner.set(owner, made);
  const language = made.get(name) ?? make();
  made.set(name, language);
  return language;
}

/** The keys of a template; templates of the same form share one language, so those need not be compared. */
function sharedKeys(
  table: TableUnderCheck,
  template: Template,
  natural: boolean,
  facts: (hole: Hole) => AttributeFacts | undefined,
): Language {
  const form = mapParts(
    template,
    (text) => text,
    (hole) => {
      const { optional: _, ...known } = (hole.format === undefined && facts(hole)) || { optional: false };
      return [hole.format ?? known];
    },
  );
  const { byForm } = languagesOf(table);
  const name = JSON.stringify([natural, form]);
  const language = byForm.get(name) ?? keysOf(template, { separator: table.plan.separator, natural, facts });
  byForm.set(name, language);
  return language;
}

/** Every key that items of an entity can have. */
export function entityLanguage(table: TableUnderCheck, source: KeySource): Language {
  return once(table, source, '', () => {
    return sharedKeys(table, source.template, source.natural, (hole) => factsIn(source, hole));
  });
}

function boundRange(table: TableUnderCheck, access: PatternAccess, attribute: string, range: SortRange): KeyRange {
  const bound = (template: Template) => boundLanguage(table, access, template, attribute);
  if (range.kind === 'all') return range;
  if (range.kind === 'between') return { kind: 'between', from: bound(range.from), to: bound(range.to) };
  return { kind: range.kind, at: bound(range.at) };
}

/** Every key that a pattern's template can become; a parameter has the values of the part it stands for. */
function boundLanguage(table: TableUnderCheck, access: PatternAccess, template: Template, attribute: string): Language {
  return once(table, access, `${attribute} ${template.text}`, () => {
    const sources = sourcesOf(table, access, attribute);
    const natural = sources.some(({ source }) => source?.natural === true);
    const facts = (hole: Hole) => factsOfParameter(template, hole, sources);
    return sharedKeys(table, inFormOf(template, sources), natural, facts);
  });
}

/** The keys of the entities that a pattern returns. */
function sourcesOf({ plan }: TableUnderCheck, { entities }: PatternAccess, attribute: string): Sources {
  return entitiesNamed(plan, entities).map((entity) => ({ entity, source: entity.keys.get(attribute) }));
}

type Sources = readonly { entity: EntityBlueprint; source: KeySource | undefined }[];

/** A parameter without a format takes that of the part it stands for: `<day>` is a date if the key has `<at:date>`. */
function inFormOf(template: Template, sources: Sources): Template {
  return withHoles(template, (hole) => {
    if (hole.format !== undefined) return hole;
    const formats = sources.map(({ source }) => source && counterpartOf(template, hole, source.template)?.format);
    const [format] = formats;
    return format !== undefined && formats.every((other) => other === format) ? { ...hole, format } : hole;
  });
}

/** The facts of the attribute at a parameter's position, if all returned entities have the same facts there, or a list. */
function factsOfParameter(template: Template, hole: Hole, sources: Sources): AttributeFacts | undefined {
  const candidates = sources.map(({ entity, source }) => {
    const counterpart = source && counterpartOf(template, hole, source.template);
    if (counterpart === undefined || counterpart.format !== undefined) return undefined;
    return attributeAt(entity.design.attributes, counterpart.path);
  });
  const [first, ...rest] = candidates;
  if (rest.length === 0) return first;
  if (first !== undefined && candidates.every((facts) => facts?.values !== undefined)) {
    return { ...first, values: candidates.flatMap((facts) => facts?.values ?? []) };
  }
  return first !== undefined && rest.every((facts) => JSON.stringify(facts) === JSON.stringify(first))
    ? first
    : undefined;
}

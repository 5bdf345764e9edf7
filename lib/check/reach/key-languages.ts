import type { SortRange } from '../../blueprint/accesses';
import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf, standsFor } from '../../blueprint/keys';
import { keysOf } from '../../blueprint/languages/keys';
import type { Language } from '../../blueprint/languages/language';
import type { KeyRange } from '../../blueprint/languages/relation';
import { type EntityBlueprint, entitiesNamed, factsIn, type KeySource } from '../../blueprint/table';
import { mapParts, type Part, type Template, withParts } from '../../design/template';
import { oncePerTable, type PatternAccess, type TableUnderCheck } from '../table-under-check';

/**
 * The languages (sets of possible strings) of a table's keys and patterns. They use a lot of memory, so they are
 * discarded after the check.
 */
interface Languages {
  /** The languages of each key or access, keyed by name. */
  readonly byOwner: Map<KeySource | PatternAccess, Map<string, Language>>;
  /** The languages, keyed by form. Many keys share a form, and most patterns use exactly the form of a key. */
  readonly byForm: Map<string, Language>;
}

const languagesOf = oncePerTable((): Languages => ({ byOwner: new Map(), byForm: new Map() }));

/** Returns the language of a key or an access, which is built on the first call. */
function once(table: TableUnderCheck, owner: KeySource | PatternAccess, name: string, make: () => Language): Language {
  const { byOwner } = languagesOf(table);
  const made = byOwner.get(owner) ?? new Map<string, Language>();
  byOwner.set(owner, made);
  const language = made.get(name) ?? make();
  made.set(name, language);
  return language;
}

/**
 * Returns the language of the keys that a template can render. Templates of the same form share one language object,
 * which makes comparing them trivial.
 */
function sharedKeys(
  table: TableUnderCheck,
  template: Template,
  natural: boolean,
  facts: (part: Part) => AttributeFacts | undefined,
): Language {
  const form = mapParts(
    template,
    (text) => text,
    (part) => {
      const { optional: _, ...known } = (part.format === undefined && facts(part)) || { optional: false };
      return [part.format ?? known];
    },
  );
  const { byForm } = languagesOf(table);
  const name = JSON.stringify([natural, form]);
  const language = byForm.get(name) ?? keysOf(template, { separator: table.separator, natural, facts });
  byForm.set(name, language);
  return language;
}

/** Returns the language of all values that a key can have in items of an entity. */
export function entityLanguage(table: TableUnderCheck, source: KeySource): Language {
  return once(table, source, '', () => {
    return sharedKeys(table, source.template, source.natural, (part) => factsIn(source, part));
  });
}

/** Returns the range of keys that a request reads. */
export function boundRange(
  table: TableUnderCheck,
  access: PatternAccess,
  attribute: string,
  range: SortRange,
): KeyRange {
  const bound = (template: Template) => boundLanguage(table, access, template, attribute);
  if (range.kind === 'all') return range;
  if (range.kind === 'between') return { kind: 'between', from: bound(range.from), to: bound(range.to) };
  return { kind: range.kind, at: bound(range.at) };
}

/**
 * Returns the language of all keys that a pattern's template can produce. A parameter can have the values of the key
 * part that it represents.
 */
function boundLanguage(table: TableUnderCheck, access: PatternAccess, template: Template, attribute: string): Language {
  return once(table, access, `${attribute} ${template.text}`, () => {
    const sources = sourcesOf(table, access, attribute);
    const natural = sources.some(({ source }) => source?.natural === true);
    const facts = (part: Part) => factsOfParameter(template, part, sources);
    const sent = inFormOf(template, attribute, entitiesNamed(table, access.entities));
    return sharedKeys(table, sent, natural, facts);
  });
}

/**
 * Returns the entities that a pattern reads or writes, each with the source of its value for the given key attribute.
 */
export function sourcesOf(table: TableUnderCheck, { entities }: PatternAccess, attribute: string): Sources {
  return entitiesNamed(table, entities).map((entity) => ({ entity, source: entity.keys.get(attribute) }));
}

type Sources = readonly { entity: EntityBlueprint; source: KeySource | undefined }[];

/**
 * Returns a template as requests send it: a parameter without a format takes the format of the corresponding part of
 * the key.
 */
export function inFormOf(template: Template, attribute: string, entities: readonly EntityBlueprint[]): Template {
  return withParts(template, (part) => {
    if (part.format !== undefined) return part;
    const { format } = standsFor(entities, attribute, template, part);
    return format === undefined ? part : { ...part, format };
  });
}

/**
 * Returns the facts about the attribute at a parameter's position; undefined unless the entities agree on these facts,
 * or all of them list its values.
 */
function factsOfParameter(template: Template, part: Part, sources: Sources): AttributeFacts | undefined {
  const candidates = sources.map(({ entity, source }) => {
    const counterpart = source && counterpartOf(template, part, source.template);
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

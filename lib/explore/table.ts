import { type Access, boundsOfRange, isRead } from '../blueprint/accesses';
import { attributeAt } from '../blueprint/attributes/facts';
import { samplesOf } from '../blueprint/attributes/samples';
import { membersOf } from '../blueprint/attributes/unions';
import { type Parameter, parametersAcross, parametersOf } from '../blueprint/parameters';
import { projectedBy } from '../blueprint/projected';
import { shareIn, tablesAcross } from '../blueprint/shares';
import {
  blueprint,
  type EntityBlueprint,
  entityNamed,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keysIn,
  membershipIn,
  type PatternBlueprint,
  type TableBlueprint,
} from '../blueprint/table';
import type { SystemDesign } from '../design/system';
import type { SystemCases } from '../proof/cases';
import { exampleOf } from './example';
import { grantView } from './grants';
import { type Items, plain } from './items';
import { templateMarks } from './marks';
import type { AccessView, EntityView, Mark, ParameterView, PatternView, PlaceView, TableView } from './view';
import { wordsOf } from './words';

/** The known items of a table: all of them or, for a running table, some that were read. */
export type KnownItems = { readonly all: Items } | { readonly some: Items };

/** Collects the data that the page shows about a table. */
export function tableView(system: SystemDesign, name: string, cases: SystemCases, known: KnownItems): TableView {
  const items = 'all' in known ? known.all : undefined;
  const design = system.tables[name] as SystemDesign['tables'][string];
  const table = blueprint(design);
  const { typeAttribute, ttl } = table;
  return {
    name,
    ...(design.purpose === undefined ? {} : { purpose: design.purpose }),
    ...(typeAttribute === undefined ? {} : { typeAttribute }),
    ...(ttl === undefined ? {} : { ttl }),
    places: placesOf(table, items),
    entities: table.entities.map((entity, colour) => entityView(table, entity, colour)),
    patterns: table.patterns.map((pattern) =>
      patternView(system, table, pattern, { cases: { ...cases.tables[name]?.patterns, ...cases.patterns }, known }),
    ),
    ...(items === undefined ? {} : { items: items.all.length }),
  };
}

function placesOf(table: TableBlueprint, items: Items | undefined): readonly PlaceView[] {
  const { key, indexes } = table;
  return [undefined, ...indexes].map((index) => {
    const { partitionBy, sortBy } = index ?? key;
    const counted = items?.in(index?.name);
    const projected = index && projectedBy(table, index);
    const purpose = index && table.design.indexes?.[index.name]?.purpose;
    return {
      ...(index === undefined ? {} : { index: index.name }),
      ...(index?.local ? { local: true } : {}),
      ...(purpose === undefined ? {} : { purpose }),
      partition: partitionBy.map((attribute) => attribute.name),
      sort: sortBy.map((attribute) => attribute.name),
      ...(projected === undefined ? {} : { projected }),
      collections: collectionsOf(table, index ?? key, index),
      readBy: table.patterns
        .filter(({ design, accesses }) => isRead(design) && accesses.some((access) => access.index === index?.name))
        .map(({ name }) => name),
      ...(counted === undefined ? {} : { items: counted.size, partitions: counted.partitions.length }),
    };
  });
}

/**
 * Groups the entities that can share a partition: those whose partition keys have the same literal text around the
 * parts.
 */
function collectionsOf(table: TableBlueprint, key: KeyBlueprint, index?: IndexBlueprint): PlaceView['collections'] {
  const found = new Map<string, Collecting>();
  for (const entity of table.entities) {
    const sources = keysIn(entity, key);
    if (sources === undefined) continue;
    const marks = marksOf(sources.slice(0, key.partitionBy.length));
    const shape = JSON.stringify(marks.map(({ text, part }) => (part === undefined ? text : null)));
    const collection: Collecting = found.get(shape) ?? { partitions: new Map(), entities: [] };
    found.set(shape, collection);
    collection.partitions.set(marks.map(({ text }) => text).join(''), marks);
    collection.entities.push({
      name: entity.name,
      sort: marksOf(sources.slice(key.partitionBy.length)),
      while: index === undefined ? [] : whileIn(entity, index),
    });
  }
  return [...found.values()].map(({ partitions, entities }) => ({ partitions: [...partitions.values()], entities }));
}

/** Joins the key templates of a partition key or a sort key. */
function marksOf(sources: readonly KeySource[]): readonly Mark[] {
  return sources.flatMap(({ template }, i) => [...(i === 0 ? [] : [{ text: ' + ' }]), ...templateMarks(template)]);
}

interface Collecting {
  /** The key templates of the partition, keyed by their text. */
  readonly partitions: Map<string, readonly Mark[]>;
  readonly entities: PlaceView['collections'][number]['entities'][number][];
}

function whileIn(entity: EntityBlueprint, index: IndexBlueprint): readonly string[] {
  return membershipIn(entity, index).map(({ name, values }) => `${name} is ${values.join(' or ')}`);
}

function entityView(table: TableBlueprint, entity: EntityBlueprint, colour: number): EntityView {
  const { name, schema, attributes, keys } = entity;
  return {
    name,
    colour,
    ...(table.typeAttribute === undefined ? {} : { type: entity.type }),
    attributes: attributes.map((attribute) => {
      const { kind = 'other', optional = false, values, format } = attributeAt(schema, [attribute]) ?? {};
      const more = { ...(values === undefined ? {} : { values }), ...(format === undefined ? {} : { format }) };
      return { name: attribute, kind, optional, ...more };
    }),
    keys: [...keys.values()].map(({ attribute, template, natural }) => ({
      attribute,
      template: templateMarks(template),
      natural,
    })),
    indexes: table.indexes
      .filter((index) => keysIn(entity, index) !== undefined)
      .map((index) => ({
        name: index.name,
        while: whileIn(entity, index),
      })),
  };
}

interface Known {
  readonly cases: SystemCases['tables'][string]['patterns'] | undefined;
  readonly known: KnownItems;
}

function patternView(
  system: SystemDesign,
  table: TableBlueprint,
  pattern: PatternBlueprint,
  { cases, known }: Known,
): PatternView {
  const { name, design, accesses } = pattern;
  const across = shareIn(design) && system.patterns?.[name];
  const parameters = across === undefined ? parametersOf(table, pattern) : parametersAcross(system, name);
  const found = cases !== undefined && Object.hasOwn(cases, name) ? cases[name] : undefined;
  return {
    name,
    ...(design.purpose === undefined ? {} : { purpose: design.purpose }),
    op: design.op,
    ...(across === undefined ? {} : { across: tablesAcross(across) }),
    writes: !isRead(design),
    accesses: accesses.map(accessView),
    parameters: parameters.map(parameterView),
    // The values of a case refer to items in the cases, so use them only if the table contains those items.
    example: (found !== undefined && 'all' in known
      ? plain(found.values)
      : exampleOf(
          parameters,
          accesses,
          'all' in known ? known.all : known.some,
          table.separator,
          (found?.values ?? memberOf(table, pattern)) as Readonly<Record<string, unknown>> | undefined,
        )) as PatternView['example'],
    grant: grantView(system, name),
  };
}

function accessView(access: Access): AccessView {
  const { action, part, index, partition, sort, range, entities } = access;
  const stretch = rangeView(sort?.name ?? '', range);
  return {
    action,
    ...wordsOf(access),
    ...(part === undefined ? {} : { part }),
    ...(index === undefined ? {} : { index }),
    partition: (partition ?? []).map(({ attribute, at }) => ({ attribute: attribute.name, is: templateMarks(at) })),
    ...(stretch === undefined ? {} : { range: stretch }),
    entities,
  };
}

const RELATIONS: Readonly<Record<Exclude<Access['range']['kind'], 'all'>, string>> = {
  equals: 'is',
  beginsWith: 'begins with',
  between: 'is between',
  atLeast: 'is at least',
  atMost: 'is at most',
  greaterThan: 'is after',
  lessThan: 'is before',
};

function rangeView(attribute: string, range: Access['range']): AccessView['range'] {
  if (range.kind === 'all') return undefined;
  const [from = [], to] = boundsOfRange(range).map(templateMarks);
  const bounds: readonly Mark[] = to === undefined ? from : [...from, { text: ' and ' }, ...to];
  return { attribute, relation: RELATIONS[range.kind], bounds };
}

function parameterView({ sample: _, ...parameter }: Parameter): ParameterView {
  return parameter;
}

/**
 * For a put of a union, returns example values for one whole member, because examples for single attributes could
 * belong to different members.
 */
function memberOf(table: TableBlueprint, { design }: PatternBlueprint): unknown {
  const entity = design.op === 'put' ? entityNamed(table, design.entity) : undefined;
  return entity && membersOf(entity.schema).length > 1 ? samplesOf(entity.schema)[0]?.given : undefined;
}

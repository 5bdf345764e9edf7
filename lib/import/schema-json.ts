import type { SchemaData } from '../blueprint/attributes/data';
import type { KeyCondition } from '../design/pattern';
import { isObject } from '../design/show';
import { headOf, template } from '../design/template';
import type { Item } from '../items/item';
import { type DescribedTable, type Description, type Remark, unreadable } from './description';
import { describedEntity, type Frame } from './entities';
import { joined } from './joined';
import { selected } from './patterns';
import { projectionOf } from './physical';
import { sampleValues } from './samples';
import { optional } from './values';

interface Entity {
  readonly pk_template?: string | readonly string[];
  readonly sk_template?: string | readonly string[];
  readonly gsi_mappings?: readonly {
    readonly name: string;
    readonly pk_template?: string | readonly string[];
    readonly sk_template?: string | readonly string[];
  }[];
  readonly fields?: readonly Field[];
  readonly access_patterns?: readonly AccessPattern[];
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required?: boolean;
  readonly item_type?: string;
}

interface AccessPattern {
  readonly name: string;
  readonly description?: string;
  readonly operation: string;
  readonly index_name?: string;
  readonly range_condition?: string;
  readonly consistent_read?: boolean;
  readonly parameters?: readonly { readonly name: string }[];
}

interface Gsi {
  readonly name: string;
  readonly partition_key: string | readonly string[];
  readonly sort_key?: string | readonly string[];
  readonly projection?: string;
  readonly included_attributes?: readonly string[];
}

/** Reads a `schema.json`, which states entities, key templates and access patterns. */
export function fromSchemaJson(json: Readonly<Record<string, unknown>>, file: string): Description {
  const read = (json.tables as readonly Readonly<Record<string, unknown>>[]).map((table, i) =>
    tableOf(table, `'${file}', tables[${i}]`),
  );
  const { cross_table_access_patterns: across } = json;
  const skipped = Array.isArray(across) && across.length > 0;
  const all = joined(read);
  if (!skipped) return all;
  const remark = { path: [], text: `not read from ${file}: cross_table_access_patterns`, unsure: true };
  return { ...all, remarks: [...all.remarks, remark] };
}

function tableOf(table: Readonly<Record<string, unknown>>, place: string): Description {
  const { table_config: config, gsi_list: gsis = [], entities = {} } = table;
  if (!isObject(config) || typeof config.table_name !== 'string' || typeof config.partition_key !== 'string')
    throw unreadable(`${place}.table_config must have a table_name and a partition_key`);
  const name = config.table_name;
  const indexes = (gsis as readonly Gsi[]).map((gsi) => {
    const sides = { partition: gsi.partition_key, ...(gsi.sort_key !== undefined && { sort: gsi.sort_key }) };
    return [gsi.name, { ...sides, ...projectionOf(gsi.projection, gsi.included_attributes) }] as const;
  });
  const frame: Frame = {
    ...{ name, separator: '#' },
    key: { partition: config.partition_key, ...(typeof config.sort_key === 'string' && { sort: config.sort_key }) },
    ...(indexes.length > 0 && { indexes: Object.fromEntries(indexes) }),
  };
  const remarks: Remark[] = [];
  const patterns: Record<string, NonNullable<DescribedTable['patterns']>[string]> = {};
  const described = Object.entries(entities as Readonly<Record<string, Entity>>).map(([entity, given]) => {
    const stated = templatesOf(frame, given);
    const attributes: SchemaData = { type: 'object', shape: Object.fromEntries((given.fields ?? []).map(fieldOf)) };
    const examples = sampleValues(attributes).map((values) => ({ values, item: rendered(stated, values) }));
    const templates = Object.fromEntries(Object.entries(stated).map(([key, text]) => [key, ours(text)]));
    const natural = Object.keys(attributes.shape ?? {}).filter((one) => templates[one] === `<${one}>`);
    for (const one of natural) delete templates[one];
    const made = describedEntity(frame, { name: entity, examples, attributes, templates });
    remarks.push(...made.remarks);
    for (const pattern of given.access_patterns ?? []) {
      const read = patternOf(
        frame,
        entity,
        { ...Object.fromEntries(natural.map((one) => [one, `<${one}>`])), ...templates },
        pattern,
        attributes,
      );
      const taken = patterns[pattern.name] === undefined ? pattern.name : `${pattern.name}${entity}`;
      if (typeof read === 'string')
        remarks.push({ path: [name, 'patterns'], text: `${pattern.name}: ${read}`, unsure: true });
      else patterns[taken] = { ...read, ...(pattern.description && { purpose: pattern.description }) };
    }
    const evidence = examples.map(({ values, item }) => ({ table: name, entity, values, item }));
    // Fields, including the fields in keys, are stored under their own names.
    const { keyOnly: _, ...own } = made.entity;
    return { entry: [entity, own] as const, evidence };
  });
  const { separator: _, ...rest } = frame;
  return {
    tables: [{ ...rest, entities: Object.fromEntries(described.map(({ entry }) => entry)), patterns }],
    remarks,
    evidence: described.flatMap(({ evidence }) => evidence),
  };
}

/** Returns an entity's templates in the file's syntax, keyed by key attribute. */
function templatesOf({ key, indexes = {} }: Frame, entity: Entity): Readonly<Record<string, string>> {
  const pairs = (names: string | readonly string[] | undefined, texts: string | readonly string[] | undefined) =>
    [names ?? []]
      .flat()
      .flatMap((name, i) => ([texts ?? []].flat()[i] === undefined ? [] : [[name, [texts ?? []].flat()[i]]]));
  return Object.fromEntries([
    ...pairs(key.partition, entity.pk_template),
    ...pairs(key.sort, entity.sk_template),
    ...(entity.gsi_mappings ?? []).flatMap((mapping) => [
      ...pairs(indexes[mapping.name]?.partition, mapping.pk_template),
      ...pairs(indexes[mapping.name]?.sort, mapping.sk_template),
    ]),
  ]);
}

/** Translates `USER#{user_id}` to `USER#<user_id>`, and `{n:04d}` to `<n:4>`. */
function ours(text: string): string {
  return text.replaceAll(/\{(\w+)(?::0(\d+)d?)?\}/g, (_, name, width) => (width ? `<${name}:${width}>` : `<${name}>`));
}

/** Renders an item's keys from the file's own templates. */
function rendered(templates: Readonly<Record<string, string>>, values: Item): Item {
  const keys = Object.entries(templates).map(([key, text]) => {
    const lone = /^\{(\w+)\}$/.exec(text)?.[1];
    if (lone === key) return [key, values[key]];
    return [
      key,
      text.replaceAll(/\{(\w+)(?::0(\d+)d?)?\}/g, (_, name, width) =>
        String(values[name]).padStart(Number(width ?? 0), '0'),
      ),
    ];
  });
  return { ...values, ...Object.fromEntries(keys) };
}

const FIELDS: Readonly<Record<string, SchemaData>> = {
  string: { type: 'string' },
  integer: { type: 'number', format: 'safeint' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  object: { type: 'object', shape: {}, catchall: { type: 'unknown' } },
};

function fieldOf({ name, type, required, item_type: of = '' }: Field): readonly [string, SchemaData] {
  const schema =
    type === 'array' ? { type: 'array', element: FIELDS[of] ?? { type: 'any' } } : (FIELDS[type] ?? { type: 'any' });
  return [name, required === false ? optional(schema) : schema];
}

type Read = NonNullable<DescribedTable['patterns']>[string];

/**
 * Translates an access pattern into a pattern of the design. If there is no equivalent, returns the reason as a string.
 */
function patternOf(
  frame: Frame,
  entity: string,
  templates: Readonly<Record<string, string>>,
  given: AccessPattern,
  { shape = {} }: SchemaData,
): Read | string {
  const { partition, sort } =
    given.index_name === undefined ? frame.key : (frame.indexes?.[given.index_name] ?? frame.key);
  const of = (names: string | readonly string[] | undefined) =>
    Object.fromEntries([names ?? []].flat().map((name) => [name, templates[name] ?? `<${name}>`]));
  const where = { ...of(partition), ...of(sort) };
  const used = (text: string, name: string) => text.includes(`<${name}>`) || text.includes(`<${name}:`);
  const consistent = given.consistent_read === true && { consistent: true as const };
  switch (given.operation) {
    case 'GetItem':
      return { op: 'get', where, returns: [entity], ...consistent };
    case 'PutItem':
      return { op: 'put', entity, replace: true };
    case 'DeleteItem':
      return { op: 'delete', entity, where };
    case 'Scan':
      return { op: 'scan', returns: [entity] };
    case 'UpdateItem': {
      const others = (given.parameters ?? [])
        .map(({ name }) => name)
        .filter((name) => shape[name] && !Object.values(where).some((text) => used(text, name)));
      if (others.length === 0) return 'the file does not state what the update sets';
      return { op: 'update', entity, where, set: Object.fromEntries(others.map((name) => [name, `<${name}>`])) };
    }
    case 'Query': {
      const parts = Object.values(of(partition)).join('');
      const [low, high] = (given.parameters ?? []).map(({ name }) => name).filter((name) => !used(parts, name));
      const key = [sort ?? []].flat()[0];
      const range = RANGES[given.range_condition ?? ''];
      const head = headOf(template(templates[key ?? ''] ?? ''));
      const narrowed = key === undefined || low === undefined ? {} : { [key]: rangeOf(range, head, low, high) };
      const index = given.index_name === undefined ? {} : { index: given.index_name };
      const held = frame.indexes?.[given.index_name ?? ''];
      const select = held && selected(frame, held, [{ keys: templates, attributes: { type: 'object', shape } }]);
      return {
        op: 'query',
        ...index,
        where: { ...of(partition), ...narrowed } as never,
        returns: [entity],
        ...(select && { select }),
        ...consistent,
      };
    }
    default:
      return `${given.operation} has no equivalent in a design; write this pattern by hand`;
  }
}

/**
 * Returns the condition for a range of the sort key. A range with only one bound stays within the entity's key prefix.
 */
function rangeOf(
  range: string | undefined,
  head: string,
  low: string,
  high: string | undefined,
): KeyCondition | undefined {
  const [from, to] = [`${head}<${low}>`, `${head}<${high}>`];
  if (range === 'between') return { between: [from, to] };
  if (range === 'atLeast' && head !== '') return { between: [from, `${head}~`] };
  if (range === 'atMost' && head !== '') return { between: [head, from] };
  return range === undefined ? undefined : ({ [range]: from } as KeyCondition);
}

const RANGES: Readonly<Record<string, string>> = {
  ...{ begins_with: 'beginsWith', between: 'between' },
  ...{ '>': 'greaterThan', '<': 'lessThan', '>=': 'atLeast', '<=': 'atMost' },
};

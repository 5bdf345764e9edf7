import { hasKeys } from '../../blueprint/accesses';
import { type AttributeFacts, attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import { BATCH_ITEMS, DYNAMODB, TRANSACTION_ITEMS } from '../../blueprint/clouds';
import type { EntityOutline } from '../../blueprint/outline';
import { shareIn } from '../../blueprint/shares';
import { naming } from '../../blueprint/stored';
import {
  isSortKey,
  type KeyAttribute,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  knownParts,
  type TableBlueprint,
} from '../../blueprint/table';
import { wordsOf } from '../../blueprint/words';
import type { TableDesign } from '../../design/table';
import { KEY_BYTES, mapParts, widthOf } from '../../design/template';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atEntity, atIndex, atKey, atPattern, atTable } from '../findings/place';
import { repeatedIn } from '../keys/repeated-attribute';
import { isSeparator } from '../keys/separators';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'table-name': 'DynamoDB refuses the name of the table',
  'index-name': 'DynamoDB refuses the name of an index',
  'too-many-indexes': 'the table has more indexes than DynamoDB allows',
  'projection-size': 'an index lists no attributes to project, or too many',
  'too-many-projected': 'the indexes together list more projected attributes than DynamoDB allows',
  'too-many-items': 'a transaction or a batchGet has more items than one request allows',
  'type-is-key': 'the type attribute is also a key attribute, and an entity gives this key a value other than its type',
  'one-attribute': 'a key contains the same attribute twice, for example as its partition key and its sort key',
  'too-many-attributes': 'the partition key or the sort key of an index has more attributes than DynamoDB allows',
  'attribute-name': 'DynamoDB refuses the name of a key attribute',
  'written-by-table': 'an entity declares an attribute that Tablewright itself writes, as a key or as the type',
  'long-partition-key': 'every key that a template produces is too long for a partition key',
  'long-sort-key': 'every key that a template produces is too long for a sort key',
  'may-be-too-long': 'the values in a key may make the key longer than DynamoDB allows (a warning)',
  'ttl-is-key': 'the TTL attribute is a key attribute',
  'ttl-not-number': 'the TTL attribute is not a number, so DynamoDB ignores it',
  'ttl-milliseconds':
    'the TTL attribute is in milliseconds (a guess if only its name suggests this), so no item ever expires',
  'ttl-duration': 'the TTL attribute is a duration instead of a point in time, so items expire at once',
  'ttl-key-only': 'the TTL attribute is listed in `keyOnly`, so DynamoDB does not see it',
  separator: 'the separator is not a single character, or is a letter, a digit, a space or one of < > ? . -',
} as const;

type Cause = keyof typeof causes;

export const limits: TableRule<'limits', Cause> = {
  id: 'limits',
  severity: 'error',
  why: 'CDK and CloudFormation accept these mistakes, but the deployment fails, or the table is unusable.',
  causes,
  check: (table) => [
    ...names(table),
    ...counts(table),
    ...keys(table),
    ...literals(table),
    ...duplicates(table),
    ...(table.design.ttl === undefined ? [] : expiry(table, table.design.ttl)),
    ...(table.design.separator === undefined ? [] : separator(table.design, table.design.separator)),
  ],
};

function names({ design, cloud }: TableUnderCheck): readonly Found<Cause>[] {
  const { form, words } = DYNAMODB.name;
  const fix = `use ${words}`;
  // `azure-tables` checks names on Azure.
  const table =
    cloud === 'azure' || form.test(design.name)
      ? []
      : [
          {
            ...atTable(design, 'name'),
            cause: 'table-name',
            message: `'${design.name}' is not a legal table name`,
            fix,
          } as const,
        ];
  const indexes = Object.keys(design.indexes ?? {})
    .filter((index) => !form.test(index))
    .map((index) => {
      const message = `'${index}' is not a legal index name`;
      return { ...atIndex(index), cause: 'index-name', message, fix } as const;
    });
  return [...table, ...indexes];
}

function* counts(table: TableUnderCheck): Iterable<Found<Cause>> {
  const indexes = Object.entries(table.design.indexes ?? {});
  // `local-index` counts the local indexes.
  const { length } = indexes.filter(([, { local }]) => !local);
  if (length > DYNAMODB.indexes) {
    yield {
      ...atTable(table, 'indexes', { count: length }),
      cause: 'too-many-indexes',
      message: `the table has ${length} indexes, but DynamoDB allows at most ${DYNAMODB.indexes}`,
      fix: 'let entities share an index: one pair of key attributes can hold the keys of many entities',
    };
  }
  const most = DYNAMODB.projectedAttributesOfIndex;
  for (const [name, { projection }] of indexes) {
    if (typeof projection === 'object' && (projection.length === 0 || projection.length > most)) {
      yield {
        ...atIndex(name, 'projection', { count: projection.length }),
        cause: 'projection-size',
        message: `the index lists ${projection.length} projected attributes, but DynamoDB allows 1 to ${most}`,
        fix: `project 'all', 'keys', or 1 to ${most} attributes`,
      };
    }
  }
  const projected = indexes.reduce(
    (sum, [, { projection }]) => sum + (Array.isArray(projection) ? projection.length : 0),
    0,
  );
  if (projected > DYNAMODB.projectedAttributes) {
    yield {
      ...atTable(table, 'indexes', { count: projected }),
      cause: 'too-many-projected',
      message: `the indexes together list ${projected} projected attributes, but DynamoDB allows at most ${DYNAMODB.projectedAttributes}`,
      fix: `project 'all', or list fewer attributes`,
    };
  }
  for (const { name, design: pattern } of table.patterns) {
    // The system check counts the steps or keys of a system-wide pattern across all tables.
    if ((pattern.op !== 'transaction' && !hasKeys(pattern)) || shareIn(pattern)) continue;
    const [what, parts, most] =
      pattern.op === 'transaction'
        ? (['steps', pattern.steps, TRANSACTION_ITEMS] as const)
        : (['keys', pattern.keys, pattern.op === 'batchGet' ? BATCH_ITEMS.batchGet : TRANSACTION_ITEMS] as const);
    const count = Object.keys(parts).length;
    if (count > most) {
      yield {
        ...atPattern({ name }, what, undefined, { count }),
        cause: 'too-many-items',
        message: `the request has ${count} items, but DynamoDB allows at most ${most}`,
        fix: `reduce the request to ${most} items`,
      };
    }
  }
}

function keys(table: TableUnderCheck): readonly Found<Cause>[] {
  const faulty = [table.key, ...table.indexes].filter(
    (key) => repeatedIn(key) !== undefined || sidesOf(key).some(isLong) || keyOf(key).some(isMisnamed),
  );
  const isOther = ({ type, keys }: EntityOutline) =>
    (keys.get(table.design.typeAttribute ?? '')?.template.text ?? type) !== type;
  const type =
    table.design.typeAttribute !== undefined && table.entities.some(isOther)
      ? [
          {
            ...atTable(table, 'typeAttribute', { attribute: table.design.typeAttribute }),
            cause: 'type-is-key',
            message: `the type attribute '${table.design.typeAttribute}' is also a key attribute, but its value is not always the entity's type`,
            fix: NAME_ANOTHER,
          } as const,
        ]
      : [];
  return [...faulty.flatMap((key) => [...inKey(table.design, key)]), ...type];
}

const NAME_ANOTHER = 'use a different attribute';

function isMisnamed({ name }: KeyAttribute): boolean {
  return name === '' || isLonger(name, DYNAMODB.attributeNameBytes);
}

function sidesOf({ partitionBy, sortBy }: KeyBlueprint) {
  return [
    { role: 'partition', by: partitionBy },
    { role: 'sort', by: sortBy },
  ] as const;
}

function isLong({ by }: { readonly by: readonly KeyAttribute[] }): boolean {
  return by.length > DYNAMODB.keyAttributes;
}

function* inKey(design: TableDesign, key: KeyBlueprint & { readonly name?: string }): Iterable<Found<Cause>> {
  const { name, partitionBy, sortBy } = key;
  const repeated = repeatedIn(key);
  const place = (role: 'partition' | 'sort', attribute: string) =>
    name === undefined ? atTable(design, `key.${role}`, { attribute }) : atIndex(name, role, { attribute });
  if (repeated !== undefined) {
    const isSort = sortBy.includes(repeated);
    const isBoth = isSort && partitionBy.includes(repeated);
    const message = isBoth
      ? `'${repeated.name}' is both the partition key and the sort key`
      : `the key contains '${repeated.name}' twice`;
    const fix = `${NAME_ANOTHER}, or remove the ${isBoth && sortBy.length === 1 ? 'sort key' : 'duplicate'}`;
    yield { ...place(isSort ? 'sort' : 'partition', repeated.name), cause: 'one-attribute', message, fix };
  }
  for (const { role, by } of sidesOf(key).filter(isLong)) {
    const message = `the ${role} key has ${by.length} attributes, but DynamoDB allows at most ${DYNAMODB.keyAttributes}`;
    const fix = 'combine some of the attributes into one template';
    yield { ...place(role, by[0]?.name as string), cause: 'too-many-attributes', message, fix };
  }
  for (const attribute of keyOf(key).filter(isMisnamed)) {
    const fix = `use a name of 1 to ${DYNAMODB.attributeNameBytes} bytes`;
    const role = partitionBy.includes(attribute) ? 'partition' : 'sort';
    const message = `'${attribute.name}' is not a legal attribute name`;
    yield { ...place(role, attribute.name), cause: 'attribute-name', message, fix };
  }
}

/** Reports entity attributes that Tablewright itself writes, as a key or as the type. */
function duplicates({ design }: TableUnderCheck): readonly Found<Cause>[] {
  const { typeAttribute = '' } = design;
  return Object.entries(design.entities).flatMap(([name, { keys = {}, attributes }]) =>
    attributeNames(attributes)
      .filter((attribute) => attribute === typeAttribute || Object.hasOwn(keys, attribute))
      .map((attribute) => ({
        ...atEntity(name, 'attributes', attribute),
        cause: 'written-by-table' as const,
        message: `Tablewright itself writes '${attribute}', as a key or as the type`,
        fix: `rename the attribute, or remove the template of '${attribute}' to make it a natural key`,
      })),
  );
}

/**
 * Whether a string has more bytes than allowed. A UTF-16 code unit takes at most three bytes, so the bytes of a short
 * string need not be counted.
 */
function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/**
 * Reports keys that are too long. The limit for sort keys applies to every attribute that is a sort key of the table or
 * of any index.
 */
function literals(table: TableBlueprint): readonly Found<Cause>[] {
  return table.sources.flatMap((source): readonly Found<Cause>[] => {
    const role = isSortKey(table, source.attribute) ? 'sort' : 'partition';
    const limit = KEY_BYTES[role];
    if (!source.facts.some(isBounded) && !isLonger(source.template.text, limit)) return [];
    const { least, most } = bytesOf(source);
    if (least > limit) {
      const message = `the key takes at least ${least} bytes, but a ${role} key is limited to ${limit} bytes, so every put is refused`;
      const fix = 'shorten the template or its values';
      return [{ ...atKey(source, { count: least }), cause: `long-${role}-key`, message, fix }];
    }
    if (most <= limit) return [];
    const message = `the key can take ${most} bytes, but a ${role} key is limited to ${limit} bytes, so longer keys are refused`;
    const fix = `lower the maximum length of '${longest(source)}'`;
    return [{ severity: 'warning', ...atKey(source, { count: most }), cause: 'may-be-too-long', message, fix }];
  });
}

function isBounded(facts: AttributeFacts | undefined): boolean {
  return facts?.kind === 'string' && (facts.values ?? facts.minimum ?? facts.maximum) !== undefined;
}

/**
 * Returns the smallest and the largest size that a key can have, in bytes. A value takes at least one byte. A string
 * without a maximum is assumed to have its minimum length.
 */
function bytesOf({ template, facts }: KeySource): { readonly least: number; readonly most: number } {
  let at = 0;
  const sizes = mapParts(
    template,
    (text): readonly [number, number] => [Buffer.byteLength(text), Buffer.byteLength(text)],
    (part) => {
      const known = facts[at++];
      const width = widthOf(part);
      if (width !== undefined || known?.kind !== 'string') return [width ?? 1, width ?? 1];
      const { values, minimum = 1, maximum = minimum } = known;
      const lengths = values === undefined ? [minimum, maximum] : values.map((value) => Buffer.byteLength(`${value}`));
      const most = Math.max(1, ...lengths);
      // The encoded form may escape every character, which doubles the size.
      return [Math.max(1, Math.min(...lengths)), part.format === 'encoded' ? 2 * most : most];
    },
  );
  const sum = (i: 0 | 1) => sizes.reduce((all, size) => all + size[i], 0);
  return { least: sum(0), most: sum(1) };
}

/** Returns the name of the part with the longest possible values. */
function longest(source: KeySource): string {
  const [first] = [...knownParts(source)].sort((a, b) => (b.facts?.maximum ?? 0) - (a.facts?.maximum ?? 0));
  return first?.part.name ?? source.attribute;
}

function* expiry(table: TableUnderCheck, ttl: string): Iterable<Found<Cause>> {
  if (table.keyAttributes.some(({ name }) => name === ttl)) {
    const fix = 'store the expiry in a separate attribute';
    yield {
      ...atTable(table, 'ttl', { attribute: ttl }),
      cause: 'ttl-is-key',
      message: `the TTL attribute '${ttl}' is a key attribute`,
      fix,
    };
    return;
  }
  const holders = table.entities.map(({ name, design: entity }) => {
    const attribute = naming.attributeOf(entity.stored, ttl);
    return { name, attribute, facts: attributeAt(entity.attributes, [attribute]) };
  });
  for (const { name, design } of table.entities) {
    if (design.keyOnly?.includes(ttl)) {
      const message = `DynamoDB needs the TTL attribute '${ttl}' in the item, but keyOnly stores it only in keys`;
      yield {
        ...atEntity(name, 'keyOnly', undefined, { attribute: ttl }),
        cause: 'ttl-key-only',
        message,
        fix: `remove '${ttl}' from keyOnly`,
      };
    }
  }
  for (const { name, attribute, facts } of holders) {
    yield* moment(name, attribute, facts);
    if (facts !== undefined && facts.kind !== 'number') {
      yield {
        ...atEntity(name, 'attributes', attribute, { value: facts.kind }),
        cause: 'ttl-not-number',
        message: `the TTL attribute is ${facts.kind === 'other' ? 'not a number' : `a ${facts.kind}`}, but DynamoDB ignores TTL values that are not numbers`,
        fix: `write ${attribute}: z.int(), in seconds since 1970`,
      };
    }
  }
}

/** The bounds of a plausible time, in seconds since 1970. Current times have ten digits, and will until 2286. */
const SECONDS = { least: 100_000_000, most: 99_999_999_999 };
const MILLISECONDS: ReadonlySet<string> = new Set('ms millis milliseconds millisecond msec'.split(' '));
const LENGTHS: ReadonlySet<string> = new Set('duration days hours minutes lifetime in'.split(' '));

/** Reports a TTL attribute that DynamoDB would misread, judging by the bounds of its schema or, as a guess, by its name. */
function* moment(name: string, ttl: string, facts: AttributeFacts | undefined): Iterable<Found<Cause>> {
  if (facts?.kind !== 'number') return;
  const { minimum = -Infinity, maximum = Infinity } = facts;
  const place = atEntity(name, 'attributes', ttl);
  const last = wordsOf(ttl).at(-1) ?? '';
  if (minimum > SECONDS.most || MILLISECONDS.has(last)) {
    const message = `${minimum > SECONDS.most ? 'the TTL attribute is' : `judging by its name, '${ttl}' is`} in milliseconds, but DynamoDB expects seconds, so no ${name} expires before the year 50,000`;
    const fix = `store seconds since 1970: Math.floor(Date.now() / 1000) + …`;
    yield { ...(minimum > SECONDS.most ? {} : GUESS), ...place, cause: 'ttl-milliseconds', message, fix };
  } else if (maximum < SECONDS.least || LENGTHS.has(last)) {
    const message = `${maximum < SECONDS.least ? `'${ttl}' is at most ${maximum}, which is` : `judging by its name, '${ttl}' is`} a duration, but DynamoDB expects seconds since 1970, so every ${name} expires at once`;
    const fix = 'store the expiry time: the current time in seconds since 1970, plus the duration';
    yield { ...(maximum < SECONDS.least ? {} : GUESS), ...place, cause: 'ttl-duration', message, fix };
  }
}

function separator(design: TableDesign, separator: string): readonly Found<Cause>[] {
  if (isSeparator(separator)) return [];
  return [
    {
      ...atTable(design, 'separator', { value: separator }),
      cause: 'separator',
      message: `'${separator}' cannot separate the parts of a key`,
      fix: `use one character that no identifier, number or date contains, such as '#' or '|'`,
    },
  ];
}

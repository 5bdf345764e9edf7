import type { Access } from '../../blueprint/accesses';
import { attributeNames } from '../../blueprint/attributes/facts';
import { AZURE_TABLES, hasAzureKeys } from '../../blueprint/clouds';
import { naming } from '../../blueprint/stored';
import { type EntityBlueprint, keyOf } from '../../blueprint/table';
import { textWith } from '../../blueprint/template-parts';
import type { Found, TableRule } from '../findings/finding';
import { atEntity, atIndex, atKey, atPattern, atTable } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'table-name': 'Azure refuses the name of the table',
  'key-names': "the table's keys are not PartitionKey and RowKey",
  'key-literal': 'the literal text of a key contains a character that Azure refuses in a key',
  'property-name': 'Azure refuses the name of an attribute',
  'too-many-properties': 'an entity has more attributes than Azure allows',
  ttl: 'Azure Tables has no TTL',
  index: 'Azure Tables has no indexes',
  'two-partitions': 'a transaction writes to more than one partition',
} as const;

type Cause = keyof typeof causes;

/**
 * Checks only designs that target Azure. A DynamoDB system can also run on Azure, where its tables get different names
 * and keys, so `portability` reports the differences instead.
 */
export const azureTables: TableRule<'azure-tables', Cause> = {
  id: 'azure-tables',
  severity: 'error',
  why: 'Azure Tables has its own naming rules and limits, has no indexes and no TTL, and supports transactions only within one partition.',
  causes,
  *check(table) {
    if (table.cloud !== 'azure') return;
    yield* whole(table);
    for (const entity of table.entities) yield* inEntity(table, entity);
    yield* transactions(table);
  },
};

function* whole({ design, indexes }: TableUnderCheck): Iterable<Found<Cause>> {
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(design.name)) {
    const message = `'${design.name}' is not a legal Azure table name`;
    yield { ...atTable(design, 'name'), cause: 'table-name', message, fix: `use ${words}` };
  }
  if (!hasAzureKeys(design)) {
    const { partition, sort } = AZURE_TABLES.key;
    const message = `the keys of an Azure table are ${partition} and ${sort}`;
    const fix = `write key: { partition: '${partition}', sort: '${sort}' }`;
    yield { ...atTable(design, 'key'), cause: 'key-names', message, fix };
  }
  if (design.ttl !== undefined) {
    const message = 'Azure Tables has no TTL, so it never deletes expired items';
    yield { ...atTable(design, 'ttl'), cause: 'ttl', message, fix: "remove 'ttl', and delete old items on a schedule" };
  }
  for (const { name } of indexes) {
    const fix = 'remove the index, and keep a separate lookup table';
    yield { ...atIndex(name), cause: 'index', message: 'Azure Tables has no indexes', fix };
  }
}

function* inEntity({ design }: TableUnderCheck, { name, keys, ...entity }: EntityBlueprint): Iterable<Found<Cause>> {
  for (const source of keys.values()) {
    const { template } = source;
    const illegal = AZURE_TABLES.illegalInKeys.exec(textWith(template, () => ''))?.[0];
    if (illegal === undefined) continue;
    yield {
      ...atKey(source, { value: illegal }),
      cause: 'key-literal',
      message: `'${template.text}' contains '${illegal}', which Azure refuses in a key`,
      fix: `use a different character, such as '_'`,
    };
  }
  const attributes = attributeNames(entity.design.attributes);
  for (const attribute of attributes) {
    const property = naming.path([{ name, ...entity }], attribute);
    // Azure stores a natural key as PartitionKey or RowKey, not as a separate property.
    if (keys.has(property) || isLegalProperty(property)) continue;
    yield {
      ...atEntity(name, 'attributes', attribute),
      cause: 'property-name',
      message: `'${property}' is not a legal Azure property name`,
      fix: 'use at most 255 letters, digits and underscores, do not begin with a digit, and avoid names reserved by Azure',
    };
  }
  const count = attributes.length + (design.typeAttribute === undefined ? 0 : 1);
  if (count > AZURE_TABLES.properties) {
    yield {
      ...atEntity(name, 'attributes', undefined, { count }),
      cause: 'too-many-properties',
      message: `${name} has ${count} properties, but Azure allows at most ${AZURE_TABLES.properties} per item`,
      fix: 'combine some attributes into a map, which becomes a single property',
    };
  }
}

function isLegalProperty(name: string): boolean {
  return AZURE_TABLES.propertyName.test(name) && !(AZURE_TABLES.reservedNames as readonly string[]).includes(name);
}

function* transactions(table: TableUnderCheck): Iterable<Found<Cause>> {
  for (const { name, design: pattern, accesses } of table.patterns) {
    if (pattern.op !== 'transaction') continue;
    const steps = Object.keys(pattern.steps);
    const partitions = new Set(accesses.map((access) => shape(access, steps)));
    if (partitions.size < 2) continue;
    yield {
      ...atPattern({ name }, 'steps', undefined, { count: partitions.size }),
      cause: 'two-partitions',
      message: `the transaction writes to ${partitions.size} partitions (${keyOf(table.key)[0]?.name}), but an Azure batch writes to only one`,
      fix: 'write the items one by one, ordered so that a failure can be repaired, or keep all of them in one partition',
    };
  }
}

/**
 * Removes step names from a partition key, so that `USER#<trip.userId>` equals `USER#<userId>`, the partition key in
 * the step that puts the trip.
 */
function shape({ action, partition }: Access, steps: readonly string[]): string | undefined {
  const text = partition?.[0].at.text;
  if (action === 'put') return text;
  return text?.replaceAll(/<([^.>]*)\./g, (start, step) => (steps.includes(step) ? '<' : start));
}

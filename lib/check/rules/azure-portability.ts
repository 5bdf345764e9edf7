import { type AbilityCause, faultsOnAzure } from '../../blueprint/abilities';
import type { Access } from '../../blueprint/accesses';
import { attributeNames } from '../../blueprint/attributes/facts';
import { AZURE_TABLES, hasAzureKeys } from '../../blueprint/clouds';
import { keyOf } from '../../blueprint/table';
import { textWith } from '../../blueprint/template-parts';
import type { Found, TableRule } from '../findings/finding';
import { atEntity, atIndex, atKey, atPattern, atTable } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'table-name': 'Azure refuses the name of the table',
  'key-names': 'the keys of a table for Azure are not PartitionKey and RowKey',
  'key-literal': 'the literal text of a key holds a character that Azure refuses in a key',
  'property-name': 'Azure refuses the name of an attribute',
  'too-many-properties': 'an entity has more attributes than Azure allows',
  ttl: 'Azure Tables have no TTL',
  index: 'Azure Tables have no indexes',
  descending: 'Azure Tables cannot read in descending order',
  'two-partitions': 'a transaction writes to more than one partition',
  'too-many-items': 'a transaction has too many items for an Azure batch',
} as const;

type Cause = keyof typeof causes;

export const azurePortability: TableRule<'azure-portability', Cause> = {
  id: 'azure-portability',
  severity: 'warning',
  why: 'Azure Tables have no index, no TTL, no descending order, and transactions within one partition only.',
  causes,
  *check(table) {
    if (table.cloud !== 'azure' && table.portability !== 'azure') return;
    const severity = table.cloud === 'azure' ? 'error' : 'warning';
    for (const found of [...names(table), ...keys(table), ...features(table), ...transactions(table)]) {
      yield { severity, ...found };
    }
  },
};

function* names({ design, cloud }: TableUnderCheck): Iterable<Found<Cause>> {
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(design.name)) {
    const message = `'${design.name}' is not a legal name of an Azure table`;
    yield { ...atTable(design, 'name'), cause: 'table-name', message, fix: `use ${words}` };
  }
  if (cloud !== 'azure') return;
  if (!hasAzureKeys(design)) {
    const { partition, sort } = AZURE_TABLES.key;
    const message = `the keys of an Azure table are ${partition} and ${sort}`;
    const fix = `write key: { partition: '${partition}', sort: '${sort}' }`;
    yield { ...atTable(design, 'key'), cause: 'key-names', message, fix };
  }
}

function* keys(table: TableUnderCheck): Iterable<Found<Cause>> {
  for (const { name, design: entity, keys } of table.entities) {
    // On a move from DynamoDB, keys are encoded, so every character is allowed.
    for (const source of table.cloud === 'azure' ? keys.values() : []) {
      const { template } = source;
      const literal = textWith(template, () => '');
      const illegal = AZURE_TABLES.illegalInKeys.exec(literal)?.[0];
      if (illegal !== undefined) {
        yield {
          ...atKey(source, { value: illegal }),
          cause: 'key-literal',
          message: `'${template.text}' holds '${illegal}', which an Azure key may not`,
          fix: `use another character, such as '_'`,
        };
      }
    }
    for (const attribute of attributeNames(entity.attributes)) {
      // A natural key is not a property of its own.
      if (keys.has(attribute) || isLegalProperty(attribute)) continue;
      yield {
        ...atEntity(name, 'attributes', attribute),
        cause: 'property-name',
        message: `'${attribute}' is not a legal name of an Azure property`,
        fix: 'use at most 255 letters, digits and _, not beginning with a digit, and no name reserved by Azure',
      };
    }
    const count = attributeNames(entity.attributes).length + (table.design.typeAttribute === undefined ? 0 : 1);
    if (count > AZURE_TABLES.properties) {
      yield {
        ...atEntity(name, 'attributes', undefined, { count }),
        cause: 'too-many-properties',
        message: `${count} properties, but an Azure entity has at most ${AZURE_TABLES.properties}`,
        fix: 'gather some in a map, which is stored as one property',
      };
    }
  }
}

function isLegalProperty(name: string): boolean {
  return AZURE_TABLES.propertyName.test(name) && !(AZURE_TABLES.reservedNames as readonly string[]).includes(name);
}

function* features(table: TableUnderCheck): Iterable<Found<Cause>> {
  if (table.design.ttl !== undefined) {
    const message = 'Azure Tables never expire an entity';
    yield { ...atTable(table, 'ttl'), cause: 'ttl', message, fix: 'delete old entities on a schedule' };
  }
  for (const { name } of table.cloud === 'azure' ? table.indexes : []) {
    yield {
      ...atIndex(name),
      cause: 'index',
      message: 'Azure Tables have no index',
      fix: 'keep a lookup table beside this one',
    };
  }
  for (const pattern of table.patterns) {
    for (const { cause: fault, field, value, message, fix } of faultsOnAzure(pattern)) {
      const cause = OF_PATTERNS.get(fault);
      if (cause === undefined) continue;
      const count = typeof value === 'number' ? value : undefined;
      yield { ...atPattern(pattern, field, undefined, { count }), cause, message, fix };
    }
  }
}

/** Operations that matter even before a move to Azure; `cloud-operation` reports the rest. */
const OF_PATTERNS: ReadonlyMap<AbilityCause, Cause> = new Map([
  ['ascending-only', 'descending'],
  ['batch-size', 'too-many-items'],
]);

function* transactions(table: TableUnderCheck): Iterable<Found<Cause>> {
  for (const { name, design: pattern, accesses } of table.patterns) {
    const steps = pattern.op === 'transaction' ? Object.keys(pattern.steps) : undefined;
    // A write of an item with a guard is a transaction too.
    if (steps === undefined && accesses.every(({ unique }) => unique === undefined)) continue;
    const partitions = new Set(accesses.map((access) => shape(access, steps ?? [])));
    if (partitions.size > 1) {
      yield {
        ...atPattern({ name }, steps && 'steps', undefined, { count: partitions.size }),
        cause: 'two-partitions',
        message: `it writes to ${partitions.size} partitions (${keyOf(table.key)[0]?.name}), but an Azure batch writes to one`,
        fix: 'write in an order that can be repaired, or keep everything in one partition',
      };
    }
  }
}

/** A partition without the names of the steps it refers to: `USER#<trip.userId>` is the partition of a put of the trip. */
function shape({ action, partition }: Access, steps: readonly string[]): string | undefined {
  const text = partition?.[0].at.text;
  if (action === 'put') return text;
  return text?.replaceAll(/<([^.>]*)\./g, (start, step) => (steps.includes(step) ? '<' : start));
}

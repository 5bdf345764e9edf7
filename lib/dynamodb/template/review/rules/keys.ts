import { DYNAMODB } from '../../../../blueprint/clouds';
import type { FoundInTemplate, TemplateRule } from '../rule';
import { indexesOf, type KeyElement, type LegibleTable } from '../subject';

/** The rules about faulty keys, which DynamoDB refuses only in the middle of a deployment. */
export const keys: readonly TemplateRule[] = [
  {
    id: 'key-schema',
    severity: 'error',
    why: 'CDK and CloudFormation accept some keys that DynamoDB refuses, and then the deployment rolls back.',
    *check(table) {
      for (const { location, schema } of schemasOf(table)) {
        const [partition, sort] = ['HASH', 'RANGE'].map((role) => schema.filter(({ KeyType }) => KeyType === role));
        if (partition?.length === 0)
          yield { location, message: 'the key has no partition attribute', fix: 'add an attribute with KeyType HASH' };
        const sorted = new Set(sort?.map(({ AttributeName }) => AttributeName));
        const both = partition?.find(({ AttributeName }) => sorted.has(AttributeName));
        if (both !== undefined) {
          const message = `'${both.AttributeName}' is both the partition key and the sort key`;
          yield { location, message, fix: 'use a different attribute, or leave out the sort key' };
        }
        yield* severalAttributes(location, partition ?? [], sort ?? [], schema);
      }
    },
  },
  {
    id: 'attribute-definitions',
    severity: 'error',
    why: 'DynamoDB needs exactly one type per key attribute, and refuses types for other attributes.',
    *check(table) {
      const { AttributeDefinitions = [] } = table.properties;
      const defined = AttributeDefinitions.map(({ AttributeName }) => AttributeName);
      const used = new Set(schemasOf(table).flatMap(({ schema }) => schema.map(({ AttributeName }) => AttributeName)));
      const found = (message: string, fix: string): FoundInTemplate => ({
        location: 'Properties.AttributeDefinitions',
        message,
        fix,
      });
      for (const name of used) {
        if (!defined.includes(name)) yield found(`key attribute '${name}' has no type`, `define '${name}'`);
      }
      for (const name of new Set(defined)) {
        if (!used.has(name))
          yield found(
            `'${name}' is defined, but is not a key attribute`,
            `remove '${name}': define only key attributes`,
          );
        const types = AttributeDefinitions.filter(({ AttributeName }) => AttributeName === name);
        if (types.length > 1) yield found(`'${name}' is defined ${types.length} times`, 'define it once');
      }
    },
  },
  {
    id: 'ttl-attribute',
    severity: 'error',
    why: 'DynamoDB does not accept a key attribute as the TTL attribute.',
    *check(under) {
      const { ttl } = under.table;
      if (ttl === undefined) return;
      if (schemasOf(under).some(({ schema }) => schema.some(({ AttributeName }) => AttributeName === ttl))) {
        const fix = 'store the expiry in a separate attribute, in seconds since 1970';
        yield { location: 'Properties.TimeToLiveSpecification', message: `'${ttl}' is a key attribute`, fix };
      }
    },
  },
  {
    id: 'illegal-name',
    severity: 'error',
    why: 'DynamoDB refuses illegal names, which CDK and CloudFormation do not check.',
    *check(table) {
      const { form, words } = DYNAMODB.name;
      const fix = `use ${words}`;
      const { TableName } = table.properties;
      if (typeof TableName === 'string' && !form.test(TableName)) {
        yield { location: 'Properties.TableName', message: `'${TableName}' is not a legal table name`, fix };
      }
      for (const { location, IndexName } of indexesOf(table)) {
        if (typeof IndexName === 'string' && !form.test(IndexName)) {
          yield { location: `${location}.IndexName`, message: `'${IndexName}' is not a legal index name`, fix };
        }
      }
      for (const { location, schema } of schemasOf(table)) {
        for (const { AttributeName } of schema) {
          const bytes = Buffer.byteLength(String(AttributeName));
          if (bytes >= 1 && bytes <= DYNAMODB.attributeNameBytes) continue;
          const message = `'${AttributeName}' is not a legal attribute name`;
          yield { location, message, fix: `use a name of 1 to ${DYNAMODB.attributeNameBytes} bytes` };
        }
      }
    },
  },
];

/**
 * Checks a key with several attributes: only a global index's key may have several partition or sort attributes, up to
 * a limit, and the partition attributes must come first.
 */
function* severalAttributes(
  location: string,
  partition: readonly KeyElement[],
  sort: readonly KeyElement[],
  schema: readonly KeyElement[],
): Iterable<FoundInTemplate> {
  const most = location.includes('GlobalSecondaryIndexes') ? DYNAMODB.keyAttributes : 1;
  for (const [role, elements] of [
    ['partition', partition],
    ['sort', sort],
  ] as const) {
    if (elements.length <= most) continue;
    const message = `the ${role} key has ${elements.length} attributes`;
    yield { location, message, fix: `use at most ${most} attribute${most === 1 ? '' : 's'}` };
  }
  const names = [partition, sort].map((elements) => elements.map(({ AttributeName }) => AttributeName));
  const twice = names.flatMap((side) => side.filter((name, i) => side.indexOf(name) !== i))[0];
  if (twice !== undefined) yield { location, message: `'${twice}' is in the key twice`, fix: 'name it once' };
  if (schema.findLastIndex(({ KeyType }) => KeyType === 'HASH') >= partition.length && partition.length > 0) {
    const message = 'a partition attribute of the key comes after a sort attribute';
    yield { location, message, fix: 'list all partition attributes (HASH) first' };
  }
}

function schemasOf(
  table: LegibleTable,
): readonly { readonly location: string; readonly schema: readonly KeyElement[] }[] {
  return [
    { location: 'Properties.KeySchema', schema: table.properties.KeySchema ?? [] },
    ...indexesOf(table).map(({ location, KeySchema = [] }) => ({
      location: `${location}.KeySchema`,
      schema: KeySchema,
    })),
  ];
}

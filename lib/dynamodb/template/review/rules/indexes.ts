import { DYNAMODB } from '../../../../blueprint/clouds';
import type { TemplateRule } from '../rule';
import { indexesOf } from '../subject';

/** The rules about index settings that DynamoDB refuses, or that silently make an index useless. */
export const indexes: readonly TemplateRule[] = [
  {
    id: 'index-limits',
    severity: 'error',
    why: 'A table can have only a limited number of indexes, and their names must be unique.',
    *check(table) {
      for (const [kind, most] of [
        ['GlobalSecondaryIndexes', DYNAMODB.indexes],
        ['LocalSecondaryIndexes', DYNAMODB.localIndexes],
      ] as const) {
        const count = table.properties[kind]?.length ?? 0;
        if (count <= most) continue;
        const message = `${count} ${kind}, but a table has at most ${most}`;
        yield { location: `Properties.${kind}`, message, fix: 'let entities share indexes' };
      }
      const names = new Set<string>();
      for (const { location, IndexName } of indexesOf(table)) {
        const message = `two indexes are named '${IndexName}'`;
        if (names.has(IndexName)) yield { location: `${location}.IndexName`, message, fix: 'rename one' };
        names.add(IndexName);
      }
    },
  },
  {
    id: 'projection',
    severity: 'error',
    why: 'DynamoDB refuses a wrong projection, or projects an attribute that no item has.',
    *check(table) {
      const all = indexesOf(table);
      const keys = new Set((table.properties.KeySchema ?? []).map(({ AttributeName }) => AttributeName));
      for (const { location, Projection = {}, KeySchema = [] } of all) {
        const { ProjectionType, NonKeyAttributes: named = [] } = Projection;
        const at = `${location}.Projection`;
        const most = DYNAMODB.projectedAttributesOfIndex;
        if (ProjectionType !== 'INCLUDE' && named.length > 0) {
          const message = `NonKeyAttributes is set, but the projection type is ${ProjectionType ?? 'not set'}`;
          yield {
            location: at,
            message,
            fix: 'set projectionType: ProjectionType.INCLUDE, or remove NonKeyAttributes',
          };
        }
        if (ProjectionType === 'INCLUDE' && (named.length === 0 || named.length > most)) {
          const message = `${named.length} projected attributes, but an index must project 1 to ${most}`;
          yield { location: at, message, fix: `project ALL, KEYS_ONLY, or 1 to ${most} attributes` };
        }
        for (const name of named.filter((path) => path.includes('.'))) {
          const [top] = name.split('.');
          const message = `'${name}' is a path, but an index can project only whole attributes`;
          yield { location: at, message, fix: `project '${top}'` };
        }
        const own = new Set(KeySchema.map(({ AttributeName }) => AttributeName));
        for (const name of named.filter((attribute) => keys.has(attribute) || own.has(attribute))) {
          yield { location: at, message: `'${name}' is a key, which is always projected`, fix: 'leave it out' };
        }
      }
      const count = all.flatMap(({ Projection }) => Projection?.NonKeyAttributes ?? []).length;
      if (count > DYNAMODB.projectedAttributes) {
        const most = DYNAMODB.projectedAttributes;
        const message = `${count} projected attributes across all indexes, but at most ${most} are allowed`;
        yield { location: 'Properties', message, fix: 'project ALL, or fewer attributes' };
      }
    },
  },
];

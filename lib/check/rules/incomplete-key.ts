import { type AttributeFacts, attributeAt, isMade } from '../../blueprint/attributes/facts';
import { storedKinds } from '../../blueprint/attributes/samples';
import {
  type EntityBlueprint,
  entityNamed,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  keyTypes,
  type TableBlueprint,
} from '../../blueprint/table';
import { isIdOf } from '../../blueprint/words';
import type { Found, TableRule } from '../findings/finding';
import { atEntity, atKey, atTable } from '../findings/place';
import { incompleteIndexKey } from '../keys/incomplete-index-key';

const causes = {
  missing: 'an entity lacks an attribute of the primary key',
  'optional-part': 'a primary key contains an optional attribute',
  'half-index-key': "an entity has only one of an index's two keys",
  kind: 'a key attribute has a type that DynamoDB does not allow in keys',
  'two-types': 'a key attribute has different types in different entities',
} as const;

type Cause = keyof typeof causes;

export const incompleteKey: TableRule<'incomplete-key', Cause> = {
  id: 'incomplete-key',
  severity: 'error',
  why: 'DynamoDB stores an item only if its primary key is complete, and adds an item to an index only if both index keys are present.',
  causes,
  check: (table) => [
    ...table.entities.flatMap((entity) => [
      ...primaryKey(entity, table.key),
      ...table.indexes
        .filter((index) => entity.guards === undefined && keyOf(index).some(({ name }) => !entity.keys.has(name)))
        .flatMap((index) => [...indexKey(entity, index, table)]),
    ]),
    ...table.sources
      .filter(({ natural, facts }) => natural && !isKeyKind(facts[0]))
      .filter((source) => !isMadeText(table, source))
      .map(naturalKey),
    ...(table.entities.length > 1 ? table.keyAttributes.flatMap(({ name }) => [...twoTypes(name, table)]) : []),
  ],
};

function* twoTypes(name: string, table: TableBlueprint): Iterable<Found<Cause>> {
  const types = keyTypes(name, table.entities);
  if (types.length > 1) {
    yield {
      ...atTable(table, 'entities', { attribute: name }),
      cause: 'two-types',
      message: `key attribute '${name}' is a ${types.join(' in one entity and a ')} in another`,
      fix: `give '${name}' the same type in all entities; a template always produces a string`,
    };
  }
}

function primaryKey(entity: EntityBlueprint, key: KeyBlueprint): readonly Found<Cause>[] {
  return keyOf(key)
    .filter(({ name }) => entity.keys.get(name)?.optional !== false)
    .map(({ name }): Found<Cause> => {
      const source = entity.keys.get(name);
      if (source === undefined) {
        const id = name === key.sortBy[0]?.name ? undefined : idOf(entity);
        // The key of a guard is named after the unique value that it protects.
        const proposed = `'${(entity.guards?.unique ?? entity.name).toUpperCase()}${id === undefined ? '' : `#<${id}>`}'`;
        return {
          ...atEntity(entity.name, 'keys', undefined, { attribute: name }),
          cause: 'missing',
          message: `${entity.name} has no '${name}', but every item needs this key attribute, so every put is refused`,
          fix: `add ${name}: ${proposed}${entity.guards ? '' : `, or an attribute '${name}'`}`,
          edits: [{ path: `entities.${entity.name}.keys.${name}`, code: proposed }],
        };
      }
      return {
        ...atKey(source),
        cause: 'optional-part',
        message: `'${source.template.text}' uses an optional attribute, but every item needs its primary key`,
        fix: 'make the attribute required',
      };
    });
}

/** Returns the attribute to use as a key: the entity's id or, if it has none, its first string. */
function idOf({ name, attributes, design }: EntityBlueprint): string | undefined {
  const texts = attributes.filter((attribute) => attributeAt(design.attributes, [attribute])?.kind === 'string');
  return texts.find((attribute) => isIdOf(name, attribute)) ?? texts[0];
}

function* indexKey(entity: EntityBlueprint, index: IndexBlueprint, table: TableBlueprint): Iterable<Found<Cause>> {
  const half = incompleteIndexKey(entity, index, table);
  if (half === undefined) return;
  const { meant, absent } = half;
  yield {
    ...atEntity(entity.name, 'keys', undefined, { attribute: absent.name, index: index.name }),
    cause: 'half-index-key',
    message: `${entity.name} has the key '${meant.name}' of index ${index.name}, but not '${absent.name}', so no ${entity.name} is in the index`,
    fix: `add ${absent.name}: '${entity.name.toUpperCase()}', or remove '${meant.name}'`,
  };
}

function isKeyKind(facts: AttributeFacts | undefined): boolean {
  return facts === undefined || facts.kind === 'string' || facts.kind === 'number' || facts.kind === 'binary';
}

/**
 * Whether the user's own code turns every sample value into a string or bytes. Returns true if the schema yields no
 * samples.
 */
function isMadeText(table: TableBlueprint, { entity: name, holds, facts }: KeySource): boolean {
  const entity = facts[0]?.kind === 'other' ? entityNamed(table, name) : undefined;
  if (entity === undefined || !isMade(entity.design.attributes, [holds])) return false;
  return [...storedKinds(entity.design.attributes, [holds])].every((kind) => kind === 'string' || kind === 'bytes');
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  map: 'a map',
  list: 'a list',
  other: 'a value that may be of several types',
};

function naturalKey(source: KeySource): Found<Cause> {
  const { holds, facts } = source;
  return {
    ...atKey(source, { value: facts[0]?.kind }),
    cause: 'kind',
    message: `'${holds}' is a key attribute, but a key cannot be ${facts[0]?.isDate ? 'a Date' : KINDS[facts[0]?.kind ?? 'other']}, so every put is refused`,
    fix: `make '${holds}' a string or a number, or write a template for the key`,
  };
}

import {
  type EntityBlueprint,
  type IndexBlueprint,
  type KeyBlueprint,
  keyAttributes,
  keyOf,
  keyTypes,
  type TableBlueprint,
} from '../../blueprint/table';
import { attributeAt } from '../../design/schema';
import type { Found, Rule } from '../finding';

export const incompleteKey: Rule = {
  id: 'incomplete-key',
  severity: 'error',
  why: 'An item needs its whole primary key to be stored, and both keys of an index to be in it.',
  *check({ plan }) {
    for (const entity of plan.entities) {
      yield* primaryKey(entity, plan.key);
      for (const index of plan.indexes) yield* indexKey(entity, index, plan);
      yield* naturalKeys(entity);
    }
    for (const { name } of keyAttributes(plan)) {
      const types = keyTypes(name, plan.entities);
      if (types.length > 1) {
        yield {
          path: 'entities',
          message: `key attribute '${name}' is a ${types.join(' in one entity and a ')} in another`,
          fix: 'give it one type in all entities; a template always makes a string',
        };
      }
    }
  },
};

function* primaryKey(entity: EntityBlueprint, key: KeyBlueprint): Iterable<Found> {
  for (const { name } of keyOf(key)) {
    const source = entity.keys.get(name);
    if (source === undefined) {
      yield {
        path: `entities.${entity.name}.keys`,
        message: `${entity.name} has no '${name}', and every item needs it`,
        fix: `add ${name}: '${entity.name.toUpperCase()}#<…>', or an attribute '${name}'`,
      };
    } else if (source.optional) {
      yield {
        path: `entities.${entity.name}.keys.${name}`,
        message: `'${source.template.text}' is made of an optional attribute, and every item needs its primary key`,
        fix: 'make the attribute required',
      };
    }
  }
}

function* indexKey(entity: EntityBlueprint, index: IndexBlueprint, plan: TableBlueprint): Iterable<Found> {
  const isIn = (key: KeyBlueprint) => keyOf(key).every(({ name }) => entity.keys.has(name));
  // An attribute that only happens to be an index key, because it is the entity's own or a key elsewhere, is no mistake.
  const elsewhere = [plan.key, ...plan.indexes.filter(isIn)].flatMap(keyOf).map(({ name }) => name);
  const meant = keyOf(index).find(({ name }) => entity.keys.get(name)?.natural === false && !elsewhere.includes(name));
  const absent = keyOf(index).find(({ name }) => !entity.keys.has(name));
  if (meant === undefined || absent === undefined) return;
  yield {
    path: `entities.${entity.name}.keys`,
    message: `${entity.name} has '${meant.name}' of index ${index.name} but not '${absent.name}', so it is never in the index`,
    fix: `add ${absent.name}: '…', or leave ${meant.name} out`,
  };
}

function* naturalKeys(entity: EntityBlueprint): Iterable<Found> {
  for (const [name, source] of entity.keys) {
    const facts = source.natural ? attributeAt(entity.design.attributes, [name]) : undefined;
    if (facts !== undefined && !['string', 'number', 'binary'].includes(facts.kind)) {
      yield {
        path: `entities.${entity.name}.attributes.${name}`,
        message: `'${name}' is a key, and a ${facts.kind} cannot be one`,
        fix: 'make it a string or a number, or write a template for the key',
      };
    }
  }
}

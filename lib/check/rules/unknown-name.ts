import { keyAttributes } from '../../blueprint/table';
import type { PatternDesign } from '../../design/pattern';
import { attributeAt, attributeNames } from '../../design/schema';
import { template } from '../../design/template';
import type { Found, Rule, TableUnderCheck } from '../finding';

export const unknownName: Rule = {
  id: 'unknown-name',
  severity: 'error',
  why: 'A name that the design does not have makes a key, an index or a pattern that never holds anything.',
  *check(table) {
    yield* inEntities(table);
    yield* inIndexes(table);
    yield* inPatterns(table);
  },
};

function* inEntities({ design, plan }: TableUnderCheck): Iterable<Found> {
  const keyNames = keyAttributes(plan).map(({ name }) => name);
  for (const [name, entity] of Object.entries(design.entities)) {
    for (const [key, text] of Object.entries(entity.keys ?? {})) {
      const path = `entities.${name}.keys.${key}`;
      if (!keyNames.includes(key)) {
        yield { path, message: `'${key}' is no key attribute of this table`, fix: oneOf(keyNames) };
      }
      for (const hole of template(text).holes) {
        if (attributeAt(entity.attributes, hole.path) === undefined) {
          const message = `'${text}': <${hole.name}> names no attribute of ${name}`;
          yield { path, message, fix: oneOf(attributeNames(entity.attributes)) };
        }
      }
    }
    for (const attribute of entity.keyOnly ?? []) {
      if (attributeAt(entity.attributes, [attribute]) === undefined) {
        const message = `'${attribute}' is no attribute of ${name}`;
        yield { path: `entities.${name}.keyOnly`, message, fix: oneOf(attributeNames(entity.attributes)) };
      }
    }
  }
}

function* inIndexes({ plan }: TableUnderCheck): Iterable<Found> {
  for (const index of plan.indexes) {
    for (const role of ['partition', 'sort'] as const) {
      const attribute = index[role]?.name;
      if (attribute !== undefined && plan.entities.every(({ keys }) => !keys.has(attribute))) {
        yield {
          path: `indexes.${index.name}.${role}`,
          message: `no entity has the attribute '${attribute}'`,
          fix: `give an entity a template for it (keys: { ${attribute}: '…' }) or the attribute itself`,
        };
      }
    }
  }
}

function* inPatterns({ design, plan }: TableUnderCheck): Iterable<Found> {
  const entities = Object.keys(design.entities);
  const indexes = plan.indexes.map(({ name }) => name);
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    if (pattern.op === 'query' && pattern.index !== undefined && !indexes.includes(pattern.index)) {
      const message = `'${pattern.index}' is no index of this table`;
      yield { path: `patterns.${name}.index`, message, fix: oneOf(indexes) };
    }
    for (const [path, entity] of entitiesIn(`patterns.${name}`, pattern)) {
      if (!entities.includes(entity)) {
        yield { path, message: `'${entity}' is no entity of this table`, fix: oneOf(entities) };
      }
    }
  }
}

/** The entities a pattern names, each after its place. */
function entitiesIn(path: string, pattern: PatternDesign): readonly (readonly [string, string])[] {
  if (pattern.op === 'transaction') {
    return Object.entries(pattern.steps).map(([step, { entity }]) => [`${path}.steps.${step}.entity`, entity]);
  }
  return 'returns' in pattern
    ? pattern.returns.map((entity) => [`${path}.returns`, entity])
    : [[`${path}.entity`, pattern.entity]];
}

function oneOf(names: readonly string[]): string {
  return names.length === 0 ? 'add it to the design' : `use one of ${names.join(', ')}, or add it to the design`;
}

import { entityNamed, keyAttributes, keyOf, type TableBlueprint } from '../../blueprint/table';
import type { PatternDesign, TransactionPattern, TransactionStep } from '../../design/pattern';
import { attributeAt, attributeNames } from '../../design/schema';
import type { TableDesign } from '../../design/table';
import { template } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { PatternAccess, TableUnderCheck } from '../subject';

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

function* inPatterns({ design, plan, accesses }: TableUnderCheck): Iterable<Found> {
  const entities = new Set(Object.keys(design.entities));
  const indexes = plan.indexes.map(({ name }) => name);
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    if (pattern.op === 'query' && pattern.index !== undefined && !indexes.includes(pattern.index)) {
      const message = `'${pattern.index}' is no index of this table`;
      yield { path: `patterns.${name}.index`, message, fix: oneOf(indexes) };
    }
    for (const [path, entity] of entitiesIn(`patterns.${name}`, pattern)) {
      if (!entities.has(entity)) {
        yield { path, message: `'${entity}' is no entity of this table`, fix: oneOf([...entities]) };
      }
    }
  }
  for (const access of accesses) yield* inAccess(design, plan, access);
}

/** The names in one request: its key attributes, what it tests, sets and selects, and the steps that it refers to. */
function* inAccess(design: TableDesign, plan: TableBlueprint, access: PatternAccess): Iterable<Found> {
  const { path, wherePath, key, part = '', design: pattern } = access;
  const step = pattern.op === 'transaction' ? (pattern.steps[part] as TransactionStep) : pattern;
  const where = step.op === 'batchGet' ? (step.keys[part] ?? {}) : 'where' in step ? step.where : {};
  const keyNames = keyOf(key).map(({ name }) => name);
  for (const attribute of Object.keys(where).filter((attribute) => !keyNames.includes(attribute))) {
    const message = `'${attribute}' is no key attribute of ${access.index ?? 'the table'}`;
    yield { path: `${wherePath}.${attribute}`, message, fix: `use ${keyNames.join(' and ')}` };
  }
  const entities = access.entities.map((name) => entityNamed(plan, name)).filter((entity) => entity !== undefined);
  const special = new Set([design.typeAttribute, ...keyAttributes(plan).map(({ name }) => name)]);
  for (const [place, attribute] of attributesIn(step)) {
    const known = entities.some((entity) => attributeAt(entity.design.attributes, attribute.split('.')) !== undefined);
    if (known || special.has(attribute) || entities.length === 0) continue;
    const names = [...new Set(entities.flatMap((entity) => attributeNames(entity.design.attributes)))];
    const message = `'${attribute}' is no attribute of ${entities.map(({ name }) => name).join(' or ')}`;
    yield { path: `${path}.${place}`, message, fix: oneOf(names) };
  }
  if (pattern.op === 'transaction') yield* references(plan, pattern, access, where);
}

/** What a request says of attributes outside its key, each after its place. */
function* fieldsOf(step: PatternDesign | TransactionStep): Iterable<readonly [string, string, unknown]> {
  for (const field of ['filter', 'condition', 'set', 'add', 'item'] as const) {
    const named = (step as { readonly [F in typeof field]?: object })[field] ?? {};
    for (const [attribute, value] of Object.entries(named)) yield [`${field}.${attribute}`, attribute, value];
  }
}

/** The attributes a request names outside its key, each after its place. */
function* attributesIn(step: PatternDesign | TransactionStep): Iterable<readonly [string, string]> {
  for (const [place, attribute, value] of fieldsOf(step)) {
    yield [place, attribute];
    for (const compared of comparedWith(value)) yield [place, compared];
  }
  if (step.op === 'update') for (const attribute of step.remove ?? []) yield ['remove', attribute];
  if (step.op !== 'query') return;
  for (const attribute of step.select ?? []) yield ['select', attribute];
  if (step.orderBy !== undefined) yield ['orderBy', step.orderBy];
}

/** The other attributes that a test, or a value, is about: `{ lessThan: { attribute: 'limits.max' } }`. */
function* comparedWith(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('attribute' in value) yield String(value.attribute);
  else for (const inner of Object.values(value).flat()) yield* comparedWith(inner);
}

/** `<trip.userId>` refers to an attribute of what the step `trip` puts. */
function* references(
  plan: TableBlueprint,
  { steps }: TransactionPattern,
  { path: stepPath, part = '' }: PatternAccess,
  where: Readonly<Record<string, unknown>>,
): Iterable<Found> {
  const places = [
    ...Object.entries(where).map(([attribute, value]) => [`where.${attribute}`, value] as const),
    ...Array.from(fieldsOf(steps[part] as TransactionStep), ([place, , value]) => [place, value] as const),
  ];
  for (const [place, value] of places) {
    for (const { name, path } of textsIn(value).flatMap((text) => template(text).holes)) {
      const step = Object.hasOwn(steps, path[0] as string) ? steps[path[0] as string] : undefined;
      if (path.length === 1 || step?.op !== 'put') continue;
      const entity = entityNamed(plan, step.entity);
      if (entity === undefined || attributeAt(entity.design.attributes, path.slice(1)) !== undefined) continue;
      const message = `<${name}>: '${path.slice(1).join('.')}' is no attribute of ${entity.name}, which ${path[0]} puts`;
      yield { path: `${stepPath}.${place}`, message, fix: oneOf(attributeNames(entity.design.attributes)) };
    }
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
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

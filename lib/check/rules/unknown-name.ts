import { attributeAt, attributeNames, namesWithin } from '../../blueprint/attributes/facts';
import { entityNamed, type IndexBlueprint, type KeyBlueprint, keyOf, type TableBlueprint } from '../../blueprint/table';
import { oneOf } from '../../design/names';
import type { PatternDesign, TransactionPattern, TransactionStep } from '../../design/pattern';
import type { EntityDesign, TableDesign } from '../../design/table';
import { template } from '../../design/template';
import type { Found, Rule } from '../finding';
import { halfOf } from '../halves';
import { fieldsOf, type Step, stepOf, textsIn } from '../step';
import type { PatternAccess, TableUnderCheck } from '../subject';

export const unknownName: Rule = {
  id: 'unknown-name',
  severity: 'error',
  why: 'A name that the design does not have makes a key, an index or a pattern that never holds anything.',
  check: (table) => [
    ...(table.design.ttl === undefined ? [] : inTtl(table.plan, table.design.ttl)),
    ...Object.entries(table.design.entities).flatMap(([name, entity]) => inEntity(table.plan, name, entity)),
    ...table.plan.indexes.flatMap((index) => inIndex(table, index)),
    ...Object.entries(table.design.patterns ?? {}).flatMap(([name, pattern]) => inPattern(table, name, pattern)),
    ...table.accesses.flatMap((access) => [...inAccess(table.design, table.plan, access)]),
  ],
};

/** An expiry that no entity has: of the attributes, only a number could be it. */
function inTtl(plan: TableBlueprint, ttl: string): readonly Found[] {
  if (isAnywhere(plan, ttl)) return NONE;
  const numbers = plan.entities.flatMap(({ design: { attributes } }) =>
    attributeNames(attributes).filter((name) => attributeAt(attributes, [name])?.kind === 'number'),
  );
  const fix = oneOf(ttl, [...new Set(numbers)], `give an entity ${ttl}: z.int()`);
  return [{ path: 'ttl', message: `no entity has the attribute '${ttl}'`, fix }];
}

function inEntity(plan: TableBlueprint, name: string, { keys = {}, keyOnly = [], attributes }: EntityDesign) {
  const isUnknown = (attribute: string) => attributeAt(attributes, [attribute]) === undefined;
  return [
    ...Object.keys(keys).flatMap((key) => inKey(plan, name, key, keys[key] as string, attributes)),
    ...keyOnly.filter(isUnknown).map((attribute) => {
      const message = `'${attribute}' is no attribute of ${name}`;
      return { path: `entities.${name}.keyOnly`, message, fix: oneOf(attribute, attributeNames(attributes)) };
    }),
  ];
}

function inKey(
  plan: TableBlueprint,
  name: string,
  key: string,
  text: string,
  attributes: EntityDesign['attributes'],
): readonly Found[] {
  const { holes, faults } = template(text);
  const unknown = holes.filter(({ path }) => faults.length === 0 && attributeAt(attributes, path) === undefined);
  const isKey = plan.keyAttributes.some((attribute) => attribute.name === key);
  if (isKey && unknown.length === 0) return NONE;
  const path = `entities.${name}.keys.${key}`;
  const names = plan.keyAttributes.map((attribute) => attribute.name);
  const stray = { path, message: `'${key}' is no key attribute of this table`, fix: oneOf(key, names) };
  const lost = unknown.map((hole) => {
    const message = `'${text}': <${hole.name}> names no attribute of ${name}`;
    return { path, message, fix: amongNames([attributes], hole.path, true) };
  });
  return isKey ? lost : [stray, ...lost];
}

const NONE: readonly Found[] = [];

type Attributes = EntityDesign['attributes'];

function inIndex({ design, plan }: TableUnderCheck, index: IndexBlueprint): readonly Found[] {
  const isHalf = () => plan.entities.some((entity) => halfOf(entity, index, plan) !== undefined);
  const nowhere = keyOf(index).filter(({ name }) => !plan.sources.some(({ attribute }) => attribute === name));
  // An entity that has the other half is told so itself.
  const keyless = nowhere.length > 0 && isHalf() ? [] : nowhere;
  const projected = typeof index.projection === 'string' ? NO_NAMES : index.projection;
  const lost = projected.filter(
    (name) => !name.includes('.') && name !== design.typeAttribute && !isAnywhere(plan, name),
  );
  if (keyless.length === 0 && lost.length === 0) return NONE;
  return [
    ...keyless.map(({ name }) => ({
      path: `indexes.${index.name}.${name === index.partition.name ? 'partition' : 'sort'}`,
      message: `no entity has the attribute '${name}'`,
      fix: `give an entity a template for it (keys: { ${name}: '…' }) or the attribute itself`,
    })),
    ...lost.map((name) => ({
      path: `indexes.${index.name}.projection`,
      message: `no entity has the attribute '${name}'`,
      fix: oneOf(
        name,
        plan.entities.flatMap((entity) => attributeNames(entity.design.attributes)),
        `add ${name} to an entity`,
      ),
    })),
  ];
}

const NO_NAMES: readonly string[] = [];

function isAnywhere({ entities, keyAttributes }: TableBlueprint, name: string): boolean {
  return (
    entities.some(({ design }) => attributeAt(design.attributes, [name]) !== undefined) ||
    keyAttributes.some((attribute) => attribute.name === name)
  );
}

function inPattern({ design, plan }: TableUnderCheck, name: string, pattern: PatternDesign): readonly Found[] {
  const index = pattern.op === 'query' ? pattern.index : undefined;
  const isThere = index === undefined || plan.indexes.some((one) => one.name === index);
  const lost = entitiesIn(pattern).filter(([, entity]) => !Object.hasOwn(design.entities, entity));
  if (isThere && lost.length === 0) return NONE;
  const indexes = oneOf(
    index ?? '',
    plan.indexes.map((one) => one.name),
  );
  return [
    ...(isThere
      ? []
      : [{ path: `patterns.${name}.index`, message: `'${index}' is no index of this table`, fix: indexes }]),
    ...lost.map(([place, entity]) => ({
      path: `patterns.${name}.${place}`,
      message: `'${entity}' is no entity of this table`,
      fix: oneOf(entity, Object.keys(design.entities)),
    })),
  ];
}

/** The names in one request: its key attributes, what it tests, sets and selects, and the steps that it refers to. */
function* inAccess(design: TableDesign, plan: TableBlueprint, access: PatternAccess): Iterable<Found> {
  const { path, wherePath, key, part = '', design: pattern } = access;
  const step = stepOf(access);
  const where = step.op === 'batchGet' ? (step.keys[part] ?? {}) : 'where' in step ? step.where : {};
  const other = step.op === 'query' ? keyAskedFor(plan, access, Object.keys(where)) : undefined;
  if (other !== undefined) yield { path: `${path}.index`, ...other };
  for (const attribute of other === undefined ? Object.keys(where) : []) {
    if (attribute === key.partition.name || attribute === key.sort?.name) continue;
    const message = `'${attribute}' is no key attribute of ${access.index ?? 'the table'}`;
    const fix = `use ${keyOf(key)
      .map(({ name }) => name)
      .join(' and ')}`;
    yield { path: `${wherePath}.${attribute}`, message, fix };
  }
  const isSpecial = (attribute: string) =>
    attribute === design.typeAttribute || plan.keyAttributes.some(({ name }) => name === attribute);
  for (const [place, attribute] of attributesIn(step)) {
    const entities = access.entities.map((name) => entityNamed(plan, name)).filter((entity) => entity !== undefined);
    const known = entities.some((entity) => attributeAt(entity.design.attributes, attribute.split('.')) !== undefined);
    if (known || isSpecial(attribute) || entities.length === 0) {
      if (TESTED.test(place) && entities.some(({ design: { keyOnly } }) => keyOnly?.includes(attribute))) {
        const message = `'${attribute}' is kept in keys only, where no test sees it`;
        yield { path: `${path}.${place}`, message, fix: `leave ${attribute} out of keyOnly, or ask for it in the key` };
      }
      continue;
    }
    const schemas = entities.map((entity) => entity.design.attributes);
    const message = `'${attribute}' is no attribute of ${entities.map(({ name }) => name).join(' or ')}`;
    yield { path: `${path}.${place}`, message, fix: amongNames(schemas, attribute.split('.')) };
  }
  if (pattern.op === 'transaction') yield* references(plan, pattern, access, where);
}

/** The places where the engine looks at what is stored. */
const TESTED = /^(filter|condition)\./;

/** The attributes a request names outside its key, each after its place. */
function attributesIn(step: Step): readonly (readonly [string, string])[] {
  const names: (readonly [string, string])[] = fieldsOf(step).flatMap(([place, attribute, value]) => [
    [place, attribute] as const,
    ...Array.from(comparedWith(value), (compared) => [place, compared] as const),
  ]);
  if (step.op === 'update') names.push(...(step.remove ?? []).map((attribute) => ['remove', attribute] as const));
  if (step.op !== 'query') return names;
  names.push(...(step.select ?? []).map((attribute) => ['select', attribute] as const));
  if (step.orderBy !== undefined) names.push(['orderBy', step.orderBy]);
  return names;
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
    ...fieldsOf(steps[part] as TransactionStep).map(([place, , value]) => [place, value] as const),
  ];
  for (const [place, value] of places) {
    for (const { name, path } of textsIn(value).flatMap((text) => template(text).holes)) {
      const step = Object.hasOwn(steps, path[0] as string) ? steps[path[0] as string] : undefined;
      if (path.length === 1 || step?.op !== 'put') continue;
      const entity = entityNamed(plan, step.entity);
      if (entity === undefined || attributeAt(entity.design.attributes, path.slice(1)) !== undefined) continue;
      const message = `<${name}>: '${path.slice(1).join('.')}' is no attribute of ${entity.name}, which ${path[0]} puts`;
      yield { path: `${stepPath}.${place}`, message, fix: amongNames([entity.design.attributes], path.slice(1)) };
    }
  }
}

/** The entities a pattern names, each after its place. */
function entitiesIn(pattern: PatternDesign): readonly (readonly [string, string])[] {
  if (pattern.op === 'transaction') {
    return Object.entries(pattern.steps).map(([step, { entity }]) => [`steps.${step}.entity`, entity]);
  }
  return 'returns' in pattern ? pattern.returns.map((entity) => ['returns', entity]) : [['entity', pattern.entity]];
}

/** What there is beside an unknown name: in its map, as far as the path to it is right. */
function amongNames(schemas: readonly Attributes[], path: readonly string[], isPart = false): string {
  const wrong = path.findIndex((_, i) =>
    schemas.every((schema) => attributeAt(schema, path.slice(0, i + 1)) === undefined),
  );
  const inMap = path.slice(0, Math.max(wrong, 0));
  const map = schemas.some((schema) => namesWithin(schema, inMap).length > 0) ? inMap : [];
  const names = [...new Set(schemas.flatMap((schema) => namesWithin(schema, map)))];
  const show = (name: string) => (isPart ? `<${name}>` : name);
  const full = (name: string) => show([...map, name].join('.'));
  return oneOf(full(path[map.length] ?? ''), names.map(full));
}

/** The index or table whose keys are asked for, where it is another than the one that is queried. */
function keyAskedFor(
  plan: TableBlueprint,
  access: PatternAccess,
  asked: readonly string[],
): Omit<Found, 'path'> | undefined {
  if (asked.length === 0 || asked.some((name) => keyOf(access.key).some((own) => own.name === name))) return undefined;
  const targets: readonly (KeyBlueprint & { readonly name?: string })[] = [plan.key, ...plan.indexes];
  const meant = targets.find((key) => asked.every((name) => keyOf(key).some((own) => own.name === name)));
  if (meant === undefined) return undefined;
  const what = meant.name === undefined ? 'the table itself' : `index ${meant.name}`;
  const names = asked.join(' and ');
  const message = `${access.index ?? 'the table'} is queried by ${names}, which ${asked.length === 1 ? 'is a key' : 'are the keys'} of ${what}`;
  return { message, fix: meant.name === undefined ? 'leave the index out' : `write index: '${meant.name}'` };
}

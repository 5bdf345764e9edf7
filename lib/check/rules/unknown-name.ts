import { hasSteps, isRead } from '../../blueprint/accesses';
import { attributeAt, attributeNames, isDeclared, namesWithin } from '../../blueprint/attributes/facts';
import { naming, storedAs } from '../../blueprint/stored';
import {
  type EntityBlueprint,
  entitiesNamed,
  entityNamed,
  type IndexBlueprint,
  type KeyBlueprint,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { nearest, oneOf } from '../../design/names';
import type { PatternDesign, TransactionPattern, TransactionStep } from '../../design/pattern';
import type { EntityDesign, TableDesign } from '../../design/table';
import { type Part, stepsOf, template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { type About, atAccess, atEntity, atIndex, atPattern, atTable, atWhere } from '../findings/place';
import { incompleteIndexKey } from '../keys/incomplete-index-key';
import { fieldsOf, isTest, textsIn, whereOf } from '../requests/fields';
import { putBy } from '../requests/put-by';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  ttl: '`ttl` refers to an attribute that no entity has',
  'key-only': '`keyOnly` lists an attribute that the entity does not have',
  'entity-index': 'an entity has a condition for an index that does not exist',
  'entity-while': 'the condition for an index tests an attribute that the entity does not have',
  part: 'a key template refers to an attribute that the entity does not have',
  'stray-key': 'an entity has a key template for an attribute that is not a key attribute of the table',
  'index-key': 'an index has a key attribute that no entity has',
  projected: 'an index projects an attribute that no entity has',
  index: 'a pattern reads an index that does not exist',
  entity: 'a pattern reads or writes an entity that does not exist',
  'stray-condition': '`where` contains an attribute that is not a key attribute of the table or index',
  'other-index': 'a pattern queries an index by the keys of another index, or of the table',
  attribute: 'a pattern refers to an attribute that its entities do not have',
  'not-stored': 'a pattern tests an attribute that is stored only in keys',
  'step-attribute': 'a parameter refers to an attribute that the item put by a step does not have',
  tenant: '`tenant` refers to an attribute that no entity of the system has',
  table: "a system lists a table under a name other than the table's own",
  procedure: 'a procedure uses a pattern that does not exist',
} as const;

type Cause = keyof typeof causes;

export const unknownName: TableRule<'unknown-name', Cause> = {
  id: 'unknown-name',
  severity: 'error',
  why: 'A key, an index or a pattern that refers to an unknown name never matches any item.',
  causes,
  check: (table) =>
    [
      ...(table.design.ttl === undefined ? [] : inTtl(table, table.design.ttl)),
      ...Object.entries(table.design.entities).flatMap(([name, entity]) => inEntity(table, name, entity)),
      ...table.indexes.flatMap((index) => inIndex(table, index)),
      ...table.patterns.flatMap(({ name, design }) => inPattern(table, name, design)),
      ...table.accesses.flatMap((access) => [...inAccess(table.design, table, access)]),
    ].map((found) => ({ ...renamed(found), ...found })),
};

/** Returns the edit that corrects a name, if one known name is clearly the nearest. */
function renamed({ path, cause, subject }: Found<Cause>): Pick<Found<Cause>, 'edits'> {
  const { proposed, part, index, attribute, entities = [], field = '' } = subject;
  if (proposed === undefined) return {};
  const isField =
    ['stray-key', 'entity-index', 'entity-while'].includes(cause) ||
    (cause === 'attribute' && path.endsWith(`.${attribute}`));
  if (isField) return { edits: [{ path, rename: proposed }] };
  const isName = field === 'index' || cause === 'entity' || VALUES.has(field);
  const wrong =
    part !== undefined ? `<${part}>` : cause === 'entity' ? entities[0] : field === 'index' ? index : attribute;
  if (part === undefined && !isName) return {};
  const right = part !== undefined && !proposed.startsWith('<') ? `<${proposed}>` : proposed;
  return { edits: [{ path, replace: part === undefined ? [`'${wrong}'`, `'${right}'`] : [`${wrong}`, right] }] };
}

/** Fields whose values are attribute names. */
const VALUES: ReadonlySet<string> = new Set(['ttl', 'keyOnly', 'projection', 'remove', 'select', 'orderBy']);

/** Reports a TTL attribute that no entity has, and suggests only number attributes. */
function inTtl(table: TableBlueprint, ttl: string): readonly Found<Cause>[] {
  if (isAnywhere(table, ttl)) return NONE;
  const [moved] = storedElsewhere(table, ttl);
  if (moved !== undefined)
    return [{ ...atTable(table, 'ttl', { attribute: ttl, ...moved.about }), cause: 'ttl', ...moved.words }];
  const numbers = table.entities.flatMap(({ design: { attributes } }) =>
    attributeNames(attributes).filter((name) => attributeAt(attributes, [name])?.kind === 'number'),
  );
  const own = ttl.split('.').at(-1) as string;
  const holder = table.entities.find(({ design: { attributes }, attributes: names }) =>
    names.some((map) => attributeAt(attributes, [map])?.kind === 'map' && attributeAt(attributes, [map, own])),
  );
  if (holder !== undefined) {
    const message = `'${own}' is inside a map of ${holder.name}, but DynamoDB needs a top-level attribute, so no item expires`;
    const fix = `add a top-level attribute ${own}: z.int() to ${holder.name}, and write ttl: '${own}'`;
    return [{ ...atTable(table, 'ttl', { attribute: ttl }), cause: 'ttl', message, fix }];
  }
  const { fix, proposed } = among(ttl, [...new Set(numbers)], `add ${ttl}: z.int() to the attributes of an entity`);
  const message = `no entity has the attribute '${ttl}', so no item expires`;
  return [{ ...atTable(table, 'ttl', { attribute: ttl, proposed }), cause: 'ttl', message, fix }];
}

/** Suggests the known name that was probably meant, both as a fix and on its own. */
function among(name: string, known: readonly string[], otherwise?: string): Named {
  return { fix: oneOf(name, known, otherwise), proposed: nearest(name, known) };
}

interface Named extends Pick<About, 'proposed'> {
  readonly fix: string;
}

function inEntity(
  table: TableBlueprint,
  name: string,
  { keys = {}, keyOnly = [], indexes = {}, attributes }: EntityDesign,
): readonly Found<Cause>[] {
  const isUnknown = (attribute: string) => !isNamed(attributes, [attribute]);
  return [
    ...Object.keys(keys).flatMap((key) => inKey(table, name, key, keys[key] as string, attributes)),
    ...keyOnly.filter(isUnknown).map((attribute): Found<Cause> => {
      const message = `'${attribute}' is not an attribute of ${name}`;
      const { fix, proposed } = among(attribute, attributeNames(attributes));
      return { ...atEntity(name, 'keyOnly', undefined, { attribute, proposed }), cause: 'key-only', message, fix };
    }),
    ...Object.keys(indexes).flatMap((index) => inMembership(table, name, index, attributes)),
  ];
}

/** Whether the schema declares an attribute. An open entity's keys must not contain undeclared attributes. */
function isNamed(attributes: EntityDesign['attributes'], path: readonly string[]): boolean {
  return attributeAt(attributes, path) !== undefined && isDeclared(attributes, path);
}

/** Reports unknown names in an entity's index conditions. */
function inMembership(
  table: TableBlueprint,
  name: string,
  index: string,
  attributes: EntityDesign['attributes'],
): readonly Found<Cause>[] {
  const known = table.indexes.map(({ name }) => name);
  if (!known.includes(index)) {
    const { fix, proposed } = among(index, known);
    const message = `'${index}' is not an index of this table`;
    return [{ ...atEntity(name, 'indexes', index, { index, proposed }), cause: 'entity-index', message, fix }];
  }
  const tests = (entityNamed(table, name) as EntityBlueprint).membership.get(index) ?? [];
  return tests
    .filter(({ path }) => !isNamed(attributes, path))
    .map((test): Found<Cause> => {
      const message = `'${test.name}' is not an attribute of ${name}`;
      const { fix, proposed } = amongNames([attributes], test.path, false);
      const place = atEntity(name, 'indexes', `${index}.while.${test.name}`, { index, proposed });
      return { ...place, cause: 'entity-while', message, fix };
    });
}

function inKey(
  table: TableBlueprint,
  name: string,
  key: string,
  text: string,
  attributes: EntityDesign['attributes'],
): readonly Found<Cause>[] {
  const read = template(text);
  const isType = ({ name, format }: Part) => name === table.typeAttribute && format === undefined;
  const unknown = partsOf(read).filter(
    (part) => read.faults.length === 0 && !isNamed(attributes, part.path) && !isType(part),
  );
  const isKey = table.keyAttributes.some((attribute) => attribute.name === key);
  if (isKey && unknown.length === 0) return NONE;
  const lost = unknown.map((part): Found<Cause> => {
    const message = `'${text}': <${part.name}> is not an attribute of ${name}`;
    const { fix, proposed } = amongNames([attributes], part.path, true);
    return { ...atEntity(name, 'keys', key, { part: part.name, proposed }), cause: 'part', message, fix };
  });
  if (isKey) return lost;
  const { fix, proposed } = among(
    key,
    table.keyAttributes.map((attribute) => attribute.name),
  );
  const message = `'${key}' is not a key attribute of this table`;
  return [{ ...atEntity(name, 'keys', key, { proposed }), cause: 'stray-key', message, fix }, ...lost];
}

const NONE: readonly Found<Cause>[] = [];

type Attributes = EntityDesign['attributes'];

function inIndex(table: TableUnderCheck, index: IndexBlueprint): readonly Found<Cause>[] {
  const isHalf = () => table.entities.some((entity) => incompleteIndexKey(entity, index, table) !== undefined);
  const nowhere = keyOf(index).filter(({ name }) => !table.sources.some(({ attribute }) => attribute === name));
  // If an entity has one of the two keys, `incomplete-key` reports the missing key.
  const keyless = nowhere.length > 0 && isHalf() ? [] : nowhere;
  const projected = typeof index.projection === 'string' ? NO_NAMES : index.projection;
  const lost = projected.filter(
    (name) => !name.includes('.') && name !== table.design.typeAttribute && !isAnywhere(table, name),
  );
  if (keyless.length === 0 && lost.length === 0) return NONE;
  return [
    ...keyless.map(
      ({ name }): Found<Cause> => ({
        ...atIndex(index.name, index.partitionBy.some((attribute) => attribute.name === name) ? 'partition' : 'sort', {
          attribute: name,
        }),
        cause: 'index-key',
        message: `no entity has the attribute '${name}'`,
        fix: `give an entity a template for '${name}' (keys: { ${name}: '…' }) or an attribute '${name}'`,
      }),
    ),
    ...lost.map((name): Found<Cause> => {
      const [moved] = storedElsewhere(table, name);
      if (moved !== undefined)
        return {
          ...atIndex(index.name, 'projection', { attribute: name, ...moved.about }),
          cause: 'projected',
          ...moved.words,
        };
      const known = table.entities.flatMap((entity) => attributeNames(entity.design.attributes));
      const { fix, proposed } = among(name, known, `add '${name}' to an entity`);
      const message = `no entity has the attribute '${name}'`;
      return { ...atIndex(index.name, 'projection', { attribute: name, proposed }), cause: 'projected', message, fix };
    }),
  ];
}

const NO_NAMES: readonly string[] = [];

/** Whether any entity stores an attribute under this name. */
function isAnywhere({ entities, keyAttributes }: TableBlueprint, name: string): boolean {
  return (
    entities.some(({ design }) => {
      const attribute = naming.attributeOf(design.stored, name);
      const isMoved = attribute === name && Object.hasOwn(design.stored ?? {}, name);
      return !isMoved && attributeAt(design.attributes, [attribute]) !== undefined;
    }) || keyAttributes.some((attribute) => attribute.name === name)
  );
}

/** Finds the stored name of an attribute, which `ttl` and `projection` must use. */
function storedElsewhere({ entities }: TableBlueprint, attribute: string) {
  return storedAs(entities, attribute).map(({ name, entity }) => ({
    about: { proposed: name },
    words: { message: `${entity} stores '${attribute}' as '${name}'`, fix: `write '${name}'` },
  }));
}

function inPattern(table: TableUnderCheck, name: string, pattern: PatternDesign): readonly Found<Cause>[] {
  const index = pattern.op === 'query' || pattern.op === 'scan' ? pattern.index : undefined;
  const isThere = index === undefined || table.indexes.some((known) => known.name === index);
  const lost = entitiesIn(pattern).filter(([, entity]) => !Object.hasOwn(table.design.entities, entity));
  if (isThere && lost.length === 0) return NONE;
  const found = lost.map(([{ step, field }, entity]): Found<Cause> => {
    const message = `'${entity}' is not an entity of this table`;
    const { fix, proposed } = among(entity, Object.keys(table.design.entities));
    const about = { entities: [entity], proposed };
    return { ...atPattern({ name, step }, field, undefined, about), cause: 'entity', message, fix };
  });
  if (isThere) return found;
  const { fix, proposed } = among(
    index,
    table.indexes.map((known) => known.name),
  );
  const message = `'${index}' is not an index of this table`;
  return [{ ...atPattern({ name }, 'index', undefined, { index, proposed }), cause: 'index', message, fix }, ...found];
}

/** Checks the names in one request: key attributes, steps, and attributes that the request tests, sets or selects. */
function* inAccess(design: TableDesign, table: TableUnderCheck, access: PatternAccess): Iterable<Found<Cause>> {
  const { key, design: pattern } = access;
  const { step } = access;
  const where = whereOf(access);
  const other = step.op === 'query' ? keyAskedFor(table, access, Object.keys(where)) : undefined;
  if (other !== undefined) yield other;
  for (const attribute of other === undefined ? Object.keys(where) : []) {
    if (keyOf(key).some(({ name }) => name === attribute)) continue;
    const names = keyOf(key).map(({ name }) => name);
    const index = table.indexes.find((other) => other.partitionBy.some(({ name }) => name === attribute));
    const isGet = step.op === 'get' && index !== undefined;
    const what = access.index ?? 'the table';
    yield {
      ...atWhere(access, attribute, { index: access.index, ...(isGet && { proposedIndex: index.name }) }),
      cause: 'stray-condition',
      message: isGet
        ? `a get needs the table's key (${names.join(', ')}), but '${attribute}' is a key of index ${index.name}, so every request is refused`
        : `'${attribute}' is not a key attribute of ${what}, so every request is refused`,
      fix: isGet ? `write op: 'query', index: '${index.name}'` : `use '${names.join("' and '")}'`,
      ...(isGet && {
        edits: [
          { path: atAccess(access, 'op').path, code: `'query'` },
          { path: atAccess(access, 'index').path, code: `'${index.name}'` },
        ],
      }),
    };
  }
  const isSpecial = (attribute: string) =>
    attribute === design.typeAttribute || table.keyAttributes.some(({ name }) => name === attribute);
  for (const [field, attribute, at] of attributesIn(step)) {
    const entities = entitiesNamed(table, access.entities);
    const known = entities.some((entity) => attributeAt(entity.design.attributes, stepsOf(attribute)) !== undefined);
    if (known || isSpecial(attribute) || entities.length === 0) {
      if (isTest(field) && entities.some(({ design: { keyOnly } }) => keyOnly?.includes(attribute))) {
        const message = `'${attribute}' is stored only in keys, so conditions and filters cannot test it`;
        const fix = `remove '${attribute}' from keyOnly, or test it in the key condition`;
        yield { ...atAccess(access, field, at, { attribute }), cause: 'not-stored', message, fix };
      }
      continue;
    }
    const schemas = entities.map((entity) => entity.design.attributes);
    const message = `'${attribute}' is not an attribute of ${entities.map(({ name }) => name).join(' or ')}`;
    const { fix, proposed } = amongNames(schemas, stepsOf(attribute));
    const about = { attribute, proposed, entities: entities.map(({ name }) => name) };
    yield { ...atAccess(access, field, at, about), cause: 'attribute', message, fix };
  }
  if (pattern.op === 'transaction') yield* references(table, pattern, access, where);
}

/** Returns each attribute that a request uses outside its key, with its field and its place in that field. */
function attributesIn(step: PatternAccess['step']): readonly (readonly [string, string, string?])[] {
  const names: (readonly [string, string, string?])[] = fieldsOf(step).flatMap(([field, attribute, value, place]) => [
    [field, attribute, place] as const,
    ...Array.from(comparedWith(value), (compared) => [field, compared, place] as const),
  ]);
  if (step.op === 'update') names.push(...(step.remove ?? []).map((attribute) => ['remove', attribute] as const));
  if (step.op !== 'query') return names;
  names.push(...(step.select ?? []).map((attribute) => ['select', attribute] as const));
  if (step.orderBy !== undefined) names.push(['orderBy', step.orderBy]);
  return names;
}

/** Yields the attributes that a test or a value refers to, as in `{ lessThan: { attribute: 'limits.max' } }`. */
function* comparedWith(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('attribute' in value) yield String(value.attribute);
  else for (const inner of Object.values(value).flat()) yield* comparedWith(inner);
}

/** Checks references to steps: `<trip.userId>` refers to an attribute of the item that the step `trip` puts. */
function* references(
  table: TableUnderCheck,
  pattern: TransactionPattern,
  access: PatternAccess,
  where: Readonly<Record<string, unknown>>,
): Iterable<Found<Cause>> {
  const places = [
    ...Object.entries(where).map(([attribute, value]) => ['where', attribute, value, attribute] as const),
    ...fieldsOf(pattern.steps[access.part ?? ''] as TransactionStep),
  ];
  for (const [field, attribute, value, place] of places) {
    for (const { name, path } of textsIn(value).flatMap((text) => partsOf(template(text)))) {
      const entity = path.length === 1 ? undefined : putBy(table, access, pattern, path[0] as string);
      if (entity === undefined || attributeAt(entity.design.attributes, path.slice(1)) !== undefined) continue;
      const message = `<${name}>: '${path.slice(1).join('.')}' is not an attribute of ${entity.name}, which the step '${path[0]}' puts`;
      const { fix, proposed: meant } = amongNames([entity.design.attributes], path.slice(1));
      const proposed = meant && `${path[0]}.${meant}`;
      const at = atAccess(access, field, place, { attribute, part: name, proposed });
      yield { ...at, cause: 'step-attribute', message, fix };
    }
  }
}

/** The entities that a pattern refers to, each with the field that contains its name. */
function entitiesIn(pattern: PatternDesign): readonly (readonly [{ step?: string; field: string }, string])[] {
  if (hasSteps(pattern)) {
    return Object.entries(pattern.steps).map(([step, { entity }]) => [{ step, field: 'entity' }, entity]);
  }
  if (isRead(pattern)) return pattern.returns.map((entity) => [{ field: 'returns' }, entity]);
  return [[{ field: 'entity' }, pattern.entity]];
}

/** Suggests names from the same map, or top-level names if the path to the map is also wrong. */
function amongNames(schemas: readonly Attributes[], path: readonly string[], isPart = false): Named {
  const wrong = path.findIndex((_, i) => schemas.every((schema) => !isNamed(schema, path.slice(0, i + 1))));
  const inMap = path.slice(0, Math.max(wrong, 0));
  const map = schemas.some((schema) => namesWithin(schema, inMap).length > 0) ? inMap : [];
  const names = [...new Set(schemas.flatMap((schema) => namesWithin(schema, map)))];
  const show = (name: string) => (isPart ? `<${name}>` : name);
  const full = (name: string) => show([...map, name].join('.'));
  return among(full(path[map.length] ?? ''), names.map(full));
}

/** Reports a query by the key attributes of a different index, or of the table instead of the index. */
function keyAskedFor(table: TableBlueprint, access: PatternAccess, asked: readonly string[]): Found<Cause> | undefined {
  if (asked.length === 0 || asked.some((name) => keyOf(access.key).some((own) => own.name === name))) return undefined;
  const targets: readonly (KeyBlueprint & { readonly name?: string })[] = [table.key, ...table.indexes];
  const meant = targets.find((key) => asked.every((name) => keyOf(key).some((own) => own.name === name)));
  if (meant === undefined) return undefined;
  const what = meant.name === undefined ? 'the table itself' : `index ${meant.name}`;
  const names = `'${asked.join("' and '")}'`;
  const message = `the query of ${access.index ?? 'the table'} uses ${names}, which ${asked.length === 1 ? 'is a key' : 'are the keys'} of ${what}`;
  const fix = meant.name === undefined ? 'remove index' : `write index: '${meant.name}'`;
  const place = atAccess(access, 'index', undefined, { attributes: asked, proposedIndex: meant.name ?? null });
  const code = meant.name === undefined ? {} : { code: `'${meant.name}'` };
  return { ...place, cause: 'other-index', message, fix, edits: [{ path: place.path, ...code }] };
}

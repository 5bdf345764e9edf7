import { hasSteps } from '../../blueprint/accesses';
import { attributeAt, isDeclared } from '../../blueprint/attributes/facts';
import { naming } from '../../blueprint/stored';
import { type EntityBlueprint, entityNamed, keyOf, keyTypes } from '../../blueprint/table';
import { type Guarded, guardNameOf, guardsOf } from '../../blueprint/unique';
import { releaseFaults, type UniqueFault, type UniqueFaultCause, uniqueFaults } from '../../blueprint/unique-faults';
import { sourcesOf } from '../../blueprint/written';
import { nearest, oneOf } from '../../design/names';
import type { FindPattern, ReleasePattern, ReleaseStep, Write } from '../../design/pattern';
import { withArticle } from '../../design/show';
import { template } from '../../design/template';
import type { Fault, Found, TableRule } from '../findings/finding';
import { atAccess, atEntity, atPattern, type Request } from '../findings/place';
import { conditionAdded } from '../requests/update-faults';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  azure: 'a table on Azure declares `unique`, but transactions on Azure are limited to one partition',
  'stray-key': "the guard has a key attribute that is not part of the table's primary key",
  constant: "the guard's key contains no attribute, so all items would claim the same value",
  'number-key': "the table's sort key is a number, but a guard's key is a string",
  optional: 'a `unique` declaration covers an attribute that an item may lack',
  inside: 'a `unique` declaration covers an attribute that is not a single string or number, or is inside a map',
  open: 'a `unique` declaration covers an attribute that the schema does not declare',
  owner: 'an attribute listed in `owner` is not a plain attribute that every item has',
  expires: 'items with a unique value expire, but their guards remain (a warning)',
  'no-such-unique': 'a `find` or a `release` names a unique value that the entity does not declare',
  release: 'a `release` does not specify the value to free, or the owner of the value',
  'not-one-item': 'a `find` returns several entities, or uses a value that several items may share',
  batch: 'a batch writes an entity with a unique value, but a batch supports neither conditions nor transactions',
  replace: 'a put replaces an item that may have had a different unique value, whose guard would remain',
  upsert: 'an update may create an item without its guard',
  returns: 'a write with guards has `returns`, but is sent as a transaction, which returns nothing',
  removed: 'an update removes an attribute of a unique value, but every item must claim a value',
  computed: 'an update sets a unique attribute to a value that the request does not know',
  'owner-changed': 'an update changes the owner of a unique value',
  unpinned: 'a write frees a unique value without knowing which value the item has',
} as const satisfies Readonly<Record<UniqueFaultCause, string>> & Readonly<Record<string, string>>;

type Cause = keyof typeof causes;

export const unsoundUnique: TableRule<'unsound-unique', Cause> = {
  id: 'unsound-unique',
  severity: 'error',
  why: 'DynamoDB enforces uniqueness only for primary keys, so a guard item claims each unique value. Every write must therefore know which value it claims and which one it frees.',
  causes,
  *check(table) {
    // Skips writes that involve an unsound unique value: findings about these writes would only repeat that the value
    // is unsound.
    const unsound = new Set<string>();
    for (const entity of table.entities) {
      for (const guard of guardsOf(table, entity)) {
        for (const found of inUnique(table, entity, guard)) {
          yield found;
          if (found.severity !== 'warning') unsound.add(guard.name);
        }
      }
    }
    for (const { name, accesses } of table.patterns) {
      for (const { released, part } of accesses)
        if (released !== undefined) yield* inRelease(table, { name, step: part }, released);
    }
    for (const access of table.accesses) {
      if (access.step.op === 'find') yield* inFind(table, access, access.step);
      else if ('entity' in access.step) yield* inWrite(table, access, access.step, unsound);
    }
  },
};

function* inUnique(
  table: TableUnderCheck,
  entity: EntityBlueprint,
  { name, design: { keys = {} }, guards }: EntityBlueprint & { readonly guards: Guarded },
): Iterable<Found<Cause>> {
  const at = (attribute?: string) => atEntity(name, 'keys', attribute, { entities: [entity.name] });
  if (table.cloud === 'azure') {
    const message = 'a guard is in a separate partition, but an Azure Tables transaction is limited to one partition';
    yield { ...at(), cause: 'azure', message, fix: "remove 'unique', and use the value as the item's key" };
    return;
  }
  const numeric = keyOf(table.key).find((key) => keyTypes(key.name, [entity]).includes('number'));
  if (numeric !== undefined) {
    yield { ...at(), ...numberKey(table, entity, guards, numeric.name) };
    return;
  }
  const primary = keyOf(table.key).map((key) => key.name);
  const stray = Object.keys(keys).filter((key) => !primary.includes(key));
  if (stray.length > 0) {
    const example = primary.map((key) => `${key}: '${keys[key] ?? guards.unique.toUpperCase()}'`).join(', ');
    const message = `a guard's key must be the table's primary key: ${primary.join(' and ')}`;
    yield { ...at(stray[0]), cause: 'stray-key', message, fix: `write keys: { ${example} }` };
  }
  if (guards.values.length === 0 && Object.values(keys).every((text) => template(text).faults.length === 0)) {
    const message = `the guard's key contains no attribute, so only one ${entity.name} could exist`;
    yield {
      ...at(),
      cause: 'constant',
      message,
      fix: `put the unique attribute into the key: '${guards.unique.toUpperCase()}#<${guards.unique}>'`,
    };
  }
  for (const attribute of guards.values) {
    const fault = valueFault(entity, attribute) ?? lackFault(table, entity, guards, attribute);
    if (fault !== undefined) yield { ...at(), ...fault };
  }
  for (const attribute of entity.design.unique?.[guards.unique]?.owner ?? []) {
    const fault = valueFault(entity, attribute) ?? optionalFault(entity, attribute);
    if (fault !== undefined) yield { ...atEntity(name, 'owner', undefined, { attribute }), ...fault, cause: 'owner' };
  }
  const expiry = table.ttl && naming.attributeOf(entity.design.stored, table.ttl);
  if (expiry !== undefined && entity.attributes.includes(expiry)) {
    yield {
      severity: 'warning',
      ...at(),
      cause: 'expires',
      message: `DynamoDB deletes ${entity.name} items at the time in '${expiry}', but keeps their guards, so no other item can ever claim their values`,
      fix: `delete expired items with a pattern, or remove '${expiry}' from ${entity.name}'s attributes`,
    };
  }
}

/** Explains why an attribute cannot be unique, or cannot identify an owner. */
function valueFault({ name, design: { attributes }, attributes: names }: EntityBlueprint, attribute: string) {
  const path = attribute.split('.');
  const facts = attributeAt(attributes, path);
  if (facts === undefined || !isDeclared(attributes, path)) {
    const add = `add ${attribute}: z.string() to the attributes`;
    const meant = nearest(attribute, names);
    const message = `the schema of ${name} does not declare '${attribute}'`;
    const fix = meant === undefined || meant === attribute ? add : `write <${meant}>, or ${add}`;
    return { cause: 'open', message, fix } satisfies Fault<Cause>;
  }
  if (path.length === 1 && (facts.kind === 'string' || facts.kind === 'number')) return undefined;
  const message =
    path.length > 1 ? `'${attribute}' is inside a map` : `'${attribute}' is not a single string or number`;
  const fix = `store the value in a separate attribute: ${path.at(-1)}: z.string()`;
  return { cause: 'inside', message, fix } satisfies Fault<Cause>;
}

/** Reports an optional unique attribute, because every item must claim a value. */
function lackFault(table: TableUnderCheck, entity: EntityBlueprint, guards: Guarded, attribute: string) {
  const facts = attributeAt(entity.design.attributes, [attribute]);
  if (facts?.optional === false) return undefined;
  const isRemoved = table.accesses.some(
    ({ step }) => step.op === 'update' && step.entity === entity.name && step.remove?.includes(attribute),
  );
  return {
    cause: 'optional',
    message: `'${attribute}' is optional, but every ${entity.name} must claim a value`,
    fix: isRemoved ? ownEntity(entity, guards) : `make '${attribute}' required, or ${ownEntity(entity, guards)}`,
  } satisfies Fault<Cause>;
}

/** Returns the fix for an optional value: a separate entity whose key contains the value. */
function ownEntity({ name, design: { attributes, unique } }: EntityBlueprint, guards: Guarded): string {
  const { unique: own, values, owners } = guards;
  const typed = [...new Set([...values, ...owners])].map((attribute) => {
    const isNumber = attributeAt(attributes, attribute.split('.'))?.kind === 'number';
    return `${attribute.split('.').at(-1)}: z.${isNumber ? 'int' : 'string'}()`;
  });
  const keys = Object.entries(unique?.[own]?.keys ?? {}).map(([key, text]) => `${key}: '${text}'`);
  return `replace the unique value with a separate entity, and put and delete its items yourself: ${name}${capitalized(own)}: { attributes: z.object({ ${typed.join(', ')} }), keys: { ${keys.join(', ')} } }`;
}

/**
 * Reports a number in the table's primary key. A guard's key is always a string, so the number has to become a padded
 * string.
 */
function numberKey(table: TableUnderCheck, entity: EntityBlueprint, guards: Guarded, key: string) {
  const attribute = entity.keys.get(key)?.holds ?? key;
  const name = key === attribute ? 'SK' : key;
  const all = keyOf(table.key).map((own) => (own.name === key ? name : own.name));
  const [partition, sort] = all;
  const declared = sort === undefined ? `partition: '${partition}'` : `partition: '${partition}', sort: '${sort}'`;
  const unstored = key === attribute ? '' : `, without '${attribute}' in stored`;
  return {
    cause: 'number-key',
    message: `'${key}' is a number in ${entity.name}, but a guard's keys are strings`,
    fix: `use a string that sorts like the number: key: { ${declared} }, ${name}: '<${attribute}:10>' in the keys of ${entity.name}${unstored}, and ${name}: '${guards.unique.toUpperCase()}' in the keys of the unique value`,
  } satisfies Fault<Cause>;
}

function optionalFault({ name, design: { attributes } }: EntityBlueprint, attribute: string) {
  if (attributeAt(attributes, [attribute])?.optional === false) return undefined;
  return { message: `'${attribute}' of ${name} is optional`, fix: `make '${attribute}' required` };
}

function* inFind(table: TableUnderCheck, { pattern }: PatternAccess, step: FindPattern): Iterable<Found<Cause>> {
  const { unique, returns } = step;
  const at = (field: string) => atPattern({ name: pattern }, field);
  const [name = '', ...more] = returns;
  if (more.length > 0) {
    const message = `the find returns ${returns.join(' and ')}, but a unique value belongs to only one entity`;
    yield { ...at('returns'), cause: 'not-one-item', message, fix: `write returns: ['${name}']` };
    return;
  }
  const entity = entityNamed(table, name);
  const guard = entityNamed(table, guardNameOf(name, unique));
  if (entity === undefined) return;
  if (guard?.guards === undefined) yield { ...at('unique'), ...noSuchUnique(entity, unique) };
  else if (guard.guards.isShared) {
    const owner = `'${guard.guards.owners.join("', '")}'`;
    const message = `several items with the same ${owner} may have the value, so the guard does not identify a single item`;
    const fix = `query an index by '${guard.guards.values.join("', '")}' instead, or remove 'owner' from 'unique'`;
    yield { ...at('unique'), cause: 'not-one-item', message, fix };
  }
}

function noSuchUnique({ name, uniques = [] }: EntityBlueprint, unique: string): Fault<Cause> {
  const declare = `declare the unique value in ${name}: unique: { ${unique}: { keys: { … } } }`;
  return {
    cause: 'no-such-unique',
    message: `${name} has no unique value '${unique}'`,
    fix: oneOf(unique, uniques, declare),
  };
}

function* inRelease(
  table: TableUnderCheck,
  request: Request,
  { entity: name, unique, where, ...rest }: ReleasePattern | ReleaseStep,
): Iterable<Found<Cause>> {
  const entity = entityNamed(table, name);
  const guard = entityNamed(table, guardNameOf(name, unique));
  if (entity === undefined) return;
  if (guard?.guards === undefined) {
    yield { ...atPattern(request, 'unique'), ...noSuchUnique(entity, unique) };
    return;
  }
  const [wrong] = releaseFaults(guard.guards, where);
  if (wrong === undefined) return;
  const { values, owners } = guard.guards;
  const each = 'each' in rest ? `${rest.each}.` : '';
  const given = [...new Set([...values, ...owners])].map((attribute) => `${attribute}: '<${each}${attribute}>'`);
  const isNeeded = values.includes(wrong) || owners.includes(wrong);
  const what = !isNeeded ? 'neither' : Object.hasOwn(where, wrong) ? 'not a plain parameter' : 'missing';
  yield {
    ...atPattern(request, 'where', undefined, { attribute: wrong }),
    cause: 'release',
    message: `a release needs the value and its owner, each as a parameter; '${wrong}' is ${what}`,
    fix: `write where: { ${given.join(', ')} }`,
  };
}

function* inWrite(
  table: TableUnderCheck,
  access: PatternAccess,
  step: Write,
  unsound: ReadonlySet<string>,
): Iterable<Found<Cause>> {
  const entity = entityNamed(table, step.entity);
  if (entity?.uniques === undefined || table.cloud === 'azure') return;
  const isBatch = hasSteps(access.design) && access.design.op === 'batchWrite';
  const faults = uniqueFaults(table, entity, step, isBatch).filter(
    ({ unique }) => !unsound.has(guardNameOf(entity.name, unique)),
  );
  // Unique values with the same fault share one finding.
  for (const cause of new Set(faults.map((fault) => fault.cause))) {
    const same = faults.filter((fault) => fault.cause === cause);
    const attributes = [...new Set(same.flatMap((fault) => fault.attributes))];
    const uniques = same.map(({ unique }) => unique);
    const about = { attributes, entities: uniques.map((unique) => guardNameOf(entity.name, unique)) };
    const [guard] = guardsOf(table, entity).filter(({ guards }) => uniques.includes(guards.unique));
    const words = wordsFor(entity, guard?.guards as Guarded, step, {
      cause,
      unique: `'${uniques.join("' and '")}'`,
      attributes,
    });
    const sources = [...new Set(attributes.flatMap((attribute) => sourcesOf(entity.design, attribute)))];
    const edits = cause === 'unpinned' ? conditionAdded(access, `{ ${pinned(sources)} }`) : undefined;
    yield { ...atAccess(access, FIELDS[cause], undefined, about), ...words, ...(edits && { edits }) };
  }
}

/** The field that each fault is about; undefined if the fault is about the whole write. */
const FIELDS: Readonly<Record<UniqueFaultCause, string | undefined>> = {
  ...{ batch: undefined, replace: 'replace', upsert: 'upsert', returns: 'returns' },
  ...{ removed: 'remove', computed: 'set', 'owner-changed': 'set', unpinned: 'condition' },
};

function wordsFor(
  owner: EntityBlueprint,
  guards: Guarded,
  step: Write,
  { cause, unique, attributes }: UniqueFault,
): Fault<Cause> {
  const { name: entity, design } = owner;
  const named = `'${attributes.join("', '")}'`;
  switch (cause) {
    case 'batch':
      return {
        cause,
        message: `a batch cannot write each ${entity} atomically with its guard for ${unique}`,
        fix: `use a put or a delete of one ${entity}, or a transaction with each: '…'`,
      };
    case 'replace':
      return {
        cause,
        message: `the put may overwrite ${withArticle(entity)} that had a different ${named}, and the old value's guard would remain`,
        fix: "remove 'replace', and change items with an update",
      };
    case 'upsert':
      return {
        cause,
        message: `if the ${entity} does not exist, the update creates it without claiming its ${named}`,
        fix: `remove 'upsert', and create the ${entity} with a put`,
      };
    case 'returns':
      return {
        cause,
        message: `the write includes the guard for ${unique}, so it is a transaction, which returns nothing`,
        fix: "remove 'returns', and read the item with a get",
      };
    case 'removed':
      return {
        cause,
        message: `${withArticle(entity)} without ${named} claims no value, but every ${entity} must claim one`,
        fix: `do not remove ${named}; if ${named} is optional, ${ownEntity(owner, guards)}`,
      };
    case 'computed':
      return {
        cause,
        message: `the request does not know the new ${named}, so it cannot claim the value`,
        fix: `set a value from the caller: set: { ${attributes[0]}: '<${attributes[0]}>' }`,
      };
    case 'owner-changed':
      return {
        cause,
        message: `the update changes the owner of ${unique}, but the guard keeps the former owner`,
        fix: `delete the ${entity}, and put it again with the new ${named}`,
      };
    case 'unpinned': {
      const sources = [...new Set(attributes.flatMap((attribute) => sourcesOf(design, attribute)))];
      const message = `the write does not know the current ${named} of the ${entity}, so it cannot free the guard for ${unique}`;
      const others = Object.keys(step.condition ?? {}).some((name) => !sources.includes(name));
      const fix = others ? `add to 'condition': ${pinned(sources)}` : `write condition: { ${pinned(sources)} }`;
      return { cause, message, fix };
    }
  }
}

/** Returns a condition that holds only if each attribute still has the value that the caller read. */
function pinned(attributes: readonly string[]): string {
  return attributes.map((attribute) => `${attribute}: '<${formerly(attribute)}>'`).join(', ');
}

/** Returns the name of the parameter that passes the value before the write. */
function formerly(attribute: string): string {
  return `former${capitalized(attribute)}`;
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

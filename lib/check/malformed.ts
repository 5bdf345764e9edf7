import { schemaKind, unkeptAttribute } from '../blueprint/attributes/facts';
import { nearest } from '../design/names';
import { isObject, show } from '../design/show';
import { assignment, keyCondition, operand, template, tests } from './condition-shapes';
import type { Found, Rule } from './finding';
import {
  byName,
  causes,
  fields,
  isText,
  listOf,
  type Misshape,
  otherKind,
  type Shape,
  text,
  that,
  word,
} from './shape';

/** The rule on a design's shape. If it finds something, no other rule runs, and it cannot be acknowledged. */
export const malformedDesign: Rule<'malformed', keyof typeof causes> = {
  id: 'malformed',
  severity: 'error',
  why: 'Only a well-formed design can be checked, so no other rule runs until this is fixed.',
  causes,
};

/**
 * What keeps a value from being a design: fields that are missing, misspelt or of the wrong type. In TypeScript the
 * compiler sees it too; JavaScript and JSON have only this.
 */
export function malformed(design: unknown): readonly Found<keyof typeof causes>[] {
  const found: Misshape[] = [];
  const kind = isObject(design) && 'tables' in design ? 'system' : 'table';
  if (!isObject(design)) {
    const message = `must be what defineTable or defineSystem returns, got: ${show(design)}`;
    const fix = 'pass a design, and check that it is exported under this name';
    found.push({ path: 'design', cause: 'design', message, fix });
  } else if (kind === 'system') system(design, '', found);
  else table(design, '', found);
  if (found.length === 0) return NONE;
  const subject = { kind, name: isObject(design) && isText(design.name) ? design.name : '' } as const;
  return found.map(({ proposed, ...fault }) => ({
    ...fault,
    subject: proposed === undefined ? subject : { ...subject, proposed },
  }));
}

const NONE: readonly [] = [];

const ZOD_OBJECT = "z.object({ id: z.string() }), with z from 'zod' 4";

const zodObject: Shape = (value, path, found) => {
  const kind = schemaKind(value);
  if (kind === 'object') {
    const unkept = unkeptAttribute(value as Parameters<typeof unkeptAttribute>[0]);
    if (unkept === undefined) return;
    const message = `'${unkept}' has a special meaning in JavaScript, and zod drops it: it is never stored`;
    found.push({ path, cause: 'unkept-name', message, fix: `give ${unkept} another name` });
    return;
  }
  const [cause, got] =
    kind === 'other'
      ? (['schema-kind', 'another kind of schema'] as const)
      : kind === 'zod-3'
        ? (['zod-3', 'a schema of zod 3'] as const)
        : (['schema', show(value)] as const);
  found.push({ path, cause, message: `must be a zod object, got: ${got}`, fix: `write ${ZOD_OBJECT}` });
};

const flag = that('true or false', 'true', (value) => typeof value === 'boolean');
const purpose = text('what it is for');
const where = byName(template, "{ PK: 'POST#<postId>', SK: 'POST' }");
const assignments = byName(assignment, "{ title: '<title>' }");
const values = byName(operand, "{ title: '<title>' }");
const added = byName(
  that('a number or a string', '1', (value) => ['number', 'bigint', 'string'].includes(typeof value)),
  '{ count: 1 }',
);
const names = listOf(text('name'), "['name']");
const entityName = [text('Post'), "'Post'"] as const;
const keyOfOne = [where, "{ PK: '…', SK: '…' }"] as const;
const pageSize = that('a number', '20', (value) => typeof value === 'number');
const op = [text('query'), "'query'"] as const;

/** A pattern that returns no entity would seem to read only foreign items. */
const returns: Shape = (value, path, found) => {
  if (Array.isArray(value) && value.length === 0) {
    const fix = "name the entities that it reads: ['Post']";
    found.push({ path, cause: 'returns-nothing', message: 'the pattern returns nothing', fix });
  } else listOf(text('Post'), "['Post']")(value, path, found);
};
const read = { op, returns: [returns, "['Post']"] } as const;

/** The writes, with further fields for each. */
function writes(more: Readonly<Record<'put' | 'update' | 'delete', Readonly<Record<string, Shape>>>>) {
  return {
    put: fields('a put', {
      required: { op, entity: entityName },
      optional: { purpose, item: values, replace: flag, condition: tests, unchanged: flag, ...more.put },
    }),
    update: fields('an update', {
      required: { op, entity: entityName, where: keyOfOne },
      optional: {
        ...{
          purpose,
          set: assignments,
          add: added,
          subtract: added,
          remove: names,
          condition: tests,
          upsert: flag,
          unchanged: flag,
        },
        ...more.update,
      },
    }),
    delete: fields('a delete', {
      required: { op, entity: entityName, where: keyOfOne },
      optional: { purpose, condition: tests, unchanged: flag, ...more.delete },
    }),
  };
}

const list = text('lines');
const each = { each: list };
const reserved = { procedureOnly: flag };
const old = { returns: word('old'), ...reserved };

const steps: Readonly<Record<string, Shape>> = {
  ...writes({ put: { ...each, optional: flag }, update: each, delete: each }),
  require: fields('a require', {
    required: { op, entity: entityName, where: keyOfOne, condition: [tests, "{ status: 'open' }"] },
    optional: each,
  }),
};

/** The steps of a batch have no conditions, so a put must say that it overwrites. */
const batchSteps: Readonly<Record<string, Shape>> = {
  put: fields('a put of a batch', {
    required: {
      op,
      entity: entityName,
      each: [list, "'lines'"],
      replace: [that('true: a batch overwrites what is there', 'true', (value) => value === true), 'true'],
    },
    optional: { item: values },
  }),
  delete: fields('a delete of a batch', {
    required: { op, entity: entityName, each: [list, "'lines'"], where: keyOfOne },
    optional: {},
  }),
};

const operations: Readonly<Record<string, Shape>> = {
  get: fields('a get', {
    required: { ...read, where: keyOfOne },
    optional: { purpose, consistent: flag, unexpired: flag },
  }),
  query: fields('a query', {
    required: {
      ...read,
      where: [byName(keyCondition, "{ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }"), "{ PK: '…' }"],
    },
    optional: {
      purpose,
      consistent: flag,
      unexpired: flag,
      index: text('GSI1'),
      filter: tests,
      select: names,
      order: word('ascending', 'descending'),
      orderBy: text('publishedAt'),
      pageSize,
    },
  }),
  scan: fields('a scan', {
    required: read,
    optional: { purpose, consistent: flag, unexpired: flag, index: text('GSI1'), filter: tests, pageSize },
  }),
  batchGet: fields('a batchGet', {
    required: { ...read, keys: [byName(where, "{ first: { PK: '…', SK: '…' } }"), "{ first: { PK: '…' } }"] },
    optional: { purpose, consistent: flag, unexpired: flag, ...each },
  }),
  ...writes({ put: old, update: { returns: word('new', 'old'), ...reserved }, delete: old }),
  transaction: fields('a transaction', {
    required: { op, steps: [byName(byOp('a step', steps), '{ post: { … } }'), "{ post: { op: 'put', … } }"] },
    optional: { purpose, ...reserved },
  }),
  batchWrite: fields('a batchWrite', {
    required: {
      op,
      steps: [byName(byOp('a step', batchSteps), '{ lines: { … } }'), "{ lines: { op: 'put', each: 'lines', … } }"],
    },
    optional: { purpose, ...reserved },
  }),
};

/** A pattern or a step, whose `op` decides which fields it has. */
function byOp(what: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const known = Object.keys(shapes);
  return (value, path, found) => {
    const given = isObject(value) ? value.op : undefined;
    const shape = isText(given) && Object.hasOwn(shapes, given) ? shapes[given] : undefined;
    if (shape !== undefined) return shape(value, path, found);
    if (!isObject(value)) {
      found.push(otherKind(what, `{ op: '${known[0]}', … }`, value, path));
      return;
    }
    const meant = isText(given) ? nearest(given, known) : undefined;
    const fix = meant === undefined ? `use one of ${known.join(', ')}` : `write '${meant}'`;
    const message = `${show(given)} is not an operation of ${what}`;
    found.push({ path: `${path}.op`, cause: 'operation', proposed: meant, message, fix });
  };
}

/** One attribute; a list gets a message that says where several are allowed. */
function oneName(example: string): Shape {
  return (value, path, found) => {
    if (!Array.isArray(value)) return text(example)(value, path, found);
    const message = `must be one attribute, got: ${show(value)}; only an index has keys of several`;
    found.push({ path, cause: 'kind', message, fix: `write '${example}', with a template made of all of them` });
  };
}

function someNames(example: string): Shape {
  return (value, path, found) => {
    if (Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value)) return;
    found.push(otherKind('a string, or a list of them', `'${example}'`, value, path));
  };
}

const key = {
  required: { partition: [oneName('PK'), "'PK'"] },
  optional: { sort: oneName('SK') },
} as const;

/** DynamoDB's own word is KEYS_ONLY. */
function projectionMeant(value: string): string | undefined {
  return /^keys?_?only$/i.test(value) ? 'keys' : nearest(value, ['all', 'keys']);
}

const projection: Shape = (value, path, found) => {
  if (value === 'all' || value === 'keys') return;
  if (Array.isArray(value)) return names(value, path, found);
  const proposed = isText(value) ? projectionMeant(value) : undefined;
  const fix = `write ${proposed === undefined ? `'all', 'keys' or a list of attributes` : `'${proposed}'`}`;
  const message = `must be 'all', 'keys' or a list of attributes, got: ${show(value)}`;
  found.push({ path, cause: 'word', proposed, message, fix });
};

const index = fields('an index', {
  required: { partition: [someNames('GSI1PK'), "'GSI1PK'"] },
  optional: { sort: someNames('GSI1SK'), purpose, projection, local: flag },
});

/** At least one value: an item that is never in an index needs no keys for it. */
const someValues: Shape = (value, path, found) => {
  const isValue = (candidate: unknown) => ['string', 'number', 'boolean'].includes(typeof candidate);
  if (Array.isArray(value) && value.length > 0 && value.every(isValue)) return;
  found.push(otherKind('a list of strings, numbers or booleans', "['open']", value, path));
};

const ONE_TEST = "{ status: ['open'] }";
const membership = fields('an index of an entity', {
  required: { while: [byName(someValues, ONE_TEST), ONE_TEST] },
  optional: {},
});

const entity = fields('an entity', {
  required: { attributes: [zodObject, ZOD_OBJECT] },
  optional: {
    keys: where,
    type: text('post'),
    keyOnly: names,
    indexes: byName(membership, `{ GSI1: { while: ${ONE_TEST} } }`),
  },
});

const ONE_ENTITY = "{ Post: { attributes: z.object({ … }), keys: { PK: 'POST#<postId>' } } }";
const someEntities: Shape = (value, path, found) => {
  byName(entity, ONE_ENTITY)(value, path, found);
  if (isObject(value) && Object.keys(value).length === 0) {
    const message = 'a table needs at least one entity';
    found.push({ path, cause: 'no-entities', message, fix: `write entities: ${ONE_ENTITY}` });
  }
};

const table = fields('a table', {
  required: {
    name: [text('blog'), "'blog'"],
    key: [fields('a key', key), "{ partition: 'PK', sort: 'SK' }"],
    entities: [someEntities, ONE_ENTITY],
  },
  optional: {
    purpose,
    indexes: byName(index, "{ GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } }"),
    typeAttribute: text('entityType'),
    ttl: text('expires'),
    separator: text('#'),
    patterns: byName(byOp('a pattern', operations), "{ post: { op: 'get', … } }"),
    acknowledge: byName(
      byName(text('the reason'), "{ 'entities.Post.keys.PK': 'the reason' }"),
      "{ 'hot-partition': { … } }",
    ),
  },
});

const system = fields('a system', {
  required: {
    name: [text('shop'), "'shop'"],
    cloud: [word('aws', 'azure'), "'aws'"],
    tables: [byName(table, '{ blog }'), '{ blog }'],
  },
  optional: {
    purpose,
    tenant: text('tenantId'),
    procedures: byName(
      fields('a procedure', { required: { uses: [names, "['post']"] }, optional: { purpose } }),
      "{ publish: { uses: ['post'] } }",
    ),
  },
});

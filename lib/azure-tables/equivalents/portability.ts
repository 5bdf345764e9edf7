import { hasSteps, isRead } from '../../blueprint/accesses';
import { attributeAt, attributeNames, takesNull } from '../../blueprint/attributes/facts';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { testsIn } from '../../blueprint/conditions';
import { blueprint, keyOf } from '../../blueprint/table';
import { isInside } from '../../blueprint/updates';
import { review } from '../../check';
import type { Condition, PutStep, ReadPattern, Test, Write } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { KEY_BYTES, stepsOf } from '../../design/template';
import { type AzureTable, azureTables } from './tables';

/** Something in a DynamoDB design that Azure Tables do not do by themselves. */
export interface PortabilityLine {
  /** The place in the design: `tables.blog.ttl`. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** The reason for which the design accepts it. @default - the design does not mention it */
  readonly acknowledged?: string;
}

/** The Azure tables of a system, and what does not carry over; no lines for a system designed for Azure. */
export interface Portability {
  readonly system: string;
  readonly cloud: SystemDesign['cloud'];
  readonly tables: readonly AzureTable[];
  readonly lines: readonly PortabilityLine[];
}

export function portability(system: SystemDesign): Portability {
  const tables = azureTables(system);
  const { name, cloud } = system;
  return {
    system: name,
    cloud,
    tables,
    lines: cloud === 'azure' ? [] : [...checked(system), ...others(system, tables)],
  };
}

/** The findings of the check, acknowledged or not. */
function checked(system: SystemDesign): readonly PortabilityLine[] {
  const { findings, acknowledged } = review(system, { portability: 'azure' });
  return [...findings, ...acknowledged]
    .filter(({ rule }) => rule === 'azure-portability')
    .map((finding) => ({
      path: finding.path,
      message: finding.message,
      fix: finding.fix,
      ...('reason' in finding && typeof finding.reason === 'string' ? { acknowledged: finding.reason } : {}),
    }));
}

/** What the check does not object to, but someone who moves to Azure must know. */
function others(system: SystemDesign, made: readonly AzureTable[]): readonly PortabilityLine[] {
  const ofTables = Object.entries(system.tables).flatMap(([name, design]) => {
    const own = made.filter(({ table }) => table === name);
    const lines = [
      ...indexes(own),
      ...memberships(design, own),
      ...keys(design),
      ...attributes(design),
      ...patterns(design),
      ...batches(design),
    ];
    return lines.map(({ path, ...line }) => ({ path: `tables.${name}.${path}`, ...line }));
  });
  return [...OF_ALL_TABLES, ...ofTables];
}

const OF_ALL_TABLES: readonly PortabilityLine[] = [
  {
    path: 'tables',
    message: 'Azure Tables have no point-in-time recovery and no backup of their own',
    fix: 'export the tables on a schedule',
  },
  {
    path: 'tables',
    message: `PartitionKey and RowKey hold ${AZURE_TABLES.keyLength} characters each, while DynamoDB allows ${KEY_BYTES.partition} and ${KEY_BYTES.sort} bytes`,
    fix: 'keep the parts of keys short; longer keys are refused before they are sent',
  },
  {
    path: 'tables',
    message: 'a property holds at most 64 KiB (32,768 characters of text), while DynamoDB allows 400 KB',
    fix: 'keep longer texts in blobs, and their addresses in the table',
  },
];

function* indexes(made: readonly AzureTable[]): Iterable<PortabilityLine> {
  for (const { index, name, row } of made) {
    if (index === undefined) continue;
    yield {
      path: `indexes.${index}`,
      message: `it becomes the table ${name} (RowKey ${row.map((attribute) => attribute.name).join(' + ')}), which the application must write itself, never in one batch with another table`,
      fix: 'write the row of the table first, and add missing rows of the index later',
    };
  }
}

function* memberships(design: TableDesign, made: readonly AzureTable[]): Iterable<PortabilityLine> {
  for (const entity of blueprint(design).entities) {
    for (const [index, membership] of entity.membership) {
      const table = made.find((azure) => azure.index === index);
      if (table === undefined) continue;
      yield {
        path: `entities.${entity.name}.indexes.${index}`,
        message: `a change of ${membership.map(({ name }) => name).join(' or ')} brings a ${entity.name} into ${table.name} or takes it out; DynamoDB would do that by itself`,
        fix: `write or delete its row in ${table.name} with every such change, and clean up leftover rows`,
      };
    }
  }
}

function* keys(design: TableDesign): Iterable<PortabilityLine> {
  const { key, indexes } = blueprint(design);
  const places = [{ place: 'key', own: key }, ...indexes.map((own) => ({ place: `indexes.${own.name}`, own }))];
  for (const { place, own } of places) {
    for (const attribute of keyOf(own)) {
      if (attribute.type === 'string') continue;
      const role = own.partitionBy.includes(attribute) ? 'partition' : 'sort';
      yield {
        path: `${place}.${role}`,
        message: `'${attribute.name}' is a ${attribute.type}, and Azure keys are strings`,
        fix: `it is stored as hexadecimal digits that sort as before; ${attribute.type === 'number' ? 'a number is a double there' : 'each byte takes two'}`,
      };
    }
  }
}

function* attributes({ entities }: TableDesign): Iterable<PortabilityLine> {
  for (const [name, { attributes: schema }] of Object.entries(entities)) {
    for (const attribute of attributeNames(schema)) {
      const path = `entities.${name}.attributes.${attribute}`;
      const kind = attributeAt(schema, [attribute])?.kind;
      if (takesNull(schema, [attribute])) {
        yield {
          path,
          message: 'null is not stored: it reads as left out, unless the schema requires null',
          fix: 'let nothing depend on whether it is null or left out',
        };
      }
      if (kind === 'map' || kind === 'list' || kind === 'other') {
        yield {
          path,
          message: `a ${kind === 'other' ? 'value of several types' : kind} is not a type of an Azure property`,
          fix: 'it is stored as JSON text, and read, changed and filtered only as a whole',
        };
      }
    }
  }
}

function* patterns(design: TableDesign): Iterable<PortabilityLine> {
  for (const { name, design: pattern } of blueprint(design).patterns) {
    const path = `patterns.${name}`;
    if (hasSteps(pattern)) {
      for (const [step, write] of Object.entries(pattern.steps)) yield* writes(`${path}.steps.${step}`, write, design);
    } else if (isRead(pattern)) yield* reads(path, pattern);
    else yield* writes(path, pattern, design);
  }
}

function* reads(path: string, pattern: ReadPattern): Iterable<PortabilityLine> {
  if (pattern.op === 'batchGet') {
    const count = Object.keys(pattern.keys).length;
    const message = `${count} keys in one request, but Azure reads one row at a time`;
    yield { path: `${path}.keys`, message, fix: 'read them side by side; together they do not make a snapshot' };
  }
  if (pattern.op !== 'query' && pattern.op !== 'scan') return;
  for (const { path: attribute, test, place } of testsIn(pattern.filter ?? {})) {
    const why = unfilterable(attribute, test);
    if (why !== undefined) {
      yield { path: `${path}.filter.${place}`, message: why, fix: 'filter the results in the application' };
    }
  }
  if ((pattern.pageSize ?? 0) > AZURE_TABLES.pageItems) {
    const message = `${pattern.pageSize} items a page, but an Azure page has at most ${AZURE_TABLES.pageItems}`;
    yield { path: `${path}.pageSize`, message, fix: 'read several pages' };
  }
}

/** Why Azure's filters cannot express a test; undefined if they can. */
function unfilterable(attribute: string, test: Test): string | undefined {
  if (isInside(attribute)) return `'${attribute}' is inside a map or a list, which is stored as text`;
  if (typeof test !== 'object' || test === null) return undefined;
  if ('contains' in test) return `Azure filters have no 'contains'`;
  if ('size' in test) return `Azure filters have no 'size'`;
  if ('exists' in test) return `Azure filters cannot test whether a property exists`;
  const operands = 'attribute' in test ? [test] : Object.values(test).flat();
  return operands.some((operand) => typeof operand === 'object' && operand !== null)
    ? 'Azure filters compare a property with a constant, not with another'
    : undefined;
}

/** The key of a put in terms of the caller's values: `<userId>` in the step `trip` is `<trip.userId>`, unless `item` spells it out. */
function givenTo({ item }: PutStep, step: string, key: string): string {
  if (item === undefined) return key.replaceAll('<', `<${step}.`);
  return key.replaceAll(/<(\w+)/g, (start, name) => /^<[^<>?]+/.exec(String(item[name]))?.[0] ?? start);
}

/** Transactions that stay in one partition only if the caller gives the same values for several items. */
function* batches(design: TableDesign): Iterable<PortabilityLine> {
  for (const { name, design: pattern, accesses } of blueprint(design).patterns) {
    if (pattern.op !== 'transaction') continue;
    const places = accesses.map(({ action, part, step, partition }) => {
      const text = partition?.[0].at.text;
      return {
        own: action === 'put' ? text && givenTo(step as PutStep, part as string, text) : text,
        form: text?.replaceAll(/<([^.>]*)\./g, (start, step) => (Object.hasOwn(pattern.steps, step) ? '<' : start)),
      };
    });
    const own = [...new Set(places.map((place) => place.own))];
    if (own.length === 1 || new Set(places.map(({ form }) => form)).size > 1) continue;
    yield {
      path: `patterns.${name}.steps`,
      message: `it can write to ${own.length} partitions (${own.join(', ')}), but an Azure batch writes to one`,
      fix: 'give the same values for all of them, or write in an order that can be repaired; a batch across two partitions is refused',
    };
  }
}

function* writes(path: string, write: Write, { entities }: TableDesign): Iterable<PortabilityLine> {
  const fix = 'read the row, decide, and write it back with its ETag; start over if it has changed';
  if (write.op === 'require') {
    const message = 'an Azure batch only writes, and cannot depend on a row that it does not change';
    yield { path, message, fix: 'write that row back unchanged with its ETag, if it is in the same partition' };
    return;
  }
  if (hasTests(write.condition))
    yield { path: `${path}.condition`, message: 'Azure has no condition but the ETag', fix };
  if (write.op !== 'update') return;
  for (const attribute of Object.keys(write.set ?? {})) {
    const schema = entities[write.entity]?.attributes;
    if (schema === undefined || !takesNull(schema, stepsOf(attribute))) continue;
    const message = `'${attribute}' may be set to null, which Azure does not store, and a merge removes nothing`;
    yield { path: `${path}.set.${attribute}`, message, fix: 'read the row, change it, and put it back with its ETag' };
  }
  for (const field of ['add', 'subtract'] as const) {
    if (write[field] === undefined) continue;
    yield { path: `${path}.${field}`, message: 'Azure cannot add to a number in place', fix };
  }
  for (const field of ['set', 'add', 'subtract', 'remove'] as const) {
    const named = write[field] ?? [];
    const nested = (Array.isArray(named) ? (named as string[]) : Object.keys(named)).filter(isInside);
    for (const at of nested) {
      yield {
        path: `${path}.${field}.${at}`,
        message: 'it is inside a map, which is stored as text and changed as a whole',
        fix,
      };
    }
  }
}

function hasTests(condition: Condition | undefined): boolean {
  return Object.keys(condition ?? {}).length > 0;
}

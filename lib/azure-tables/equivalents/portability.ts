import { type AbilityCause, faultsOnAzure } from '../../blueprint/abilities';
import type { Access } from '../../blueprint/accesses';
import { attributeAt, attributeNames, takesNull } from '../../blueprint/attributes/facts';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { blueprint, keyOf } from '../../blueprint/table';
import { review } from '../../check';
import type { PutStep } from '../../design/pattern';
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

/** What a request for Azure Tables would refuse, except for what the check or the lines on indexes say already. */
function* patterns(design: TableDesign): Iterable<PortabilityLine> {
  for (const pattern of blueprint(design).patterns) {
    const path = `patterns.${pattern.name}`;
    for (const { cause, step, field, place, message, fix } of faultsOnAzure(pattern)) {
      if (SAID.has(cause)) continue;
      const at = step === undefined ? [path, field, place] : [path, 'steps', step, field, place];
      yield { path: at.filter((name) => name !== undefined).join('.'), message, fix };
    }
    for (const access of pattern.accesses) yield* nulls(path, access, design);
  }
}

const SAID: ReadonlySet<AbilityCause> = new Set(['no-index', 'ascending-only', 'batch-size']);

function* nulls(path: string, { step, part }: Access, { entities }: TableDesign): Iterable<PortabilityLine> {
  if (step.op !== 'update') return;
  const schema = entities[step.entity]?.attributes;
  const at = part === undefined ? path : `${path}.steps.${part}`;
  for (const attribute of Object.keys(step.set ?? {})) {
    if (schema === undefined || !takesNull(schema, stepsOf(attribute))) continue;
    const message = `'${attribute}' may be set to null, which Azure does not store, and a merge removes nothing`;
    yield { path: `${at}.set.${attribute}`, message, fix: 'read the row, change it, and put it back with its ETag' };
  }
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

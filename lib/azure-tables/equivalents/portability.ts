import { attributeNames } from '../../blueprint/attributes/facts';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { outline, type PatternBlueprint, type TableOutline } from '../../blueprint/outline';
import { pathInSystem, whole } from '../../blueprint/shares';
import type { PutPattern } from '../../design/pattern';
import { counted } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import { KEY_BYTES } from '../../design/template';
import { type AzureTable, azureTables } from './tables';

/**
 * A feature that costs more, or has a lower limit, on Azure Tables than on DynamoDB. One line covers all places that
 * use the feature.
 */
export interface PortabilityLine {
  /** The places in the design, such as `tables.blog.ttl`. */
  readonly paths: readonly string[];
  readonly message: string;
  /** The recommended action. */
  readonly fix: string;
}

/** A system's Azure tables, and how they differ from DynamoDB; a system designed for Azure has no differences. */
export interface Portability {
  readonly system: string;
  readonly cloud: SystemDesign['cloud'];
  readonly tables: readonly AzureTable[];
  readonly lines: readonly PortabilityLine[];
}

export function portability(system: SystemDesign): Portability {
  const { name, cloud } = system;
  const lines = cloud === 'azure' ? [] : [...causesIn(system)].filter(({ paths }) => paths.length > 0);
  return { system: name, cloud, tables: azureTables(system), lines };
}

function* causesIn(system: SystemDesign): Iterable<PortabilityLine> {
  const all = Object.entries(whole(system).tables).map(([name, design]) => ({
    name,
    at: `tables.${name}`,
    table: outline(design),
  }));
  const patterns = (isMeant: (pattern: PatternBlueprint, table: TableOutline) => boolean) =>
    all.flatMap(({ name, table }) =>
      table.patterns
        .filter((one) => isMeant(one, table))
        .map((one) => pathInSystem(system, name, `patterns.${one.name}`)),
    );
  yield {
    paths: ['tables'],
    message: 'Azure Tables has no point-in-time recovery and no backups',
    fix: 'export the tables on a schedule',
  };
  yield {
    paths: ['tables'],
    message: `a key has at most ${AZURE_TABLES.keyLength} characters, and the key of an index row also contains the table's key; DynamoDB allows ${KEY_BYTES.partition} and ${KEY_BYTES.sort} bytes`,
    fix: 'keep key parts short; the client refuses keys over the limit before sending a request',
  };
  yield {
    paths: all.flatMap(({ at, table }) => table.indexes.map(({ name }) => `${at}.indexes.${name}`)),
    message: 'the client writes the index rows, with one request for each new row and two for each changed row',
    fix: 'run the sweeper on a timer: after a client crashes, index rows stay stale until the next write to the item or the next sweep',
  };
  yield {
    paths: patterns(({ design }) => design.op === 'query' && design.order === 'descending'),
    message:
      'descending order needs a mirrored table, which costs extra writes and is eventually consistent like an index',
    fix: 'read in ascending order where possible',
  };
  yield {
    paths: patterns(({ design }) => design.op === 'transaction'),
    message:
      'a transaction costs 1 request within one partition and 2k + 2 requests over k partitions, plus the requests that read its items',
    fix: 'to lower the cost, keep items that change together in one partition',
  };
  yield {
    paths: all.flatMap(({ at, table }) =>
      table.entities.flatMap(({ name, uniques = [] }) =>
        uniques.map((unique) => `${at}.entities.${name}.unique.${unique}`),
      ),
    ),
    message: 'writing an item with a unique value takes a transaction over two partitions: 6 requests',
    fix: 'no action needed; uniqueness is guaranteed, as on DynamoDB',
  };
  yield {
    paths: patterns(({ design }) => isReadFirst(design)),
    message:
      'the write reads the item first, with one extra request, because Azure cannot test or change values in place',
    fix: 'no action needed; if the item changes between the read and the write, the client retries',
  };
  yield {
    paths: patterns(({ design }) => 'keys' in design),
    message: 'Azure reads one item per request; the client sends the requests concurrently',
    fix: 'no action needed',
  };
  yield {
    paths: all.flatMap(({ at, table }) => (table.ttl === undefined ? [] : [`${at}.ttl`])),
    message: 'expired items stay until the sweeper deletes them',
    fix: 'run the sweeper on a timer, and read with unexpired: true',
  };
  yield {
    paths: patterns(({ design }, { indexes }) => isConsistent(design, indexes)),
    message: 'after a client crashes, rows of an index or a mirror may be stale, even in a consistent read',
    fix: 'run the sweeper on a timer, or read the table in ascending order',
  };
  yield {
    paths: all.flatMap(({ at, table }) =>
      table.entities
        .filter(({ design }) => attributeNames(design.attributes).length > AZURE_TABLES.properties - PROTOCOL)
        .map(({ name }) => `${at}.entities.${name}.attributes`),
    ),
    message: `an Azure entity has at most ${AZURE_TABLES.properties} properties`,
    fix: 'group some attributes in a map',
  };
}

/** The number of properties that a row may have in addition to the item's attributes. */
const PROTOCOL = 8;

/** Whether a write must read its item first, because its outcome depends on the item. */
export function isReadFirst(write: Pick<PutPattern, 'replace' | 'condition'> & { readonly op: string }): boolean {
  if (write.op === 'put') return write.replace === true || write.condition !== undefined;
  return write.op === 'update' || write.op === 'delete' || write.op === 'require';
}

function isConsistent(design: PatternBlueprint['design'], indexes: TableOutline['indexes']): boolean {
  if (design.op !== 'query' || design.consistent !== true) return false;
  return design.order === 'descending' || indexes.some(({ name, local }) => local === true && name === design.index);
}

/** Formats a line as a sentence. */
export function sentenceOf({ paths, message }: PortabilityLine): string {
  const [first = '', ...others] = paths;
  return `${first}${others.length === 0 ? '' : ` and ${counted(others.length, 'more', 'more')}`}: ${message}`;
}

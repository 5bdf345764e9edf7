import { createHash } from 'node:crypto';
import { AZURE_TABLES } from '../../blueprint/clouds';
import { isObject } from '../../design/show';
import { FileProblem } from '../../files/problem';

import type { EdmType, TypedProperty } from '../edm';
import { linesOf } from './lines';

/**
 * An entity in the file. Strings are stored as they are; every other value is stored with its type, so that an import
 * restores it exactly.
 */
export type StoredEntity = Readonly<Record<string, string | TypedProperty>>;

/** The first line of the file. */
export interface Header {
  readonly tablewright: 'export';
  readonly version: 1;
  readonly system: string;
  readonly exportedAt: string;
  readonly tables: readonly string[];
  /** The cloud that the system is designed for; an import rebuilds the indexes of a DynamoDB system. @default - Azure */
  readonly designedFor?: 'aws';
}

/** A line between the first and the last line, which contains one entity. */
export interface EntityLine {
  readonly table: string;
  readonly entity: StoredEntity;
}

/**
 * The last line of the file. A file without this line is truncated; a file that does not match the checksum is damaged.
 */
export interface Trailer {
  readonly entities: Readonly<Record<string, number>>;
  /** The checksum of all bytes before the last line. */
  readonly sha256: string;
}

/** Verifies a whole file, and returns its first and last line; throws if the file is truncated or damaged. */
export async function verified(file: string): Promise<{ readonly header: Header; readonly trailer: Trailer }> {
  const hash = createHash('sha256');
  const counted = new Map<string, number>();
  let header: Header | undefined;
  let last: Buffer | undefined;
  let before: string | undefined;
  let number = 0;
  for await (const line of linesOf(file)) {
    if (header === undefined) {
      header = headerIn(file, line);
      hash.update(line);
    } else if (last !== undefined) {
      hash.update(last);
      const { table, entity } = entityLineIn(file, last, number);
      counted.set(table, (counted.get(table) ?? 0) + 1);
      // An export is sorted by key, so a duplicate directly follows the original.
      const place = JSON.stringify([table, entity.PartitionKey, entity.RowKey]);
      if (place === before)
        throw damaged(file, `contains the same entity twice (lines ${number - 1} and ${number})`, TWICE);
      before = place;
    }
    if (number++ > 0) last = line;
  }
  if (header === undefined) throw damaged(file, 'is empty', FROM_EXPORT);
  const trailer = last?.at(-1) === NEW_LINE ? parse(file, last, number) : undefined;
  if (!isTrailer(trailer)) {
    throw damaged(file, 'is truncated: its last line is missing');
  }
  const tables = new Set(header.tables);
  // Refuses tables that the header does not list: before an import writes, it checks only the listed tables.
  const isNamed = [...counted.keys(), ...Object.keys(trailer.entities)].every((table) => tables.has(table));
  const isSame = [...tables].every(
    (table) => (counted.get(table) ?? 0) === (Object.hasOwn(trailer.entities, table) ? trailer.entities[table] : 0),
  );
  if (trailer.sha256 !== hash.digest('hex') || !isSame || !isNamed) {
    throw damaged(file, 'is damaged: its contents do not match its checksum');
  }
  return { header, trailer };
}

/** Yields the entities in a verified file. */
export async function* entitiesIn(file: string): AsyncIterable<EntityLine & { readonly bytes: number }> {
  let number = 0;
  // Yields each line one step late: the last line is not an entity, and only the end of the file shows which line is
  // the last.
  let last: Buffer | undefined;
  for await (const line of linesOf(file)) {
    if (last !== undefined) yield { ...entityLineIn(file, last, number), bytes: last.length };
    if (number++ > 0) last = line;
  }
}

const NEW_LINE = 0x0a;

function headerIn(file: string, line: Buffer): Header {
  const header = parse(file, line, 1);
  if (!isObject(header) || header.tablewright !== 'export') {
    throw damaged(file, 'is not an export', FROM_EXPORT);
  }
  const { version, system, exportedAt, tables, designedFor } = header;
  if (version !== 1) {
    throw damaged(
      file,
      `has version ${JSON.stringify(version)}, but only version 1 is supported`,
      'update tablewright',
    );
  }
  const isWhole =
    typeof system === 'string' && typeof exportedAt === 'string' && Array.isArray(tables) && tables.every(isTableName);
  if (!isWhole) throw damagedAt(file, 1);
  const about = { tablewright: 'export', version, system, exportedAt, tables } as const;
  return designedFor === 'aws' ? { ...about, designedFor } : about;
}

function isTableName(name: unknown): boolean {
  return typeof name === 'string' && AZURE_TABLES.name.form.test(name);
}

function entityLineIn(file: string, line: Buffer, number: number): EntityLine {
  const parsed = parse(file, line, number);
  if (!isObject(parsed) || !isTableName(parsed.table) || !isObject(parsed.entity)) throw damagedAt(file, number);
  const { PartitionKey, RowKey, ...properties } = parsed.entity;
  const areKeys = [PartitionKey, RowKey].every((key) => typeof key === 'string');
  if (!areKeys || !Object.values(properties).every(isProperty)) throw damagedAt(file, number);
  return parsed as unknown as EntityLine;
}

const TYPES: Readonly<Record<EdmType, true>> = {
  ...{ String: true, Int32: true, Int64: true, Double: true, Boolean: true, DateTime: true, Binary: true, Guid: true },
};

/** Whether a value is a property in the file's format. */
export function isProperty(value: unknown): value is StoredEntity[string] {
  if (typeof value === 'string') return true;
  return isObject(value) && Object.hasOwn(TYPES, String(value.type)) && typeof value.value === 'string';
}

function isTrailer(value: unknown): value is Trailer {
  return isObject(value) && typeof value.sha256 === 'string' && isObject(value.entities);
}

function parse(file: string, line: Buffer, number: number): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw damagedAt(file, number);
  }
}

/** The message does not quote the line, which may contain personal data. */
function damagedAt(file: string, number: number): FileProblem {
  return damaged(file, `is not a complete export: line ${number} is damaged or truncated`);
}

const TWICE = 'export again while no program writes to the tables';

const FROM_EXPORT = "pass a file that 'tablewright backup export' wrote";

function damaged(file: string, what: string, fix = 'export again, or make another copy of the file'): FileProblem {
  return new FileProblem(file, 'damaged', `'${file}' ${what}; ${fix}`);
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { TypedProperty } from '../edm';

/** An entity as a line of the file: text as it is, all else with its type, so that it comes back as it was. */
export type StoredEntity = Readonly<Record<string, string | TypedProperty>>;

/** The first line. */
export interface Header {
  readonly tablewright: 'export';
  readonly version: 1;
  readonly system: string;
  readonly exportedAt: string;
  readonly tables: readonly string[];
}

/** A line for each entity. */
export interface EntityLine {
  readonly table: string;
  readonly entity: StoredEntity;
}

/** The last line: without it the file is cut, and with another sum it is damaged. */
export interface Trailer {
  readonly entities: Readonly<Record<string, number>>;
  /** Of all bytes before this line. */
  readonly sha256: string;
}

/** Raised for a file that is not a whole export. */
export class BackupError extends Error {
  public override readonly name = 'BackupError';
}

/** The lines of a file, each with its end, one after the other: never all of them at once. */
export async function* linesOf(file: string): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    rest += chunk;
    let start = 0;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', start)) {
      yield rest.slice(start, end + 1);
      start = end + 1;
    }
    rest = rest.slice(start);
  }
  if (rest !== '') yield rest;
}

/** Reads a file to its end: what it says it is, if it is whole. */
export async function verified(file: string): Promise<{ readonly header: Header; readonly trailer: Trailer }> {
  const hash = createHash('sha256');
  const counted = new Map<string, number>();
  let header: Header | undefined;
  let last: string | undefined;
  for await (const line of linesOf(file)) {
    if (header === undefined) {
      header = headerIn(file, line);
      hash.update(line);
      continue;
    }
    if (last !== undefined) {
      hash.update(last);
      const { table } = parse(file, last) as EntityLine;
      counted.set(table, (counted.get(table) ?? 0) + 1);
    }
    last = line;
  }
  if (header === undefined) throw new BackupError(`'${file}' is empty; name a file that 'tablewright export' wrote`);
  const trailer = last?.endsWith('\n') ? (parse(file, last) as Partial<Trailer>) : {};
  if (trailer.sha256 === undefined || trailer.entities === undefined) {
    throw new BackupError(`'${file}' is cut off: its last line is missing; export again, or take another copy`);
  }
  const isSame = header.tables.every((table) => (trailer.entities?.[table] ?? 0) === (counted.get(table) ?? 0));
  if (
    trailer.sha256 !== hash.digest('hex') ||
    !isSame ||
    [...counted.keys()].some((table) => !header.tables.includes(table))
  ) {
    throw new BackupError(`'${file}' is damaged: it is not what was written; take another copy`);
  }
  return { header, trailer: trailer as Trailer };
}

/** The entities of a file that has been verified. */
export async function* entitiesIn(file: string): AsyncIterable<EntityLine & { readonly bytes: number }> {
  let isFirst = true;
  for await (const line of linesOf(file)) {
    const parsed = JSON.parse(line) as EntityLine | Trailer;
    if (!isFirst && 'entity' in parsed) yield { ...parsed, bytes: line.length * 2 };
    isFirst = false;
  }
}

function headerIn(file: string, line: string): Header {
  const header = parse(file, line) as Partial<Header>;
  if (header.tablewright !== 'export' || !Array.isArray(header.tables)) {
    throw new BackupError(`'${file}' is no export; name a file that 'tablewright export' wrote`);
  }
  if (header.version !== 1) {
    throw new BackupError(`'${file}' is of version ${header.version}, and this is for version 1; update tablewright`);
  }
  return header as Header;
}

function parse(file: string, line: string): unknown {
  try {
    return Object(JSON.parse(line));
  } catch {
    throw new BackupError(`'${file}' is damaged or cut off: a line of it is no JSON (${line.slice(0, 40).trimEnd()}…)`);
  }
}

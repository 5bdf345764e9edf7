import type { AzureDatabase } from '../../azure-tables/engine/database';
import type { SystemDesign } from '../../design/system';
import { isReading } from '../../dynamodb/commands';
import type { Database } from '../../dynamodb/engine/database';
import type { AnyDatabase } from '../../proof/tables';
import { type ExploredTables, tablesIn } from './tables';

/** Thrown instead of sending a write to a running table. */
export class ReadOnly extends Error {
  public override readonly name = 'ReadOnly';

  public constructor(where: string) {
    super(
      `this pattern writes, but the tables at ${where} are read-only; to see what a write changes, start again with --copy, which runs patterns on a copy of the items`,
    );
  }
}

/** Returns the running tables of a system. They accept only reads; a write is refused before any request is sent. */
export function readingTables(
  system: SystemDesign,
  database: AnyDatabase,
  nameOf: (table: string) => string,
): ExploredTables {
  const refuse = () => Promise.reject(new ReadOnly(database.name));
  // The empty options replace the default ones, which throw on items of entities that the design does not have.
  const { patterns, sent } = tablesIn(system, readOnly(database, refuse), nameOf, {});
  return {
    patterns,
    sent: () => sent().filter(({ isRead }) => isRead),
    get: refuse,
    undo: refuse,
    // Whoever opened the connection closes it.
    stop: async () => undefined,
  };
}

function readOnly(database: AnyDatabase, refuse: () => Promise<never>): AnyDatabase {
  if (database.cloud === 'azure') {
    const send: AzureDatabase['send'] = (table, call) =>
      call.method === 'getEntity' || call.method === 'listEntities' ? database.send(table, call) : refuse();
    return { ...database, send };
  }
  const send: Database['send'] = (command, input) => (isReading(command) ? database.send(command, input) : refuse());
  return { ...database, send };
}

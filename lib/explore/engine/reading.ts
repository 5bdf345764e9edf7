import type { AzureDatabase } from '../../azure-tables/engine/database';
import type { SystemDesign } from '../../design/system';
import { isReading } from '../../dynamodb/commands';
import type { Database } from '../../dynamodb/engine/database';
import type { AnyDatabase } from '../../proof/tables';
import { type ExploredTables, tablesIn } from './tables';

/** Thrown in place of a write to a running table. */
export class ReadOnly extends Error {
  public override readonly name = 'ReadOnly';

  public constructor(where: string) {
    super(
      `this writes, and the tables at ${where} are only read; to see what a write would change, start again with --copy, which runs it on a copy of the items`,
    );
  }
}

/** The running tables of a system; its patterns send reads, and refuse writes before sending them. */
export function readingTables(
  system: SystemDesign,
  database: AnyDatabase,
  nameOf: (table: string) => string,
): ExploredTables {
  const refuse = () => Promise.reject(new ReadOnly(database.name));
  // Running tables may contain items that the design does not know.
  const { patterns, sent } = tablesIn(system, readOnly(database, refuse), nameOf, {});
  return {
    patterns,
    sent: () => sent().filter(({ isRead }) => isRead),
    get: refuse,
    undo: refuse,
    // The connection belongs to whoever opened it.
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

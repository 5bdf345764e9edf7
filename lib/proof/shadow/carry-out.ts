import { keyOf, type TableOutline } from '../../blueprint/outline';
import type { Send } from '../../dynamodb/sending';
import type { Migration, Move, Outcome, PhaseOfItems, Update } from '../../evolve';
import { type Item, showKey } from '../../items/item';

/** The tables of a system as they are stored. */
export interface Stored {
  readonly send: Send;
  scan(tableName: string): AsyncIterable<Item>;
  /** The name in the cloud of a table of the system. */
  nameOf(table: string): string;
  /** The names of the key of a table. */
  keyOf(table: string): readonly string[];
}

/**
 * Brings every stored item to the new form, as `migrate run` does; others write in between. Returns what cannot be done, if
 * anything.
 */
export async function carryOut(
  stored: Stored,
  migration: Migration,
  phase: PhaseOfItems,
  between: () => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const table of migration.tables[phase]) {
    const items = await itemsIn(stored, table);
    for (const [i, item] of items.entries()) {
      const failure = i === Math.ceil(items.length / 2) ? await between() : undefined;
      if (failure !== undefined) return failure;
      // Who wrote in between may have changed it.
      const now = await itemAt(stored, sideOf(migration, table), table, item);
      const problem = now && (await act(stored, migration, table, now, migration.outcome(phase, table, now)));
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** The first stored item that has not the form it must have by now, if there is one. */
export async function leftOver(
  stored: Stored,
  migration: Migration,
  phase: PhaseOfItems,
  tables: readonly string[],
): Promise<string | undefined> {
  for (const table of tables) {
    for (const item of await itemsIn(stored, table)) {
      const outcome = migration.outcome(phase, table, item);
      if (outcome.kind === 'unchanged') continue;
      return `${shown(migration, table, item)}: ${whyOf(outcome)}`;
    }
  }
  return undefined;
}

export async function itemsIn({ scan, nameOf }: Stored, table: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of scan(nameOf(table))) items.push(item);
  return items;
}

function whyOf(outcome: Exclude<Outcome, { kind: 'unchanged' }>): string {
  if (outcome.kind === 'unknown' || outcome.kind === 'failed') return outcome.why;
  if (outcome.kind === 'move') return 'it is under its old key';
  if (outcome.kind === 'delete') return 'it is still there, and its entity is not';
  const names = [...Object.keys(outcome.set), ...outcome.removed];
  return `it does not have the form it should have by now (${names.join(', ')})`;
}

async function act(
  { send, nameOf }: Stored,
  migration: Migration,
  table: string,
  item: Item,
  outcome: Outcome,
): Promise<string | undefined> {
  const at = { TableName: nameOf(table), Key: keyIn(sideOf(migration, table), item) };
  switch (outcome.kind) {
    case 'update':
      await send('Update', { ...at, ...updateOf(outcome) });
      return undefined;
    case 'move':
      await send('TransactWrite', { TransactItems: moveOf(outcome, at, nameOf) });
      return undefined;
    case 'delete':
      await send('Delete', at);
      return undefined;
    case 'failed':
      return `${shown(migration, table, item)}: ${outcome.why}`;
    default:
      return undefined;
  }
}

function updateOf({ set, removed }: Update): Item {
  const names = [...Object.keys(set), ...removed];
  const sets = Object.keys(set).map((_, i) => `#${i} = :${i}`);
  const gone = removed.map((_, i) => `#${i + sets.length}`);
  return {
    UpdateExpression: [
      ...(sets.length === 0 ? [] : [`SET ${sets.join(', ')}`]),
      ...(gone.length === 0 ? [] : [`REMOVE ${gone.join(', ')}`]),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
    ...(sets.length === 0
      ? {}
      : { ExpressionAttributeValues: Object.fromEntries(Object.values(set).map((value, i) => [`:${i}`, value])) }),
  };
}

function moveOf({ table, item }: Move, at: Item, nameOf: Stored['nameOf']): readonly Item[] {
  return [{ Put: { TableName: nameOf(table), Item: item } }, { Delete: at }];
}

function sideOf(migration: Migration, table: string): TableOutline {
  const { before, after } = migration.sides(table);
  return (before ?? after) as TableOutline;
}

function keyIn({ key }: TableOutline, item: Item): Item {
  return Object.fromEntries(keyOf(key).map(({ name }) => [name, item[name]]));
}

async function itemAt(
  { send, nameOf }: Stored,
  side: TableOutline,
  table: string,
  item: Item,
): Promise<Item | undefined> {
  const output = await send('Get', { TableName: nameOf(table), Key: keyIn(side, item), ConsistentRead: true });
  return output.Item as Item | undefined;
}

function shown(migration: Migration, table: string, item: Item): string {
  return `an item of ${table} (${showKey(sideOf(migration, table), item)})`;
}

import { isDeepStrictEqual } from 'node:util';
import { BATCH_ITEMS } from '../../blueprint/clouds';
import { tableNameOf } from '../../blueprint/names';
import { keyOf, outline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { client } from '../../dynamodb/client';
import { serviceThrough } from '../../dynamodb/migration/service';
import { dynamoStore } from '../../dynamodb/migration/store';
import type { TemplateJson } from '../../dynamodb/template/tables';
import { evolving } from '../../evolve/clients/dynamodb';
import type { Item } from '../../items/item';
import { type Double, SECONDS } from './double';
import type { Ground } from './ground';

/** A strict double around the embedded engine, with tables under the names that their stack gives them. */
export function dynamoGround(
  double: Double,
  environment: string,
  before: SystemDesign,
  after: SystemDesign,
): Ground<TemplateJson> {
  const nameOf = (table: string) => tableNameOf(after, environment, table);
  const tableOf = (table: string) => [...double.tables().values()].find(({ tableName }) => tableName === nameOf(table));
  const keyNames = (table: string) =>
    keyOf(outline((after.tables[table] ?? before.tables[table]) as TableDesign).key).map(({ name }) => name);
  const items = async (table: string) => {
    const held: { item: Item; raw: Item }[] = [];
    for await (const item of double.scan(nameOf(table))) held.push({ item, raw: item });
    return held;
  };
  return {
    deploy: (template) => double.deploy(template),
    settle() {
      for (let waited = 0; double.pending().length > 0 && waited < 4; waited++) double.pass(SECONDS.ttl);
    },
    isThere: (table) => tableOf(table) !== undefined,
    faultOf(table, { tables }) {
      const [wanted, there] = [tables[table]?.ttl, tableOf(table)];
      if (there === undefined) return `table ${table} is not there`;
      if (there.ttl === wanted) return undefined;
      return `TTL of ${table} is ${there.ttl ?? 'off'}, and should be ${wanted ?? 'off'}`;
    },
    items,
    held: (_, item) => ({ item, raw: item }),
    async restore(table, wanted) {
      const key = keyNames(table);
      const id = (item: Item) => JSON.stringify(key.map((name) => item[name]));
      const next = new Map(wanted.map(({ raw }) => [id(raw as Item), raw as Item]));
      const requests: object[] = [];
      for (const { item } of await items(table)) {
        const now = next.get(id(item));
        if (now !== undefined && isDeepStrictEqual(now, item)) next.delete(id(item));
        else if (now === undefined)
          requests.push({ DeleteRequest: { Key: Object.fromEntries(key.map((name) => [name, item[name]])) } });
      }
      for (const item of next.values()) requests.push({ PutRequest: { Item: item } });
      for (let i = 0; i < requests.length; i += BATCH_ITEMS.batchWrite) {
        const batch = requests.slice(i, i + BATCH_ITEMS.batchWrite);
        await double.send('BatchWrite', { RequestItems: { [nameOf(table)]: batch } });
      }
    },
    store(migration, tables) {
      const names = Object.fromEntries(tables.map((table) => [table, nameOf(table)]));
      return dynamoStore({ service: serviceThrough(double.send, 'the double'), migration, names });
    },
    calls(system, step) {
      const options = { onUnknown: 'throw', evolving: step && evolving(step) } as const;
      const clients = Object.entries(system.tables).map(([table, design]) =>
        client(design, tableNameOf(system, environment, table), double.send, options),
      );
      return Object.assign({}, ...clients);
    },
    end: () => double.end(),
  };
}

import { isDeepStrictEqual } from 'node:util';
import { ANY, AS_STORED } from '../../azure-tables/calls';
import { client } from '../../azure-tables/client';
import type { Entity, RawEntity } from '../../azure-tables/edm';
import type { AzureEngine } from '../../azure-tables/engine/azure-tables';
import { entityBetween, itemBetween, storedIn } from '../../azure-tables/migration/items';
import { azureStore } from '../../azure-tables/migration/store';
import { propertiesOf } from '../../azure-tables/resent';
import { azureTablesIn, type TerraformJson } from '../../azure-tables/terraform';
import type { Migration } from '../../evolve';
import { evolving } from '../../evolve/clients/azure-tables';
import type { Ground, Held } from './ground';

/** Azure tables on an engine; a table that a stack no longer has is deleted with its rows, as Terraform does. */
export function azureGround(engine: AzureEngine, migration: Migration): Ground<TerraformJson> {
  const deployed = new Set<string>();
  const sides = (table: string) => migration.sides(table);
  const items = async (table: string): Promise<readonly Held[]> => {
    const { before, after } = sides(table);
    const held: Held[] = [];
    for await (const page of engine.table(table).listEntities(AS_STORED).byPage())
      for (const raw of page as RawEntity[]) held.push({ item: itemBetween(before, after, raw), raw });
    return held;
  };
  return {
    async deploy(stack) {
      const wanted = azureTablesIn(stack);
      const made = Object.entries(stack.resource?.azapi_resource ?? {}).filter(([, block]) => {
        const { name } = [block].flat()[0] ?? {};
        return wanted.includes(name as string) && !deployed.has(name as string);
      });
      await engine.provision({ resource: { azapi_resource: Object.fromEntries(made) } });
      for (const name of [...deployed].filter((table) => !wanted.includes(table))) {
        await engine.drop(name);
        deployed.delete(name);
      }
      for (const name of wanted) deployed.add(name);
    },
    settle: () => undefined,
    isThere: (table) => deployed.has(table),
    faultOf: (table) => (deployed.has(table) ? undefined : `table ${table} is not there`),
    items,
    held(table, item) {
      const { before, after } = sides(table);
      return { item, raw: entityBetween(before, after, item) };
    },
    async restore(table, wanted) {
      const id = (raw: object) => JSON.stringify([(raw as Entity).partitionKey, (raw as Entity).rowKey]);
      const next = new Map(wanted.map(({ raw }) => [id(raw), raw as Entity]));
      for (const { raw } of await items(table)) {
        const now = next.get(id(raw));
        const { partitionKey, rowKey } = raw as Entity;
        if (now === undefined)
          await engine.send(table, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: ANY }] });
        else if (isDeepStrictEqual(propertiesOf(now), propertiesOf(raw))) next.delete(id(raw));
      }
      for (const raw of next.values()) {
        const { partitionKey, rowKey } = raw;
        const entity = { partitionKey, rowKey, ...storedIn(raw) } as Entity;
        await engine.send(table, { method: 'upsertEntity', args: [entity, 'Replace'] });
      }
    },
    store: (migration) => azureStore({ engine, migration }),
    calls(system, step) {
      const options = { onUnknown: 'throw', evolving: step && evolving(step) } as const;
      const clients = Object.entries(system.tables).map(([table, design]) =>
        client(design, table, engine.send, options),
      );
      return Object.assign({}, ...clients);
    },
    async end() {
      for (const table of deployed) await engine.drop(table);
      deployed.clear();
    },
  };
}

import { AS_STORED, type AzureCall, type BatchAction } from '../../azure-tables/calls';
import type { AzureEngine } from '../../azure-tables/engine/azure-tables';
import { entityOfItem, itemOfEntity, keysOf } from '../../azure-tables/entity';
import { entityNamed, outline, type TableOutline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import { entityOf as recognized, showKey } from '../../items/item';
import { venueOf } from '../../proof/venue';
import type { Stored } from '../items';
import type { Explored } from '../system';
import { type Ground, inTurns, type Sent, UNCOUNTED } from './ground';

/** The tables of a system on Azure, made from its design and filled with its items. */
export async function azureGround({ system, items }: Explored, engine: AzureEngine): Promise<Ground> {
  let sent: Sent[] = [];
  const outlineOf = (table: string) => outline(system.tables[table] as SystemDesign['tables'][string]);
  const recording: AzureEngine = {
    ...engine,
    async send(table, call) {
      const isRead = call.method === 'getEntity' || call.method === 'listEntities';
      const about = { command: call.method, input: call.args, isRead, touched: touchedBy(table, call) };
      try {
        const output = await engine.send(table, call);
        const found = output.entity === undefined ? (output.entities ?? []) : [output.entity];
        const read = found.map((entity) => itemOfEntity(outlineOf(table), entity));
        sent.push({ ...about, read: isRead ? [{ table, items: read }] : [] });
        return output;
      } catch (error) {
        sent.push({ ...about, read: [] });
        throw error;
      }
    },
  };
  const venue = venueOf(system, recording, templateOf(system), '');
  await venue.provision();
  for (const [table, all] of items) {
    await inTurns(all.stored, 8, (stored) =>
      engine.send(table, { method: 'createEntity', args: [entityOf(outlineOf(table), stored)] }),
    );
  }
  const patterns = Object.entries(system.tables).map(([table, design]) => venue.patterns(design, table, UNCOUNTED));
  return {
    name: engine.name,
    patterns: Object.assign({}, ...patterns),
    sent() {
      const all = sent;
      sent = [];
      return all;
    },
    async get(table, key) {
      const { partitionKey, rowKey } = keysOf(key);
      const { entity } = await engine.send(table, { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] });
      return entity && itemOfEntity(outlineOf(table), entity);
    },
    async restore(table, key, before) {
      const { partitionKey, rowKey } = keysOf(key);
      if (before !== undefined) {
        const entity = entityOf(outlineOf(table), before);
        await engine.send(table, { method: 'upsertEntity', args: [entity, 'Replace'] });
      } else {
        const gone = { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: '*' }] } as const;
        await engine.send(table, gone).catch((error: { statusCode?: number }) => {
          if (error.statusCode !== 404) throw error;
        });
      }
    },
    stop: () => engine.stop(),
  };
}

/** An item as Azure Tables stores it, with the types of its entity. */
function entityOf(table: TableOutline, { item, entity }: Stored) {
  const named = entity === undefined ? recognized(table, item, table.entities) : entityNamed(table, entity);
  if (named === undefined) throw new Error(`an item belongs to no entity of '${table.name}': ${showKey(table, item)}`);
  return entityOfItem(named, item);
}

function templateOf({ tables }: SystemDesign) {
  const type = 'Microsoft.Storage/storageAccounts/tableServices/tables@2023-05-01';
  const blocks = Object.keys(tables).map((name) => [name, { type, name }]);
  return { resource: { azapi_resource: Object.fromEntries(blocks) } };
}

/** The keys of all rows that a call writes. */
function touchedBy(table: string, call: AzureCall): Sent['touched'] {
  const touched = ({ partitionKey, rowKey }: { readonly partitionKey?: unknown; readonly rowKey?: unknown }) => ({
    table,
    key: { PartitionKey: partitionKey, RowKey: rowKey },
  });
  switch (call.method) {
    case 'getEntity':
    case 'listEntities':
      return [];
    case 'deleteEntity':
      return [touched({ partitionKey: call.args[0], rowKey: call.args[1] })];
    case 'submitTransaction':
      return (call.args[0] as BatchAction[]).map(([, entity]) => touched(entity));
    default:
      return [touched(call.args[0])];
  }
}

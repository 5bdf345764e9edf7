import type { StateStore } from '../../evolve/migration/run/store';
import { AS_STORED } from '../calls';
import type { Entity } from '../edm';
import type { AzureDatabase } from '../engine/database';
import { stackOfTables } from '../terraform';

/** The table that records the progress of migrations; it belongs to no design. */
const STATE_TABLE = 'tablewrightmigrations';

/** The number of characters to store in one property; the service allows 32,768. */
const PIECE = 30_000;

/**
 * Opens the table that stores the states of migrations. If the table is missing, creates it if `make` is set; otherwise
 * returns undefined.
 */
export async function azureStates(
  database: Pick<AzureDatabase, 'send' | 'tables' | 'provision'>,
  name = STATE_TABLE,
  make = false,
): Promise<StateStore | undefined> {
  const isThere = async () => (await database.tables()).includes(name);
  if (!(await isThere())) {
    if (!make) return undefined;
    await database.provision(stackOfTables([name])).catch(async (error: unknown) => {
      // Another runner may have created the table first.
      if (!(await isThere())) throw error;
    });
  }
  return {
    name,
    async load(id) {
      const { entity } = await database.send(name, { method: 'getEntity', args: [id, 'state', AS_STORED] });
      if (entity === undefined) return undefined;
      const pieces = Object.entries(entity)
        .filter(([property]) => /^state\d+$/.test(property))
        .sort(([a], [b]) => Number(a.slice(5)) - Number(b.slice(5)));
      const value = pieces.map(([, piece]) => String((Object(piece) as { value?: unknown }).value ?? piece)).join('');
      return { value, version: entity.etag as string };
    },
    async save(id, value, version) {
      const pieces = Array.from({ length: Math.ceil(value.length / PIECE) }, (_, i) => [
        `state${i}`,
        value.slice(i * PIECE, (i + 1) * PIECE),
      ]);
      const entity = { partitionKey: id, rowKey: 'state', ...Object.fromEntries(pieces) } as Entity;
      try {
        const { etag } =
          version === undefined
            ? await database.send(name, { method: 'createEntity', args: [entity] })
            : await database.send(name, { method: 'updateEntity', args: [entity, 'Replace', { etag: version }] });
        return etag;
      } catch (error) {
        if ([404, 409, 412].includes((error as { statusCode?: number }).statusCode ?? 0)) return undefined;
        throw error;
      }
    },
  };
}

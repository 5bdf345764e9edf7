import { z } from 'zod';
import type { DeletePattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import type { Design, Example } from './example';

/** Returns an Azure table of user sessions with the given additional attributes. */
function sessions(own: z.ZodRawShape, rest: Partial<TableDesign> = {}, RowKey = '<sessionId>'): Design {
  const attributes = z.object({ userId: z.string(), sessionId: z.string(), ...own });
  const table: TableDesign = {
    name: 'sessions',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    entities: { Session: { attributes, keys: { PartitionKey: '<userId>', RowKey } } },
    ...rest,
  };
  return { name: 'shop', cloud: 'azure', tables: { sessions: table } };
}

const expiresAt = z.int();
const where = { PartitionKey: '<userId>', RowKey: '<sessionId>' };
const forget = (rest: Partial<DeletePattern>) =>
  sessions({ visits: z.int() }, { patterns: { forget: { op: 'delete', entity: 'Session', where, ...rest } } });
const device = (kind: string, other: string) =>
  sessions({ device: z.enum([kind, other]) }, { separator: '|' }, '<device>|<sessionId>');

/** Examples for the rules about operations and values that Azure Tables does not support. */
export const azure = {
  'azure-tables': { broken: sessions({ expiresAt }, { ttl: 'expiresAt' }), mended: sessions({ expiresAt }) },
  'cloud-operation': {
    broken: forget({ condition: { visits: 0 } }),
    mended: forget({ unchanged: true }),
  },
  'azure-keys': { broken: device('phone', 'pc/mac'), mended: device('phone', 'pc_mac') },
  'azure-types': {
    broken: sessions({ startedAt: z.date() }),
    mended: sessions({ startedAt: z.iso.datetime({ precision: 3 }) }),
  },
} satisfies Readonly<Record<string, Example>>;

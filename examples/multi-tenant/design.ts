import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Note: {
      attributes: z.object({ tenantId: z.uuid(), noteId: z.ulid(), text: z.string().max(1000) }),
      keys: { PK: 'TENANT#<tenantId>', SK: 'NOTE#<noteId>' },
    },
  },
  patterns: {
    notesOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'NOTE#' } },
      returns: ['Note'],
      order: 'descending',
      pageSize: 50,
    },
    addNote: { op: 'put', entity: 'Note' },
  },
});

// With `tenant`, the check reports items and queries that are not confined to one tenant.
export const app = defineSystem({ name: 'app', cloud: 'aws', tenant: 'tenantId', tables: { notes } });

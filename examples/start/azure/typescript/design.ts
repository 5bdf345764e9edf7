import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

export const documents = defineTable({
  name: 'Documents',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  entities: {
    Document: {
      attributes: z.object({
        department: z.string().max(40),
        number: z.int().min(1).max(999999),
        subject: z.string().max(200),
        state: z.enum(['draft', 'filed']),
      }),
      keys: { PartitionKey: '<department>', RowKey: '<number:6>' },
    },
  },
  patterns: {
    addDocument: { op: 'put', entity: 'Document' },
    getDocument: {
      op: 'get',
      where: { PartitionKey: '<department>', RowKey: '<number:6>' },
      returns: ['Document'],
    },
    documentsOfDepartment: {
      op: 'query',
      where: { PartitionKey: '<department>' },
      returns: ['Document'],
    },
    // The caller passes the ETag of the item that it read, so that the update cannot overwrite another caller's change.
    fileDocument: {
      op: 'update',
      entity: 'Document',
      where: { PartitionKey: '<department>', RowKey: '<number:6>' },
      set: { state: 'filed' },
      unchanged: true,
    },
  },
});

export const register = defineSystem({ name: 'register', cloud: 'azure', tables: { Documents: documents } });

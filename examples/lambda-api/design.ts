import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

export const tasks = defineTable({
  name: 'tasks',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Task: {
      attributes: z.object({ listId: z.uuid(), taskId: z.ulid(), text: z.string().max(1000), done: z.boolean() }),
      keys: { PK: 'LIST#<listId>', SK: 'TASK#<taskId>' },
    },
  },
  patterns: {
    tasksOfList: {
      op: 'query',
      where: { PK: 'LIST#<listId>', SK: { beginsWith: 'TASK#' } },
      returns: ['Task'],
      pageSize: 50,
    },
    addTask: { op: 'put', entity: 'Task' },
    finishTask: {
      op: 'update',
      entity: 'Task',
      where: { PK: 'LIST#<listId>', SK: 'TASK#<taskId>' },
      set: { done: true },
    },
  },
});

export const api = defineSystem({ name: 'api', cloud: 'aws', tables: { tasks } });

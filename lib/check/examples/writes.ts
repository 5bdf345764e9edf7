import { z } from 'zod';
import type { PatternDesign, UpdatePattern } from '../../design/pattern';
import type { TableDesign } from '../../design/table';
import { type Example, KEY } from './example';

const attributes = z.object({ taskId: z.string(), title: z.string(), note: z.string().optional() });
const onBoards = z.object({ taskId: z.string(), boardId: z.string(), state: z.string() });
const where = { PK: 'TASK#<taskId>', SK: 'TASK' };

/** Tasks, with one update of them. */
function tasks(update: Partial<UpdatePattern>): TableDesign {
  return {
    name: 'boards',
    key: KEY,
    entities: { Task: { attributes, keys: where } },
    patterns: { change: { op: 'update', entity: 'Task', where, ...update } },
  };
}

/** The same, in an index by board and state. */
function onBoard(update: Partial<UpdatePattern>): TableDesign {
  const { patterns, ...table } = tasks(update);
  const keys = { ...where, GSI1PK: 'BOARD#<boardId>#<state>', GSI1SK: 'TASK#<taskId>' };
  const tasksOfBoard: PatternDesign = {
    op: 'query',
    index: 'byBoard',
    where: { GSI1PK: 'BOARD#<boardId>#<state>' },
    returns: ['Task'],
  };
  return {
    ...table,
    indexes: { byBoard: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    entities: { Task: { attributes: onBoards, keys } },
    patterns: { tasksOfBoard, ...patterns },
  };
}

/** An article of which one is sold. */
function stock(update: Partial<UpdatePattern>): TableDesign {
  const attributes = z.object({ articleId: z.string(), left: z.int().min(0) });
  const keys = { PK: 'ARTICLE#<articleId>', SK: 'ARTICLE' };
  const sell: PatternDesign = { op: 'update', entity: 'Article', where: keys, ...update };
  return { name: 'stock', key: KEY, entities: { Article: { attributes, keys } }, patterns: { sell } };
}

/** What is wrong with a write. */
export const writes = {
  unwritable: { broken: tasks({ remove: ['title'] }), mended: tasks({ remove: ['note'] }) },
  'half-key': {
    broken: onBoard({ set: { state: '<state>' } }),
    mended: onBoard({ set: { state: '<state>', boardId: '<boardId>' } }),
  },
  'unacceptable-item': {
    broken: stock({ add: { left: -1 } }),
    mended: stock({ add: { left: -1 }, condition: { left: { atLeast: 1 } } }),
  },
} satisfies Readonly<Record<string, Example>>;

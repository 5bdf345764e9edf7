import { z } from 'zod';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { through } from '../../../../lib/dynamodb/engine/stored';
import type { Send } from '../../../../lib/dynamodb/sending';
import type { Item } from '../../../../lib/items/item';
import type { SystemCases } from '../../../../lib/proof';
import { deployedCases } from '../../../fixtures/change-cases';
import { deployedTable, deployed as journal } from '../../../fixtures/changes';
import { proofsOf } from './oracle';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

describe('an entity that moves to a second table', () => {
  const { Comment, ...entities } = deployedTable.entities;
  const { commentsOfPost, putComment, ...patterns } = deployedTable.patterns;
  const comments: TableDesign = {
    ...deployedTable,
    name: 'comments',
    indexes: {},
    entities: { Comment },
    patterns: { commentsOfPost, putComment },
  };
  const blogTable: TableDesign = { ...deployedTable, entities, patterns };
  const design = { ...journal, tables: { blog: blogTable, comments } } as unknown as SystemDesign;

  test('fails the proof of a plan that deletes the items in the first table instead of moving them', async () => {
    const { last } = await proofsOf(engine, {
      deployed: journal,
      design,
      before: deployedCases,
      answers: { moved: { 'blog.Comment': 'comments' } },
      edit: (plan) => ({ ...plan, items: plan.items.map(({ to: _, ...item }) => item) }),
    });
    expect(last).toMatchObject({
      step: 'deployed',
      failure: expect.stringMatching(
        /^Comment 'early' is stored in blog, and the plan deletes it, but .* comments\.Comment/,
      ),
    });
  });
});

describe('a design whose schemas contain code', () => {
  const { Post } = deployedTable.entities;
  const ruled = {
    ...journal,
    tables: {
      blog: {
        ...deployedTable,
        entities: {
          ...deployedTable.entities,
          Post: { ...Post, attributes: Post.attributes.refine(({ title }) => title !== 'untitled') },
        },
      },
    },
  } as unknown as SystemDesign;
  const { blog } = ruled.tables;
  const { Comment } = deployedTable.entities;
  const byAge = { ...Comment, keys: { ...Comment.keys, GSI1PK: 'COMMENTS', GSI1SK: '<postId>#<commentId>' } };
  const design = {
    ...ruled,
    tables: { blog: { ...blog, entities: { ...blog?.entities, Comment: byAge } } },
  } as unknown as SystemDesign;

  test('reports the deployed design as unproved if only its lock is known, because a lock omits the code in schemas', async () => {
    const { proofs } = await proofsOf(engine, { deployed: ruled, design, before: deployedCases, isRebuilt: true });
    expect(proofs[0]?.unproved).toHaveProperty(
      'the deployed design',
      expect.stringContaining('does not contain the code'),
    );
  });
});

describe('the condition of an index', () => {
  const task = z.object({ id: z.string(), status: z.enum(['OPEN', 'DOING', 'DONE']), title: z.string() });
  const tasksWhile = (...status: string[]): SystemDesign => ({
    name: 'todo',
    cloud: 'aws',
    tables: {
      todo: {
        name: 'todo',
        key: { partition: 'PK' },
        indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
        entities: {
          Task: {
            attributes: task,
            keys: { PK: 'TASK#<id>', GSI1PK: 'TASKS', GSI1SK: '<title>#<id>' },
            indexes: { GSI1: { while: { status } } },
          },
        },
        patterns: {
          getTask: { op: 'get', where: { PK: 'TASK#<id>' }, returns: ['Task'] },
          putTask: { op: 'put', entity: 'Task' },
          edit: {
            op: 'update',
            entity: 'Task',
            where: { PK: 'TASK#<id>' },
            set: { status: '<status>', title: '<title>' },
          },
          removeTask: { op: 'delete', entity: 'Task', where: { PK: 'TASK#<id>' } },
          tasks: { op: 'query', index: 'GSI1', where: { GSI1PK: 'TASKS' }, returns: ['Task'] },
        },
      },
    },
  });
  const items = {
    open: ['Task', { id: '1', status: 'OPEN', title: 'Write' }],
    doing: ['Task', { id: '2', status: 'DOING', title: 'Read' }],
    done: ['Task', { id: '3', status: 'DONE', title: 'Learn' }],
  } as const;
  const casesWith = (...returns: string[]): SystemCases => ({
    tables: { todo: { items, patterns: { tasks: { values: {}, returns } } as never } },
  });
  const [narrow, wide] = [tasksWhile('OPEN'), tasksWhile('OPEN', 'DOING')];

  test('proves a plan that widens the condition of a sparse index', async () => {
    const before = casesWith('open');
    const { plan, proofs } = await proofsOf(engine, {
      deployed: narrow,
      design: wide,
      before,
      cases: casesWith('doing', 'open'),
    });
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.length).toBe(plan.phases.length);
  });

  test('proves that narrowing the condition of a sparse index hides no items from the running release', async () => {
    const before = casesWith('doing', 'open');
    const { plan, proofs } = await proofsOf(engine, {
      deployed: wide,
      design: narrow,
      before,
      cases: casesWith('open'),
    });
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.length).toBe(plan.phases.length);
  });

  test('a proof fails if a release leaves an item out of the sparse index', async () => {
    const hiding: Send = (command, { Item: item, ...input }) => {
      const { GSI1PK, ...hidden } = (item ?? {}) as Item;
      const isHidden = command === 'Put' && hidden.status === 'DOING' && GSI1PK !== undefined;
      return engine.send(command, { ...input, ...(item === undefined ? {} : { Item: isHidden ? hidden : item }) });
    };
    const before = casesWith('doing', 'open');
    const given = { deployed: wide, design: narrow, before, cases: casesWith('open') };
    const { last } = await proofsOf(through(engine, hiding), given);
    expect(last?.failure).toMatch(/^Task .*: tasks\(\{\}\) does not return it \(the old release\)$/);
  });
});

describe('a guard of a unique value', () => {
  const user = z.object({ userId: z.string(), email: z.string(), name: z.string() });
  const key = { PK: 'USER#<userId>', SK: 'USER' };
  const users = (guarded: boolean): SystemDesign => ({
    name: 'members',
    cloud: 'aws',
    tables: {
      members: {
        name: 'members',
        key: { partition: 'PK', sort: 'SK' },
        typeAttribute: 'type',
        ...(guarded && { indexes: { GSI1: { partition: 'GSI1PK' } } }),
        entities: {
          User: { attributes: user, keys: { ...key, ...(guarded && { GSI1PK: 'NAME#<name>' }) } },
          ...(guarded && {
            UserEmail: {
              attributes: z.object({ email: z.string(), userId: z.string() }),
              keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' },
            },
          }),
        },
        patterns: {
          getUser: { op: 'get', where: key, returns: ['User'] },
          ...(guarded && {
            byName: { op: 'query', index: 'GSI1', where: { GSI1PK: 'NAME#<name>' }, returns: ['User'] },
          }),
          rename: { op: 'update', entity: 'User', where: key, set: { name: '<name>' } },
          ...(guarded
            ? {
                addUser: {
                  op: 'transaction',
                  steps: {
                    user: { op: 'put', entity: 'User' },
                    email: {
                      op: 'put',
                      entity: 'UserEmail',
                      item: { email: '<user.email>', userId: '<user.userId>' },
                    },
                  },
                },
              }
            : { putUser: { op: 'put', entity: 'User' } }),
        },
      } as TableDesign,
    },
  });
  const before: SystemCases = {
    tables: {
      members: {
        items: { ana: ['User', { userId: '1', email: 'ana@example.com', name: 'Ana' }] },
        patterns: {} as never,
      },
    },
  };

  test('a proof fails if the plan gives stored items no guards', async () => {
    const because = {
      'tables.members.patterns.putUser': 'addUser takes its place',
      'tables.members.entities.UserEmail': 'an answer that the plan then loses',
    };
    const given = { deployed: users(false), design: users(true), before, answers: { because } };
    const { last } = await proofsOf(engine, { ...given, edit: (plan) => ({ ...plan, answers: {} }) });
    expect(last?.failure).toMatch(
      /^User 'ana' was stored before the plan and has no UserEmail, so another User can take its email/,
    );
  });
});

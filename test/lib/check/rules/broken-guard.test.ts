import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import { guardsOf } from '../../../../lib/check/guards';
import { brokenGuard } from '../../../../lib/check/rules/broken-guard';
import { subject } from '../../../../lib/check/subject';
import type { PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems/systems';
import { findings } from '../../../fixtures/designs';

const User = {
  attributes: z.object({ userId: z.string(), email: z.email(), name: z.string() }),
  keys: { PK: 'USER#<userId>', SK: 'USER' },
};
const UserEmail = {
  attributes: z.object({ email: z.email(), userId: z.string() }),
  keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' },
};
const put = { op: 'put', entity: 'User' } as const;
const claim = {
  op: 'put',
  entity: 'UserEmail',
  item: { email: '<user.email>', userId: '<user.userId>' },
} as const;
const free = { op: 'delete', entity: 'UserEmail', where: UserEmail.keys } as const;
const leave = { op: 'delete', entity: 'User', where: User.keys } as const;
const move = { op: 'update', entity: 'User', where: User.keys, set: { email: '<to>' } } as const;
const claimNew = { op: 'put', entity: 'UserEmail', item: { email: '<to>', userId: '<userId>' } } as const;

function accounts(patterns: Record<string, PatternDesign>, guard: EntityDesign = UserEmail): TableDesign {
  return { name: 'accounts', key: { partition: 'PK', sort: 'SK' }, entities: { User, UserEmail: guard }, patterns };
}

const together = (steps: Record<string, TransactionStep>): PatternDesign => ({ op: 'transaction', steps });
const signUp = together({ user: put, email: claim });
const causesOf = (design: TableDesign) => findings(brokenGuard, design).map(({ cause }) => cause);

describe('a guard that holds', () => {
  test.each<[string, PatternDesign]>([
    ['put beside its owner', signUp],
    ['deleted with it, as it was read', together({ user: { ...leave, condition: { email: '<email>' } }, email: free })],
    ['deleted if it is the owner’s', together({ user: leave, email: { ...free, condition: { userId: '<userId>' } } })],
    ['moved', together({ user: { ...move, condition: { email: '<email>' } }, email: free, newEmail: claimNew })],
    ['put alone, for an owner from before there were guards', { op: 'put', entity: 'UserEmail' }],
    ['left alone by what is no value of its', { ...move, set: { name: '<name>' } }],
    [
      'taken for a value that was missing',
      together({ user: { ...move, condition: { email: { exists: false } } }, newEmail: claimNew }),
    ],
    ['written over by its owner', { op: 'put', entity: 'UserEmail', replace: true, condition: { userId: '<userId>' } }],
  ])('%s', (_, pattern) => {
    expect(causesOf(accounts({ signUp, pattern }))).toEqual([]);
  });
});

describe('a guard that is passed by', () => {
  test.each<[string, PatternDesign, string]>([
    ['a put', put, 'put-alone'],
    ['a put that replaces', { ...put, replace: true }, 'put-alone'],
    ['a put of some attributes', { ...put, item: { userId: '<userId>', email: '<email>', name: '?' } }, 'put-alone'],
    [
      'a batch of puts',
      { op: 'batchWrite', steps: { users: { op: 'put', entity: 'User', replace: true, each: 'users' } } },
      'put-alone',
    ],
    ['a guard that may be left out', together({ user: put, email: { ...claim, optional: true } }), 'put-alone'],
    ['an update', move, 'changed-alone'],
    ['an update that frees the old value only', together({ user: move, email: free }), 'changed-alone'],
    ['an update that takes the new value only', together({ user: move, newEmail: claimNew }), 'old-value-kept'],
    ['a put over an owner', together({ user: { ...put, replace: true }, email: claim }), 'old-value-kept'],
    ['the end of its owner', leave, 'owner-deleted-alone'],
    ['its own end', free, 'guard-deleted-alone'],
    [
      'its own end, in a batch',
      { op: 'batchWrite', steps: { all: { ...free, each: 'emails' } } },
      'guard-deleted-alone',
    ],
    [
      'another owner',
      { op: 'update', entity: 'UserEmail', where: UserEmail.keys, set: { userId: '<userId>' } },
      'guard-changed-alone',
    ],
    ['being written over', { op: 'put', entity: 'UserEmail', replace: true }, 'guard-replaced'],
    [
      'being made or changed',
      { op: 'update', entity: 'UserEmail', where: UserEmail.keys, set: { userId: '<userId>' }, upsert: true },
      'guard-replaced',
    ],
    ['a value of the caller’s', together({ user: put, email: { op: 'put', entity: 'UserEmail' } }), 'untied'],
    ['another value', together({ user: put, email: { ...claim, item: { ...claim.item, email: '<mail>' } } }), 'untied'],
    ['a value that the owner has no longer', together({ user: leave, email: free }), 'stale'],
    ['a value it moved from before', together({ user: move, email: free, newEmail: claimNew }), 'stale'],
  ])('by %s', (_, pattern, cause) => {
    expect(causesOf(accounts({ signUp, pattern }))).toEqual([cause]);
  });

  test('for certain where an item is put beside the guard that is written over', () => {
    const pattern = together({ user: put, email: { ...claim, replace: true } });
    expect(findings(brokenGuard, accounts({ pattern }))).toMatchObject([
      { cause: 'guard-replaced', severity: 'error' },
    ]);
  });
});

describe('a guard is known', () => {
  const known = (design: TableDesign) =>
    guardsOf(subject(design)).map(({ guard, owner, values }) => [
      guard.name,
      owner.name,
      ...values.map(({ attribute }) => attribute),
    ]);

  test('by its name, where no transaction puts both', () => {
    expect(known(accounts({ put }))).toEqual([['UserEmail', 'User', 'email']]);
  });

  test('however its attributes are written', () => {
    const guard = {
      attributes: z.object({ user_email: z.email(), UserID: z.string() }),
      keys: { PK: 'EMAIL#<user_email>', SK: 'EMAIL' },
    };
    expect(known(accounts({}, guard))).toEqual([['UserEmail', 'User', 'email']]);
  });

  test('by what it is given, where it is for values of any kind', () => {
    const guard = {
      attributes: z.object({ kind: z.string(), value: z.string() }),
      keys: { PK: 'UNIQUE#<kind>#<value>', SK: 'UNIQUE' },
    };
    const of = (kind: string, value: string): TransactionStep => ({
      op: 'put',
      entity: 'UserEmail',
      item: { kind, value },
    });
    const signUp = together({ user: put, email: of('EMAIL', '<user.email>'), name: of('NAME', '<user.name>') });
    expect(known(accounts({ signUp }, guard))).toEqual([
      ['UserEmail', 'User', 'email'],
      ['UserEmail', 'User', 'name'],
    ]);
    expect(causesOf(accounts({ signUp }, guard))).toEqual(['ownerless', 'ownerless']);
  });

  test('that is no more than a key, which is noted', () => {
    const guard = { attributes: z.object({ email: z.email() }), keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } };
    const signUp = together({ user: put, email: { ...claim, item: { email: '<user.email>' } } });
    expect(findings(brokenGuard, accounts({ signUp }, guard))).toMatchObject([
      { cause: 'ownerless', severity: 'note' },
    ]);
    expect(check(accounts({ signUp }, guard))).toEqual([]);
  });

  test('as that of its owner, and not of others that have the same value', () => {
    const Profile = { attributes: User.attributes, keys: { PK: 'USER#<userId>', SK: 'PROFILE' } };
    const profile: TransactionStep = { op: 'put', entity: 'Profile' };
    const withProfile = (patterns: Record<string, PatternDesign>): TableDesign => {
      const { entities, ...rest } = accounts(patterns);
      return { ...rest, entities: { ...entities, Profile } };
    };
    const transactions = [together({ user: put, profile, email: claim }), together({ user: put, profile })];
    for (const signUp of transactions) expect(known(withProfile({ signUp }))).toEqual([['UserEmail', 'User', 'email']]);
  });

  test('in the systems that come along', () => {
    const guards = Object.values(systems).flatMap(({ tables }) =>
      Object.values<TableDesign>(tables).flatMap((table) => known(table)),
    );
    expect(guards).toEqual([
      ['UserEmail', 'User', 'email'],
      ['LikeGuard', 'Like', 'userId', 'postId'],
    ]);
  });
});

describe('what is no guard', () => {
  const Order = {
    attributes: z.object({ orderId: z.string(), customerId: z.string(), category: z.string(), email: z.email() }),
    keys: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
  };
  test.each<[string, string, EntityDesign]>([
    [
      'a parent',
      'Customer',
      {
        attributes: z.object({ customerId: z.string(), orderId: z.string() }),
        keys: { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' },
      },
    ],
    [
      'what has much of its own',
      'Category',
      {
        attributes: z.object({ category: z.string(), orderId: z.string(), title: z.string(), count: z.int() }),
        keys: { PK: 'CATEGORY#<category>', SK: 'CATEGORY' },
      },
    ],
    [
      'an edge',
      'OrderEmail',
      {
        attributes: z.object({ orderId: z.string(), email: z.email() }),
        keys: { PK: 'EMAIL#<email>', SK: 'ORDER#<orderId>' },
      },
    ],
    [
      'what only is to be there',
      'Category',
      { attributes: z.object({ category: z.string() }), keys: { PK: 'CATEGORY#<category>', SK: 'CATEGORY' } },
    ],
  ])('%s', (_, name, other) => {
    const place = together({
      order: { op: 'put', entity: 'Order' },
      other: { op: 'put', entity: name, replace: true },
    });
    const design: TableDesign = {
      name: 'shop',
      key: { partition: 'PK', sort: 'SK' },
      entities: { Order, [name]: other },
      patterns: { place, placeAlone: { op: 'put', entity: 'Order' } },
    };
    expect(causesOf(design)).toEqual([]);
  });

  test('on Azure, where no transaction spans partitions', () => {
    const design = accounts({ put });
    expect(check({ name: 's', cloud: 'azure', tables: { accounts: design } }).map(({ rule }) => rule)).not.toContain(
      'broken-guard',
    );
  });
});

test('thousands of guards are told from their owners in little time', () => {
  const many = (count: number): TableDesign => {
    const entities: Record<string, EntityDesign> = {};
    const patterns: Record<string, PatternDesign> = {};
    for (let i = 0; i < count; i++) {
      entities[`User${i}`] = { attributes: User.attributes, keys: { PK: `USER${i}#<userId>`, SK: 'USER' } };
      entities[`User${i}Email`] = { attributes: UserEmail.attributes, keys: { PK: `EMAIL${i}#<email>`, SK: 'EMAIL' } };
      patterns[`put${i}`] = { op: 'put', entity: `User${i}` };
    }
    return { name: 'accounts', key: { partition: 'PK', sort: 'SK' }, entities, patterns };
  };
  const timeOf = (count: number) => {
    const table = subject(many(count));
    const start = performance.now();
    const guards = guardsOf(table);
    return { guards, milliseconds: performance.now() - start };
  };
  const { guards, milliseconds } = timeOf(2_000);
  expect(milliseconds).toBeLessThan(2_000);
  // All have a userId and an email, and names tell whose guard it is.
  expect(guards.filter(({ guard, owner }) => guard.name === `${owner.name}Email`)).toHaveLength(2_000);
});

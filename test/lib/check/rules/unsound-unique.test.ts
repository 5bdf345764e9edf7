import { z } from 'zod';
import { check } from '../../../../lib/check';
import type { TableDesign } from '../../../../lib/design/table';
import { client, unique } from '../../../../lib/dynamodb';
import { members, membersTable } from '../../../fixtures/members';
import { changed } from '../../../support/changed';

type At = readonly [path: string, to: unknown];

function mutated(changes: readonly At[]): TableDesign {
  return changes.reduce((design, [path, to]) => changed(design, path.split('.'), to), membersTable as TableDesign);
}

/** Returns the findings for the fixture after the given changes. */
function findings(...changes: readonly At[]): readonly string[] {
  return check(mutated(changes)).map(({ rule, cause, path, fix }) => `${rule} ${cause} at ${path}: ${fix}`);
}

const SHAPE = { team: z.string(), id: z.string(), email: z.email(), badge: z.int().min(1).max(9999), name: z.string() };
const withAttributes = (more: z.core.$ZodLooseShape): At => [
  'entities.Member.attributes',
  z.object({ ...SHAPE, ...more }),
];
/** The fix for a `unique` whose value is optional in `Member`. */
const OWN_ENTITY =
  "replace the unique value with a separate entity, and put and delete its items yourself: MemberEmail: { attributes: z.object({ email: z.string(), team: z.string(), id: z.string() }), keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' } }";

const withKeys = (keys: object): At => ['entities.Member.unique.email', { keys }];

test('returns no findings for a sound design', () => {
  expect(check(members, { notes: true }).filter(({ guess }) => guess !== true)).toEqual([]);
});

describe('a faulty declaration', () => {
  const KEYS = 'entities.Member.unique.email.keys';
  test.each<[string, readonly At[], string]>([
    [
      'that covers an optional attribute',
      [withAttributes({ email: z.email().optional() })],
      `unsound-unique optional at ${KEYS}: make 'email' required, or ${OWN_ENTITY}`,
    ],
    [
      'that covers a nullable attribute',
      [withAttributes({ email: z.email().nullable() })],
      `unsound-unique optional at ${KEYS}: make 'email' required, or ${OWN_ENTITY}`,
    ],
    [
      'that covers an optional attribute that a pattern removes',
      [
        withAttributes({ email: z.email().optional() }),
        ['patterns.moveEmail.set', undefined],
        ['patterns.moveEmail.remove', ['email']],
      ],
      `unsound-unique optional at ${KEYS}: ${OWN_ENTITY}`,
    ],
    [
      'that covers a list',
      [withAttributes({ email: z.array(z.string()) })],
      `unsound-unique inside at ${KEYS}: store the value in a separate attribute: email: z.string()`,
    ],
    [
      'that covers a whole map',
      [withAttributes({ email: z.object({ address: z.email() }) })],
      `unsound-unique inside at ${KEYS}: store the value in a separate attribute: email: z.string()`,
    ],
    [
      'that covers a set',
      [withAttributes({ email: z.set(z.string()) })],
      `unsound-unique inside at ${KEYS}: store the value in a separate attribute: email: z.string()`,
    ],
    [
      'that covers a value inside a map',
      [
        withAttributes({ mail: z.object({ address: z.email() }) }),
        withKeys({ PK: 'EMAIL#<mail.address>', SK: 'EMAIL' }),
      ],
      `unsound-unique inside at ${KEYS}: store the value in a separate attribute: address: z.string()`,
    ],
    [
      'that covers an undeclared attribute of an open entity',
      [['entities.Member.attributes', z.looseObject(SHAPE)], withKeys({ PK: 'EMAIL#<mail>', SK: 'EMAIL' })],
      `unsound-unique open at ${KEYS}: write <email>, or add mail: z.string() to the attributes`,
    ],
    [
      'whose guard can have the same key as an item of another entity',
      [withKeys({ PK: 'LOGIN#<email>', SK: 'LOGIN' })],
      `key-collision two-entities at ${KEYS}.SK: write SK: 'EMAIL'`,
    ],
    [
      'that renders the same key as another declaration',
      [withKeys({ PK: 'BADGE#<team>#<id>', SK: 'BADGE' })],
      `key-collision two-entities at ${KEYS}.SK: write SK: 'EMAIL'`,
    ],
    [
      'that renders the same key as a declaration of the same name in another entity',
      [
        ['entities.Login.unique.email', { keys: { PK: 'EMAIL#<phone>', SK: 'EMAIL' }, owner: ['person'] }],
        withKeys({ PK: 'EMAIL#<email>', SK: 'EMAIL' }),
      ],
      `key-collision two-entities at entities.Login.unique.email.keys.SK: write SK: 'LOGIN_EMAIL'`,
    ],
    ['without the sort key', [withKeys({ PK: 'EMAIL#<email>' })], `incomplete-key missing at ${KEYS}: add SK: 'EMAIL'`],
    [
      'whose guard a query would return',
      [withKeys({ PK: 'TEAM#<team>', SK: 'MEMBER#MAIL#<email>' })],
      "pattern-pollution same-range at patterns.members.where: give 'SK' a distinct prefix in the keys of the unique value",
    ],
    [
      'whose key has no parts',
      [withKeys({ PK: 'EMAIL', SK: 'EMAIL' })],
      `unsound-unique constant at ${KEYS}: put the unique attribute into the key: 'EMAIL#<email>'`,
    ],
    [
      'with an index key',
      [withKeys({ PK: 'EMAIL#<email>', SK: 'EMAIL', GSI1PK: 'EMAIL' })],
      `unsound-unique stray-key at ${KEYS}.GSI1PK: write keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' }`,
    ],
    [
      'that is not a template',
      [withKeys({ PK: 'EMAIL#<email', SK: 'EMAIL' })],
      `template-syntax unclosed at ${KEYS}.PK: write literal text and attributes, such as 'POST#<postId>'`,
    ],
  ])('reports one finding for a declaration %s', (_, changes, expected) => {
    expect(findings(...changes)).toEqual([expected]);
  });
});

describe('a faulty write', () => {
  test.each<[string, At, string, (() => Promise<unknown>)?]>([
    [
      'deletes an item without knowing its unique values',
      ['patterns.leave.condition', undefined],
      "unpinned at patterns.leave.condition: write condition: { email: '<formerEmail>', badge: '<formerBadge>' }",
    ],
    [
      'changes a unique value, but lets the caller omit the former value',
      ['patterns.moveEmail.condition', { email: '<formerEmail?>' }],
      "unpinned at patterns.moveEmail.condition: write condition: { email: '<formerEmail>' }",
    ],
    [
      'does not identify the owner of the former value',
      ['patterns.changePhone.condition', { phone: '<formerPhone>' }],
      "unpinned at patterns.changePhone.condition: add to 'condition': person: '<formerPerson>'",
    ],
    [
      'removes the value',
      ['patterns.moveEmail', { ...membersTable.patterns.moveEmail, set: undefined, remove: ['email'] }],
      `removed at patterns.moveEmail.remove: do not remove 'email'; if 'email' is optional, ${OWN_ENTITY}`,
    ],
    [
      'replaces items',
      ['patterns.join.replace', true],
      "replace at patterns.join.replace: remove 'replace', and change items with an update",
    ],
    [
      'copies another attribute into the value',
      ['patterns.moveEmail.set', { email: { attribute: 'name' } }],
      "computed at patterns.moveEmail.set: set a value from the caller: set: { email: '<email>' }",
    ],
    [
      'changes the owner',
      ['patterns.changePhone.set', { person: '<next>' }],
      "owner-changed at patterns.changePhone.set: delete the Login, and put it again with the new 'person'",
    ],
    [
      'returns the item',
      ['patterns.leave.returns', 'old'],
      "returns at patterns.leave.returns: remove 'returns', and read the item with a get",
    ],
    [
      'is a batch',
      [
        'patterns.joinAll',
        { op: 'batchWrite', steps: { all: { op: 'put', entity: 'Member', each: 'all', replace: true } } },
      ],
      "batch at patterns.joinAll.steps.all: use a put or a delete of one Member, or a transaction with each: '…'",
    ],
  ])('the check reports that a pattern %s, and the client refuses to send it', async (_, change, expected) => {
    expect(findings(change)).toEqual([`unsound-unique ${expected}`]);
    const pattern = (change[0].split('.') as [string, string])[1];
    const send = () => Promise.reject(new Error('sent'));
    const all = client(mutated([change]), 'members', send, { unique }) as unknown as Record<
      string,
      (values: object) => Promise<unknown>
    >;
    await expect(all[pattern]?.({ all: [] })).rejects.toThrow('run the check, which says why');
  });

  test('proposes a put instead of an upsert, because an upsert may create the item', () => {
    const change: At = ['patterns.moveEmail.upsert', true];
    expect(findings(change)).toContainEqual(
      "unsound-unique upsert at patterns.moveEmail.upsert: remove 'upsert', and create the Member with a put",
    );
  });
});

describe('a release', () => {
  const WHERE = 'patterns.freePhone.where';
  const line = "write where: { phone: '<phone>', person: '<person>' }";

  test.each([
    ['without the owner', { phone: '<phone>' }, "'person' is missing"],
    ['with an optional value', { phone: '<phone?>', person: '<person>' }, "'phone' is not a plain parameter"],
    ['with another attribute', { phone: '<phone>', person: '<person>', loginId: '<loginId>' }, "'loginId' is neither"],
  ])('the check reports a release %s, and the client refuses to send it', async (_, where, what) => {
    const change: At = [WHERE, where];
    const [found] = check(mutated([change])).filter(({ rule }) => rule === 'unsound-unique');
    expect(found).toMatchObject({ cause: 'release', path: WHERE, fix: line });
    expect(found?.message).toContain(what);
    const send = () => Promise.reject(new Error('sent'));
    const all = client(mutated([change]), 'members', send, { unique }) as unknown as Record<
      string,
      (values: object) => Promise<unknown>
    >;
    await expect(all.freePhone?.({})).rejects.toThrow('run the check, which says what to write');
  });

  test('reports a release of a `unique` that the entity does not have', () => {
    expect(findings(['patterns.dropLastLogin.steps.phone.unique', 'phnoe'])).toEqual([
      'unsound-unique no-such-unique at patterns.dropLastLogin.steps.phone.unique: write phone, or declare the unique value in Login: unique: { phnoe: { keys: { … } } }',
    ]);
  });
});

describe('a `find`', () => {
  test('reports a `find` by a `unique` that the entity does not have', () => {
    expect(findings(['patterns.memberByEmail.unique', 'emial'])).toEqual([
      'unsound-unique no-such-unique at patterns.memberByEmail.unique: write email, or declare the unique value in Member: unique: { emial: { keys: { … } } }',
    ]);
  });

  test('reports a `find` by a value that several items can share', () => {
    expect(findings(['patterns.byPhone', { op: 'find', unique: 'phone', returns: ['Login'] }])).toEqual([
      "unsound-unique not-one-item at patterns.byPhone.unique: query an index by 'phone' instead, or remove 'owner' from 'unique'",
    ]);
  });
});

describe('the proposed line', () => {
  const where = { PK: 'THREAD#<thread>', no: '<no>' };
  const numbered = (key: TableDesign['key'], keys: object, SK: object): TableDesign => ({
    name: 'threads',
    key,
    entities: {
      Message: {
        attributes: z.object({ thread: z.string(), no: z.int().min(0), slug: z.string() }),
        keys: { PK: 'THREAD#<thread>', ...keys },
        unique: { slug: { keys: { PK: 'SLUG#<slug>', ...SK } } },
      },
    },
    patterns: {
      write: { op: 'put', entity: 'Message' },
      message: { op: 'get', where: key.sort === 'no' ? where : { PK: where.PK, SK: '<no:10>' }, returns: ['Message'] },
    },
  });
  const fix =
    "use a string that sorts like the number: key: { partition: 'PK', sort: 'SK' }, SK: '<no:10>' in the keys of Message, and SK: 'SLUG' in the keys of the unique value";

  test.each([
    ['text', { no: 'SLUG' }],
    ['a number as text', { no: '0' }],
    ['the number itself', { no: '<no>' }],
    ['missing', {}],
    ['under another name', { SK: 'SLUG' }],
  ])("proposes storing a numeric sort key as a string if the guard's sort key is %s", (_, SK) => {
    const found = check(numbered({ partition: 'PK', sort: 'no' }, {}, SK));
    expect(found.map(({ rule, cause, fix }) => [rule, cause, fix])).toEqual([['unsound-unique', 'number-key', fix]]);
    expect(check(numbered({ partition: 'PK', sort: 'SK' }, { SK: '<no:10>' }, { SK: 'SLUG' }))).toEqual([]);
  });

  test('the separate entity that the check proposes for an optional unique value passes the check', () => {
    const own = {
      attributes: z.object({ email: z.string(), team: z.string(), id: z.string() }),
      keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' },
    };
    const email = { PK: 'EMAIL#<email>', SK: 'EMAIL' };
    const changes: At[] = [
      withAttributes({ email: z.email().optional() }),
      ['entities.Member.unique', { badge: membersTable.entities.Member.unique.badge }],
      ['entities.MemberEmail', own],
      ['patterns.memberByEmail', { op: 'get', where: email, returns: ['MemberEmail'] }],
      [
        'patterns.dropEmail',
        {
          op: 'transaction',
          steps: {
            member: { ...membersTable.patterns.moveEmail, set: undefined, remove: ['email'] },
            email: { op: 'delete', entity: 'MemberEmail', where: { PK: 'EMAIL#<formerEmail>', SK: 'EMAIL' } },
          },
        },
      ],
      ['patterns.addEmail', { op: 'put', entity: 'MemberEmail' }],
    ];
    expect(findings(...changes)).toEqual([]);
  });
});

test('warns about items that expire and leave their guards behind', () => {
  const found = findings(['ttl', 'until'], withAttributes({ until: z.int() }));
  expect(found).toContainEqual(expect.stringContaining('unsound-unique expires at entities.Member.unique.email.keys'));
});

test('reports each `unique` only once on Azure, which does not support `unique`', () => {
  const all = check({ ...members, cloud: 'azure' });
  expect(all.filter(({ cause }) => cause === 'no-unique')).toEqual([]);
  const found = all.filter(({ rule }) => rule === 'unsound-unique');
  expect(found.map(({ cause, message }) => [cause, message])).toEqual(
    Array(3).fill([
      'azure',
      'a guard is in a separate partition, but an Azure Tables transaction is limited to one partition',
    ]),
  );
});

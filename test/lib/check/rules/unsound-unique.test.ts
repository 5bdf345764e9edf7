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

/** The findings of the fixture after these changes. */
function findings(...changes: readonly At[]): readonly string[] {
  return check(mutated(changes)).map(({ rule, cause, path, fix }) => `${rule} ${cause} at ${path}: ${fix}`);
}

const SHAPE = { team: z.string(), id: z.string(), email: z.email(), badge: z.int().min(1).max(9999), name: z.string() };
const withAttributes = (more: z.core.$ZodLooseShape): At => [
  'entities.Member.attributes',
  z.object({ ...SHAPE, ...more }),
];
const withKeys = (keys: object): At => ['entities.Member.unique.email', { keys }];

test('finds nothing in a sound design', () => {
  expect(check(members, { notes: true }).filter(({ guess }) => guess !== true)).toEqual([]);
});

describe('reports one finding for a declaration', () => {
  const KEYS = 'entities.Member.unique.email.keys';
  test.each<[string, readonly At[], string]>([
    [
      'over an optional attribute',
      [withAttributes({ email: z.email().optional() })],
      `incomplete-key optional-part at ${KEYS}.PK: make the attribute required`,
    ],
    [
      'over a list',
      [withAttributes({ email: z.array(z.string()) })],
      `unkeyable list at ${KEYS}.PK: use a string or a number instead of it`,
    ],
    [
      'over a set',
      [withAttributes({ email: z.set(z.string()) })],
      `unsound-unique inside at ${KEYS}: keep the value in an attribute of its own: email: z.string()`,
    ],
    [
      'over a value inside a map',
      [
        withAttributes({ mail: z.object({ address: z.email() }) }),
        withKeys({ PK: 'EMAIL#<mail.address>', SK: 'EMAIL' }),
      ],
      `unsound-unique inside at ${KEYS}: keep the value in an attribute of its own: address: z.string()`,
    ],
    [
      'over an attribute that an open entity may have',
      [['entities.Member.attributes', z.looseObject(SHAPE)], withKeys({ PK: 'EMAIL#<mail>', SK: 'EMAIL' })],
      `unsound-unique open at ${KEYS}: add mail: z.string() to the attributes, or write email, or add it to the design`,
    ],
    [
      'whose guard has the keys of another entity',
      [withKeys({ PK: 'LOGIN#<email>', SK: 'LOGIN' })],
      `key-collision two-entities at ${KEYS}.SK: write SK: 'EMAIL'`,
    ],
    [
      'that renders the same key as another',
      [withKeys({ PK: 'BADGE#<team>#<id>', SK: 'BADGE' })],
      `key-collision two-entities at entities.Member.unique.badge.keys.SK: write SK: 'BADGE'`,
    ],
    [
      'whose guard a query would meet',
      [withKeys({ PK: 'TEAM#<team>', SK: 'MEMBER#MAIL#<email>' })],
      'pattern-pollution same-range at patterns.members.where: begin SK of the unique with text of its own',
    ],
    [
      'without a part',
      [withKeys({ PK: 'EMAIL', SK: 'EMAIL' })],
      `unsound-unique constant at ${KEYS}: write the attribute that is unique: 'EMAIL#<email>'`,
    ],
    [
      'with the key of an index',
      [withKeys({ PK: 'EMAIL#<email>', SK: 'EMAIL', GSI1PK: 'EMAIL' })],
      `unsound-unique stray-key at ${KEYS}.GSI1PK: write keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' }`,
    ],
    [
      'that is not a template',
      [withKeys({ PK: 'EMAIL#<email', SK: 'EMAIL' })],
      `template-syntax unclosed at ${KEYS}.PK: write literal text and attributes, such as 'POST#<postId>'`,
    ],
  ])('%s', (_, changes, expected) => {
    expect(findings(...changes)).toEqual([expected]);
  });
});

describe('gives the line to write for a write that', () => {
  test.each<[string, At, string, (() => Promise<unknown>)?]>([
    [
      'deletes without saying which values the item has',
      ['patterns.leave.condition', undefined],
      "unpinned at patterns.leave.condition: write condition: { email: '<formerEmail>', badge: '<formerBadge>' }",
    ],
    [
      'changes the value, and lets the caller leave out the former one',
      ['patterns.moveEmail.condition', { email: '<formerEmail?>' }],
      "unpinned at patterns.moveEmail.condition: write condition: { email: '<formerEmail>' }",
    ],
    [
      'does not know the owner of the value',
      ['patterns.changePhone.condition', { phone: '<formerPhone>' }],
      "unpinned at patterns.changePhone.condition: write condition: { person: '<formerPerson>' }",
    ],
    [
      'replaces items',
      ['patterns.join.replace', true],
      'replace at patterns.join.replace: leave out replace, and change items with an update',
    ],
    [
      'sets the value to another attribute',
      ['patterns.moveEmail.set', { email: { attribute: 'name' } }],
      "computed at patterns.moveEmail.set: set it to a value that the caller gives: set: { email: '<email>' }",
    ],
    [
      'changes the owner',
      ['patterns.changePhone.set', { person: '<next>' }],
      'owner-changed at patterns.changePhone.set: delete the Login, and put it again under the new person',
    ],
    [
      'returns the item',
      ['patterns.leave.returns', 'old'],
      'returns at patterns.leave.returns: leave out returns, and read the item with a get',
    ],
    [
      'is a batch',
      [
        'patterns.joinAll',
        { op: 'batchWrite', steps: { all: { op: 'put', entity: 'Member', each: 'all', replace: true } } },
      ],
      "batch at patterns.joinAll.steps.all: write a put or a delete of one Member, or a transaction with each: '…'",
    ],
  ])('%s, and refuses its request', async (_, change, expected) => {
    expect(findings(change)).toEqual([`unsound-unique ${expected}`]);
    const pattern = (change[0].split('.') as [string, string])[1];
    const send = () => Promise.reject(new Error('sent'));
    const all = client(mutated([change]), 'members', send, { unique }) as unknown as Record<
      string,
      (values: object) => Promise<unknown>
    >;
    await expect(all[pattern]?.({ all: [] })).rejects.toThrow('run the check, which says why');
  });

  test('may create the item', () => {
    const change: At = ['patterns.moveEmail.upsert', true];
    expect(findings(change)).toContainEqual(
      'unsound-unique upsert at patterns.moveEmail.upsert: leave out upsert, and create the Member with a put',
    );
  });
});

describe('reports a release', () => {
  const WHERE = 'patterns.freePhone.where';
  const line = "write where: { phone: '<phone>', person: '<person>' }";

  test.each([
    ['without the owner', { phone: '<phone>' }, "'person' is missing"],
    [
      'with a value that may be left out',
      { phone: '<phone?>', person: '<person>' },
      "'phone' is not a plain parameter",
    ],
    ['with another attribute', { phone: '<phone>', person: '<person>', loginId: '<loginId>' }, "'loginId' is neither"],
  ])('%s, and refuses its request', async (_, where, what) => {
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

  test('reports a release of a unique that the entity does not have', () => {
    expect(findings(['patterns.dropLastLogin.steps.phone.unique', 'phnoe'])).toEqual([
      'unsound-unique no-such-unique at patterns.dropLastLogin.steps.phone.unique: write phone, or declare it in Login: unique: { phnoe: { keys: { … } } }',
    ]);
  });
});

describe('reports a find', () => {
  test('reports a find of a unique that the entity does not have', () => {
    expect(findings(['patterns.memberByEmail.unique', 'emial'])).toEqual([
      'unsound-unique no-such-unique at patterns.memberByEmail.unique: write email, or declare it in Member: unique: { emial: { keys: { … } } }',
    ]);
  });

  test('reports a find of a value that several items share', () => {
    expect(findings(['patterns.byPhone', { op: 'find', unique: 'phone', returns: ['Login'] }])).toEqual([
      'unsound-unique not-one-item at patterns.byPhone.unique: query an index by phone instead, or leave owner out of the unique',
    ]);
  });
});

test('warns of items that expire and leave their guards behind', () => {
  const found = findings(['ttl', 'until'], withAttributes({ until: z.int() }));
  expect(found).toContainEqual(expect.stringContaining('unsound-unique expires at entities.Member.unique.email.keys'));
});

test('refuses a unique on Azure, with the reason', () => {
  const found = check({ ...members, cloud: 'azure' }).filter(({ rule }) => rule === 'unsound-unique');
  expect(found.map(({ cause, message }) => [cause, message])).toEqual(
    Array(3).fill([
      'azure',
      'a guard is in a partition of its own, but a transaction of Azure Tables is limited to one partition',
    ]),
  );
});

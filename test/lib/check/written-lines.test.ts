import { z } from 'zod';
import { check } from '../../../lib/check';
import type { EntityDesign, TableDesign } from '../../../lib/index';

type Entities = TableDesign['entities'];
type Patterns = NonNullable<TableDesign['patterns']>;

const table = (entities: Entities, patterns: Patterns): TableDesign => ({
  name: 'things',
  key: { partition: 'PK', sort: 'SK' },
  entities,
  patterns,
});

const USER = { PK: 'USER#<userId>', SK: 'USER' };
const users: Patterns = {
  getUser: { op: 'get', where: USER, returns: ['User'] },
  putUser: { op: 'put', entity: 'User' },
};
const EMAIL = { email: { keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' } } };
const withUser = (attributes: z.ZodObject, rest: Partial<EntityDesign>, patterns: Patterns = {}): TableDesign =>
  table({ User: { attributes, keys: USER, ...rest } }, { ...users, ...patterns });
const user = (email: object = {}) => z.object({ userId: z.string(), ...email });

const named = user({ name: z.string(), sortName: z.string() });
const computed: Partial<EntityDesign> = { computed: { sortName: '<name:lower>' } };
const rename = (set: Readonly<Record<string, string>>): Patterns => ({
  rename: { op: 'update', entity: 'User', where: USER, set },
});
const made = (item: Readonly<Record<string, string>>): Patterns => ({ putUser: { op: 'put', entity: 'User', item } });

const PRODUCT = { PK: 'PRODUCT#<isbn>', SK: 'PRODUCT' };
const products = (...members: readonly z.ZodObject[]): TableDesign =>
  table(
    { Product: { attributes: z.discriminatedUnion('kind', members as never) as never, keys: PRODUCT } },
    { getProduct: { op: 'get', where: PRODUCT, returns: ['Product'] }, putProduct: { op: 'put', entity: 'Product' } },
  );
const kind = (name: string, attributes: object) => z.object({ kind: z.literal(name), ...attributes });

const TAG = { PK: 'POST#<postId>', SK: 'TAG#<tag>' };
const tagging = (step: object, pattern: object): TableDesign =>
  table(
    { Tag: { attributes: z.object({ postId: z.string(), tag: z.string() }), keys: TAG } },
    {
      tagsOf: { op: 'query', where: { PK: 'POST#<postId>', SK: { beginsWith: 'TAG#' } }, returns: ['Tag'] },
      tagAll: {
        op: 'transaction',
        steps: { tags: { op: 'put', entity: 'Tag', each: 'tags', ...step } },
        ...pattern,
      } as Patterns[string],
    },
  );

/** Evaluates code from a message as the body of an object literal. */
const fields = (code: string): Readonly<Record<string, never>> => new Function('z', `return { ${code} }`)(z);

interface Mistake {
  readonly name: string;
  readonly design: TableDesign;
  readonly finding: string;
  /** Matches the proposed line in the text of a fix. */
  readonly line: RegExp;
  /** Applies the proposed line to the design. */
  readonly mended: (written: string) => TableDesign;
}

const mails = (mail: string): TableDesign =>
  withUser(user({ email: z.string(), mail: z.string() }), {
    unique: {
      email: { keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } },
      mail: { keys: { PK: 'EMAIL#<mail>', SK: mail } },
    },
  });
const overlapping = (SK: string): TableDesign =>
  withUser(user({ email: z.string() }), { unique: { email: { keys: { PK: 'USER#<email>', SK } } } });

const mistakes: readonly Mistake[] = [
  {
    name: 'a `unique` that covers an optional attribute, which becomes required',
    design: withUser(user({ email: z.string().optional() }), { unique: EMAIL }),
    finding: 'unsound-unique/optional',
    line: /^make '(email)' required/,
    mended: (name) => withUser(user({ [name]: z.string() }), { unique: EMAIL }),
  },
  {
    name: 'a `unique` that covers an optional attribute, which moves to a separate entity',
    design: withUser(user({ email: z.string().optional() }), { unique: EMAIL }),
    finding: 'unsound-unique/optional',
    line: /replace the unique value with a separate entity, and put and delete its items yourself: (.*)$/,
    mended: (code) => {
      const { User, ...patterns } = { User: user({ email: z.string().optional() }), ...users };
      const [[name, entity]] = Object.entries(fields(code)) as unknown as [[string, EntityDesign]];
      return table(
        { User: { attributes: User, keys: USER }, [name]: entity },
        {
          ...patterns,
          claim: { op: 'put', entity: name },
          ownerOf: { op: 'get', where: entity.keys as typeof USER, returns: [name] },
        },
      );
    },
  },
  {
    name: 'a `unique` that covers a list',
    design: withUser(user({ email: z.array(z.string()) }), { unique: EMAIL }),
    finding: 'unsound-unique/inside',
    line: /in a separate attribute: (.*)$/,
    mended: (code) => withUser(user(fields(code)), { unique: EMAIL }),
  },
  {
    name: 'a `unique` that covers an attribute that an open entity does not declare',
    design: withUser(z.looseObject({ userId: z.string() }), { unique: EMAIL }),
    finding: 'unsound-unique/open',
    line: /^add (.*) to the attributes$/,
    mended: (code) => withUser(z.looseObject({ userId: z.string(), ...fields(code) }), { unique: EMAIL }),
  },
  {
    name: 'two `unique` declarations that render the same key',
    design: mails('EMAIL'),
    finding: 'key-collision/two-entities',
    line: /^write SK: '(.*)'$/,
    mended: mails,
  },
  {
    name: 'a guard that can have the same key as an item of its entity',
    design: overlapping('USER'),
    finding: 'key-collision/two-entities',
    line: /^write SK: '(.*)'$/,
    mended: overlapping,
  },
  {
    name: 'a computed attribute that an update sets',
    design: withUser(named, computed, rename({ name: '<name>', sortName: '<sortName>' })),
    finding: 'unsound-written/by-hand',
    line: /^remove '(sortName)' from 'set'$/,
    mended: (name) => {
      const { [name]: _, ...set } = { name: '<name>', sortName: '<sortName>' } as Record<string, string>;
      return withUser(named, computed, rename(set));
    },
  },
  {
    name: 'a computed attribute that a put sets',
    design: withUser(named, computed, made({ userId: '<userId>', name: '<name>', sortName: '<name>' })),
    finding: 'unsound-written/by-hand',
    line: /^remove '(sortName)' from 'item'$/,
    mended: (name) => {
      const { [name]: _, ...item } = { userId: '<userId>', name: '<name>', sortName: '<name>' } as Record<
        string,
        string
      >;
      return withUser(named, computed, made(item));
    },
  },
  {
    name: 'a chunked step inside a transaction',
    design: tagging({ atomic: false }, {}),
    finding: 'refused-request/chunked-step',
    line: /^move (atomic: false) from the step to the transaction itself/,
    mended: (code) => tagging({}, fields(code)),
  },
  {
    name: 'a union with a member that lacks a part of the key',
    design: products(kind('book', { isbn: z.string() }), kind('film', { title: z.string() })),
    finding: 'unsound-union/key-lacks',
    line: /^add '(isbn)' to that member/,
    mended: (name) => {
      const part = { [name]: z.string() };
      return products(kind('book', part), kind('film', { title: z.string(), ...part }));
    },
  },
  {
    name: 'a union whose members disagree on a part of the key',
    design: products(kind('book', { isbn: z.string() }), kind('film', { isbn: z.int() })),
    finding: 'unsound-union/key-differs',
    line: /^declare 'isbn' once, and use it in every member: const (isbn) = /,
    mended: (name) => {
      const part = { [name]: z.string() };
      return products(kind('book', part), kind('film', part));
    },
  },
];

const foundIn = (design: TableDesign) => check(design).filter(({ severity }) => severity !== 'note');

test.each(mistakes)('applying the proposed line resolves the only finding: $name', (mistake) => {
  const found = foundIn(mistake.design);
  expect(found.map(({ rule, cause }) => `${rule}/${cause}`)).toEqual([mistake.finding]);
  const [, written] = mistake.line.exec(found[0]?.fix ?? '') ?? [];
  expect(written).toBeDefined();
  expect(foundIn(mistake.mended(written as string))).toEqual([]);
});

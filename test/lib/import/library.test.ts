// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the library's own templates
import { item, PutItemCommand, string, Table, Entity as ToolboxEntity } from 'dynamodb-toolbox';
import { Entity } from 'electrodb';
import { outline } from '../../../lib/blueprint/outline';
import { check } from '../../../lib/check';
import type { TableDesign } from '../../../lib/design/table';
import { plainItem } from '../../../lib/dynamodb/attribute-values';
import type { Description } from '../../../lib/import/description';
import { fromElectroDb } from '../../../lib/import/electrodb';
import { fromOneTable } from '../../../lib/import/onetable';
import { sourceOf } from '../../../lib/import/source';
import { fromToolbox } from '../../../lib/import/toolbox';
import { verified } from '../../../lib/import/verify';
import { type Item, makeItem } from '../../../lib/items/item';
import { blog } from '../../fixtures/models/electrodb';
import { employee, task } from '../../fixtures/models/electrodb-staff';
import { table as accounts } from '../../fixtures/models/onetable';
import { table as people } from '../../fixtures/models/onetable-people';
import { Order, Visit } from '../../fixtures/models/toolbox';
import { Gym, Pokemon } from '../../fixtures/models/toolbox-arena';
import { loadedTable } from '../../support/imported';

async function read(description: Promise<Description>) {
  const { text, unsure } = sourceOf(verified(await description));
  const design = loadedTable(text);
  expect(check(design).filter(({ severity }) => severity === 'error')).toEqual([]);
  const keys = Object.fromEntries(Object.entries(design.entities).map(([name, entity]) => [name, entity.keys]));
  return { text, unsure, design, keys };
}

/** Returns the item that the generated design stores for the given values. */
function made(design: TableDesign, entity: string, values: object): Item {
  const table = outline(design);
  const found = table.entities.find(({ name }) => name === entity);
  if (found === undefined) throw new Error(`there is no ${entity}`);
  return makeItem(table, found, values);
}

describe('an ElectroDB service', () => {
  const post = {
    postId: 'P-9',
    authorId: 'Zoë',
    created: 1_767_225_600_123,
    status: 'live',
    title: 'A Title',
  } as const;

  test('an ElectroDB service becomes a design whose keys are identical, byte for byte', async () => {
    const { design, keys, unsure } = await read(fromElectroDb([blog], 'blog.ts'));
    expect(keys).toEqual({
      Post: {
        PK: '$blog#postid_<postId:lower>',
        SK: '$post_1',
        GSI1PK: '$blog#authorid_<authorId:lower>',
        GSI1SK: '$authored#created_<created:13>#status_<status>#post_1',
      },
      Author: {
        PK: 'AUTHOR#<authorId>',
        SK: '<region>|PROFILE',
        GSI1PK: '$blog#authorid_<authorId:lower>',
        GSI1SK: '$authored#author_2',
      },
    });
    expect(unsure).toHaveLength(0);
    expect(design.entities.Post?.stored).toEqual({ title: 't' });
    // The design stores the same items as ElectroDB, including ElectroDB's own attributes, so ElectroDB can read them.
    expect(made(design, 'Post', post)).toEqual(blog.entities.post.put(post).params<{ Item: Item }>().Item);
    const author = { authorId: 'Zoë', email: 'z@X.org', region: 'EU' };
    expect(made(design, 'Author', author)).toEqual(blog.entities.author.put(author).params<{ Item: Item }>().Item);
    expect(Object.keys(design.patterns ?? {})).toEqual(
      expect.arrayContaining(['getPost', 'createPost', 'authored', 'byId']),
    );
  });

  test('a design generated from an ElectroDB service has a comment on each feature without an equivalent', async () => {
    const odd = new Entity(
      {
        model: { entity: 'odd', version: '1', service: 'odd' },
        attributes: {
          id: { type: 'string', required: true },
          region: { type: 'string', required: true },
          slug: { type: 'string', set: (value?: string) => value?.trim(), validate: (value: string) => value !== '' },
          at: { type: 'string', default: () => 'now' },
        },
        indexes: {
          byId: { pk: { field: 'PK', composite: ['id'] } },
          byRegion: {
            ...{ index: 'GSI1', condition: () => true },
            pk: { field: 'GSI1PK', composite: ['region'], casing: 'upper' },
          },
        },
      } as const,
      { table: 'odd' },
    );
    const { text, keys } = await read(fromElectroDb([odd], 'odd.ts'));
    expect(keys).toEqual({ Odd: { PK: '$odd$odd_1#id_<id:lower>', GSI1PK: '$ODD$ODD_1#REGION_<region:upper>' } });
    for (const remark of [
      'set() changes the value before a write; in this design, the caller must change it',
      'a function validates this attribute',
      "the attribute's default is a function; in this design, the caller must provide the value",
      'a function decides whether an item is in the index',
    ])
      expect(text).toContain(`// unsure: ${remark}`);
  });

  test('a design generated from an ElectroDB service keeps casing, padding, scopes and nested collections in its keys', async () => {
    const { design, keys, text } = await read(fromElectroDb([employee, task], 'staff.ts'));
    expect(keys.Employee).toMatchObject({
      gsi1pk: '$STAFF#OFFICE_<office:upper>',
      gsi1sk: '$workplaces#employee_3#team_<team>#title_<title>#employee_<employee>',
      gsi2sk: '$employee_3#datehired_<dateHired:lower>#title_<title:lower>',
      gsi4sk: 's#<salary:9>#end',
    });
    expect(keys.Task).toMatchObject({
      pk: '$taskapp_sc#task_<task:lower>',
      gsi3sk: '$assignments#project_<project:lower>#status_<status>#task_1',
    });
    const values = { task: 'T-1', project: 'P', employee: 'Zoë', status: 'closed' } as const;
    expect(made(design, 'Task', values)).toEqual(task.put(values).params<{ Item: Item }>().Item);
    // A key with a boolean cannot have a template, so the caller passes the whole key.
    expect(text).toMatch(/unsure: the other attributes do not explain the form of these values.*\n +gsi3sk: z\.string/);
    expect(text).not.toContain('items do not fit');
  });

  test('refuses a module that exports no ElectroDB entities', async () => {
    await expect(fromElectroDb([{}, 1], 'x.ts')).rejects.toThrow("'x.ts' exports no ElectroDB Entity or Service");
  });
});

describe('dynamodb-toolbox entities', () => {
  test('dynamodb-toolbox entities become a design whose keys are identical, byte for byte', async () => {
    const { design, keys, unsure } = await read(fromToolbox([Order, Visit], 'shop.ts', PutItemCommand));
    expect(keys).toEqual({
      Order: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>', GSI1PK: 'STATUS#<status>', GSI1SK: '<placedAt>' },
      Visit: { PK: 'CUSTOMER#<customerId:lower>', SK: 'VISIT#<number:6>' },
    });
    expect(design.entities.Order?.keyOnly).toEqual(['customerId', 'orderId']);
    expect(design.entities.Order?.stored).toEqual({ note: 'n' });
    expect(unsure).toHaveLength(0);
    const order = {
      customerId: 'Zoë 1',
      orderId: 'o-2',
      placedAt: '2026-01-31',
      total: 7,
      lines: [{ sku: 'a', quantity: 1 }],
    };
    const { _ct, _md, ...stored } = Order.build(PutItemCommand)
      .item({ ...order, note: 'x' })
      .params().Item as Item;
    expect(made(design, 'Order', { ...order, note: 'x' })).toEqual(stored);
    const visit = { customerId: 'Zoë', number: 123_456, page: '/' };
    expect(made(design, 'Visit', visit)).toEqual(Visit.build(PutItemCommand).item(visit).params().Item);
  });
});

test('a design generated from dynamodb-toolbox entities keeps names inside maps, numeric keys, and the delimiters of prefixes', async () => {
  const { design, keys } = await read(fromToolbox([Pokemon, Gym], 'arena.ts', PutItemCommand));
  expect(keys).toEqual({
    Pokemon: { PK: 'TRAINER#<trainerId>', SK: 'POKEMON:<pokemonId>', GSI1PK: 'TYPE#<type>', LSK: '<local>' },
    Gym: { PK: 'CITY#<city:upper>', SK: 'GYM#<gymId:5>' },
  });
  expect(design.entities.Pokemon?.stored).toEqual({ name: 'nm', level: 'GSI1SK' });
  const given = { trainerId: 'Zoë', pokemonId: 'p:1', name: 'Pi', type: 'fire', local: 'x' };
  const { _ct, _md, ...stored } = Pokemon.build(PutItemCommand)
    .item({ ...given, level: 7, stats: { hp: 1, att: 2 } })
    .params().Item as Item;
  expect(made(design, 'Pokemon', { ...given, level: 7, stats: { hp: 1, a: 2 } })).toEqual(stored);
});

test('a dynamodb-toolbox key that is computed at run time becomes a separate attribute, marked as unsure', async () => {
  const table = new Table({
    name: 'odd',
    partitionKey: { name: 'PK', type: 'string' },
    indexes: { back: { type: 'global', partitionKey: { name: 'GSI1PK', type: 'string' } } },
  });
  const schema = item({ id: string().key().savedAs('PK') }).and((before) => ({
    GSI1PK: string().link<typeof before>(({ id }) => [...id].reverse().join('')),
  }));
  const { design, text } = await read(
    fromToolbox([new ToolboxEntity({ name: 'Odd', table, schema })], 'odd.ts', PutItemCommand),
  );
  expect(design.entities.Odd?.keys).toEqual({ PK: '<id>' });
  expect(text).toMatch(
    /\/\/ unsure: the other attributes do not explain the form of these values.*\n +GSI1PK: z\.string/,
  );
});

describe('a OneTable table', () => {
  test('a OneTable table becomes a design whose keys are identical, byte for byte', async () => {
    const { design, keys, text, unsure } = await read(fromOneTable([accounts], 'accounts.ts'));
    expect(keys).toEqual({
      Account: { pk: 'account#<id>', sk: 'account#', gs1pk: 'type#Account', gs1sk: 'account#<name>' },
      Seat: { pk: 'account#<accountId>', sk: 'seat#<number:5>' },
    });
    expect(text).toContain('// OneTable generates this value (ulid); in this design, the caller must provide it');
    expect(unsure).toHaveLength(1);
    const account = { id: 'Zoë', name: 'A Name', balance: 5, opened: '2026-01-31T00:00:00.000Z' };
    const transaction: { TransactItems?: { Put: { Item: never } }[] } = {};
    await accounts
      .getModel('Account')
      .create({ ...account, opened: new Date(account.opened) } as never, { transaction });
    const [guard, item] = (transaction.TransactItems ?? []).map(({ Put }) => plainItem(Put.Item));
    const { created, updated, ...stored } = item ?? {};
    expect(design.entities.Account?.stored).toEqual({ balance: 'b' });
    expect(made(design, 'Account', account)).toEqual(stored);
    expect(made(design, 'Account.unique.name', { name: account.name, uniqueOwner: { id: account.id } })).toMatchObject({
      pk: guard?.pk,
      sk: guard?.sk,
    });
  });

  test('a design generated from a OneTable table keeps stored formats: expiry in seconds, packed fields and encoded fields', async () => {
    const { design, keys, text } = await read(fromOneTable([people], 'people.ts'));
    expect(keys.User).toMatchObject({ sk: 'user#<seq:8>#<email>', lsk: 'joined#<joined>' });
    expect(design.ttl).toBe('expires');
    expect(text).toContain('expires: z.int().optional()');
    expect(text).toMatch(
      /OneTable's names: 'street' for addr\.street\n +addr: z\.object\(\{ street: z\.string\(\)\.optional\(\) \}\)/,
    );
    expect(text).toMatch(
      /unsure: OneTable reads 'city' from this attribute \(encode\).*\n(.*\n){0,2} +zone: z\.string/,
    );
    expect(design.entities.User?.keyOnly).toEqual(['joined']);
    const given = { accountId: 'a', seq: 12, email: 'Z@x.org', joined: '2026', nick: 'zz', street: 'S 1' };
    const transaction: { TransactItems?: { Put: { Item: never } }[] } = {};
    await people.getModel('User').create({ ...given, region: 'eu', city: 'rio' } as never, { transaction });
    const items = (transaction.TransactItems ?? []).map(({ Put }) => plainItem(Put.Item));
    const { created, updated, ...stored } = items.find((item) => item._type === 'User') ?? {};
    const { street, ...own } = given;
    expect(made(design, 'User', { ...own, addr: { street }, zone: 'eu-rio' })).toEqual(stored);
  });
});

test('checks derived templates against items that they were not derived from', async () => {
  const odd = new Entity(
    {
      model: { entity: 'odd', version: '1', service: 'odd' },
      attributes: { id: { type: 'string', required: true } },
      indexes: { byId: { pk: { field: 'PK', composite: ['id'], template: 'ODD#${id}', casing: 'none' } } },
    } as const,
    { table: 'odd' },
  );
  let count = 0;
  const { put } = odd;
  // Changes the key of every fourth item, as custom code in a model might.
  const changed = Object.assign(Object.create(odd), {
    put: (values: never) => {
      const { Item } = put.call(odd, values).params<{ Item: Item }>();
      return { params: () => ({ Item: ++count % 4 === 0 ? { ...Item, PK: `${Item.PK}!` } : Item }) };
    },
  });
  const { text } = sourceOf(verified(await fromElectroDb([changed], 'odd.ts')));
  expect(text).toContain('// unsure: the rendered key differs from the stored key in 2 of 8 items');
});

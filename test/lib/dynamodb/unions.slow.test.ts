import { client } from '../../../lib/dynamodb';
import { written } from '../../../lib/dynamodb/written';
import { prove } from '../../../lib/proof/prove';
import { catalogue, catalogueCases, catalogueTable } from '../../fixtures/catalogue';
import { embedded } from '../../support/embedded';
import { templateOf } from '../proof/notes';

const tables = embedded(catalogue);
const db = client(catalogueTable, tables.nameOf('catalogue'), tables.send, { written });

const book = { productId: 'p1', title: 'Dune', cents: 900, kind: 'book', author: 'a1', pages: 612 } as const;
const film = { productId: 'p2', title: 'Alien', cents: 500, kind: 'film', minutes: 117 } as const;

test('proves the cases of a catalog whose products are a union of types', async () => {
  const input = {
    system: catalogue,
    cases: catalogueCases,
    template: templateOf(catalogue, 'prod'),
    environment: 'prod',
  };
  const failures: string[] = [];
  for await (const { name, failure } of prove(tables.engine(), input))
    if (failure !== undefined) failures.push(`${name}: ${failure}`);
  expect(failures).toEqual([]);
}, 60_000);

test('returns an item as the union member that it belongs to', async () => {
  await db.add(book);
  await db.add(film);
  const found = await db.product({ productId: 'p1' });
  expect(found?.kind === 'book' && found.pages).toBe(612);
  const other = await db.product({ productId: 'p2' });
  expect(other?.kind === 'film' && other.minutes).toBe(117);
});

test('a put accepts a union item exactly as a read returned it', async () => {
  await db.add(book);
  const found = await db.product({ productId: 'p1' });
  await expect(db.add(found as never)).rejects.toThrow('exists');
});

test('refuses a put whose values match no union member, or have attributes of other members', async () => {
  await expect(db.add({ ...book, pages: undefined } as never)).rejects.toThrow('pages: ');
  await expect(db.add({ ...book, kind: 'game' } as never)).rejects.toThrow('kind');
  await expect(db.add({ ...film, pages: 3 } as never)).rejects.toThrow(
    "'pages' is not an attribute of Product; it has productId, title, cents, sortTitle, updatedAt, kind, minutes, rating",
  );
  await expect(db.add({ ...film, paces: 3 } as never)).rejects.toThrow(
    "'paces' is not an attribute of Product; it has",
  );
});

test('updates an attribute that only some union members have, and refuses the update for an item of any other member', async () => {
  await db.add(film);
  await expect(db.setPages({ productId: 'p2', pages: 3 })).rejects.toThrow('does not meet the condition');
  await expect(db.setPages({ productId: 'p2', pages: 0 })).rejects.toThrow('pages: ');
  await db.rate({ productId: 'p2', rating: 'R' });
  expect(await db.product({ productId: 'p2' })).toMatchObject({ rating: 'R' });
});

test('a read drops attributes of other union members that another program stored', async () => {
  await db.add(film);
  const Key = { PK: 'PRODUCT#p2', SK: 'PRODUCT' };
  const change = { UpdateExpression: 'SET pages = :n', ExpressionAttributeValues: { ':n': 3 } };
  await tables.send('Update', { TableName: tables.nameOf('catalogue'), Key, ...change });
  const found = await db.product({ productId: 'p2' });
  expect(found).toMatchObject(film);
  expect(found).not.toHaveProperty('pages');
});

import { z } from 'zod';
import { type Answers, diff, lockOf, planFor } from '../../../../lib/evolve';
import { designOf } from '../../../../lib/evolve/lock/design';
import type { SystemDesign } from '../../../../lib/index';
import { shop } from '../../../fixtures/booked/designs';

const environment = 'prod';
const common = { id: z.string(), title: z.string() };
const book = z.object({ ...common, kind: z.literal('book'), author: z.string() });
const film = z.object({ ...common, kind: z.literal('film'), minutes: z.int() });
const disc = { ...common, kind: z.literal('disc') };
const cd = z.object({ ...disc, format: z.literal('cd'), tracks: z.int() });
const dvd = z.object({ ...disc, format: z.literal('dvd'), region: z.int() });

function products(attributes: z.ZodType): SystemDesign {
  const Product = { attributes: attributes as typeof book, keys: { PK: 'PRODUCT#<id>' } };
  return shop({ name: 'products', key: { partition: 'PK' }, entities: { Product } });
}

const union = (...members: readonly z.ZodType[]) => products(z.discriminatedUnion('kind', members as never));
const between = (before: SystemDesign, after: SystemDesign, answers?: Answers) =>
  diff(lockOf(before, { environment }), lockOf(after, { environment }), answers).map(
    ({ rule, message, breaks: [broken], fix }) => ({ rule, message, breaks: broken?.how, fix }),
  );
const refusal = (before: SystemDesign, after: SystemDesign) => () => planFor(lockOf(before, { environment }), after);

test('the running release refuses a new union member, and the new release refuses a removed member', () => {
  const game = z.object({ ...common, kind: z.enum(['board', 'card']) });
  expect(between(union(book, film), union(book, film, game))).toEqual([
    {
      rule: 'member-added',
      message: "new union member: a Product whose kind is 'board' or 'card'",
      breaks: "the running release refuses any Product whose kind is 'board' or 'card' (ItemError)",
      fix: "first deploy readers that know the member, then writers that write it: 'npx tablewright plan'",
    },
  ]);
  expect(between(union(book, film, game), union(book, film))).toEqual([
    {
      rule: 'member-removed',
      message: "removed union member: a Product whose kind is 'board' or 'card'",
      breaks: "reading a stored Product whose kind is 'board' or 'card' fails (ItemError)",
      fix: "convert such items in the migration (Product: { up: (item) => … }): 'npx tablewright plan'; or keep the member until no item belongs to it",
    },
  ]);
  const [found] = between(union(book, game), union(book, game.extend({ kind: z.literal('card') })));
  expect(found).toMatchObject({
    rule: 'member-removed',
    message: "removed union member: a Product whose kind is 'board'",
  });
});

test('the message about a change to only some union members names those members', () => {
  expect(between(union(book, film), union(book, film.extend({ director: z.string() })))).toEqual([
    {
      rule: 'attribute-required',
      message: "director is new and required (a string), where kind is 'film'",
      breaks: "every stored Product whose kind is 'film' lacks it, so reading one fails (ItemError)",
      fix: "write the attribute, fill it in stored items, then require it: 'npx tablewright plan'; or declare a default",
    },
  ]);
});

test('reports a change to all union members once, as a change to the entity', () => {
  const [one, ...others] = between(
    union(book, film),
    union(book.extend({ cents: z.int() }), film.extend({ cents: z.int() })),
  );
  expect(others).toEqual([]);
  expect(one?.message).toBe('cents is new and required (a whole number)');
});

test("asks whether stored items satisfy a union member's new refinement", () => {
  const [found] = between(
    union(book, film),
    union(
      book,
      film.refine(({ minutes }) => minutes > 0),
    ),
  );
  expect(found).toMatchObject({
    rule: 'attribute-code',
    message: "the rules for whole Product items were edited, where kind is 'film'",
  });
});

test('a change in a nested union is reported with both discriminators, and the lock records the nested members', () => {
  const before = union(film, z.discriminatedUnion('format', [cd, dvd]));
  const after = union(film, z.discriminatedUnion('format', [cd.extend({ label: z.string() }), dvd]));
  expect(between(before, before)).toEqual([]);
  expect(between(before, after).map(({ message }) => message)).toEqual([
    "label is new and required (a string), where kind is 'disc' and format is 'cd'",
  ]);
  expect(between(before, union(film, cd)).map(({ rule, message }) => [rule, message])).toEqual([
    ['member-removed', "removed union member: a Product whose kind is 'disc' and format is 'dvd'"],
  ]);
  const [product] = Object.values(designOf(lockOf(before, { environment })).tables.products?.entities ?? {});
  const rebuilt = product?.attributes as unknown as z.ZodType | undefined;
  const takes = (values: object) => rebuilt?.safeParse(values).success;
  expect(takes({ id: '1', title: 't', kind: 'disc', format: 'cd', tracks: 9 })).toBe(true);
  expect(takes({ id: '1', title: 't', kind: 'disc', format: 'cd', region: 9 })).toBe(false);
});

test('adding an attribute back to a union member with a different type needs a plan, because stored items may have old values', () => {
  const first = union(book, film.extend({ author: z.int().optional() }));
  const without = lockOf(union(book, film), { environment, after: lockOf(first, { environment }) });
  const again = lockOf(union(book, film.extend({ author: z.string().optional() })), { environment });
  expect(diff(without, again).map(({ rule, verdict }) => [rule, verdict])).toEqual([
    ['attribute-added', 'safe'],
    ['attribute-former', 'plan'],
  ]);
});

describe('changes to a union that no plan can make', () => {
  test('no plan can change the type of an attribute in one union member', () => {
    expect(refusal(union(book, film), union(book, film.extend({ minutes: z.string() })))).toThrow(
      "minutes has a different type (a whole number becomes a string), where kind is 'film'\n    fix: store the new values in a separate attribute, and remove the old attribute in a later change",
    );
  });

  test('no plan can remove an attribute of one union member while the running release requires it', () => {
    expect(refusal(union(book, film), union(book.omit({ author: true }), film))).toThrow(
      "author is gone, where kind is 'book'\n    fix: make 'author' optional in one plan, and remove it in a later one",
    );
  });

  test('no plan can both add a union member and change stored items', () => {
    expect(refusal(union(book, film), union(book, film.extend({ kind: z.literal('movie') })))).toThrow(
      "new union member: a Product whose kind is 'movie'\n    fix: add the member in one plan, and make the other changes in a later one",
    );
  });
});

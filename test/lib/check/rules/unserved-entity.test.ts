import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { EntityDesign } from '../../../../lib/design/table';

const id = z.uuid();
const status = z.enum(['open', 'paid', 'sent']);

/** Returns the notes about copied attributes in a table whose only pattern changes an attribute of Order. */
function copies(changed: string, entities: Readonly<Record<string, EntityDesign>>) {
  const where = entities.Order?.keys ?? {};
  const change: PatternDesign = { op: 'update', entity: 'Order', where, set: { [changed]: `<${changed}>` } };
  const design = { name: 'shop', key: { partition: 'PK', sort: 'SK' }, entities, patterns: { change } };
  return check(design, { notes: true }).filter(({ cause }) => cause === 'copied');
}

function entity(name: string, attributes: Readonly<Record<string, z.ZodType>>, SK = name): EntityDesign {
  return { attributes: z.object({ [`${name}Id`]: id, ...attributes }), keys: { PK: `${name}#<${name}Id>`, SK } };
}

const Order = entity('order', { title: z.string(), status });

test('reports all copies of an attribute in one note, at the path of the copy that is part of a key', () => {
  const Invoice = entity('invoice', { orderId: id, orderTitle: z.string() });
  const Parcel = entity('parcel', { orderId: id, order_title: z.string() }, 'PARCEL#<order_title>');
  const found = copies('title', { Order, Invoice, Parcel });
  expect(found.map(({ path }) => path)).toEqual(['entities.Parcel.attributes.order_title']);
  expect(found[0]?.subject.entities).toEqual(['Order', 'Invoice']);
  expect(found[0]?.message).toContain("without updating Parcel, Invoice, so Parcel items keep their old 'SK'");
});

test('treats an enum as a copy only if it has the same values as the original', () => {
  const Invoice = entity('invoice', { orderId: id, status });
  const Parcel = entity('parcel', { orderId: id, status: z.enum(['open', 'lost']) });
  expect(copies('status', { Order, Invoice, Parcel }).map(({ path }) => path)).toEqual([
    'entities.Invoice.attributes.status',
  ]);
});

test('recognizes `orderId`, but not `id`, as a reference to an Order', () => {
  const Order = { attributes: z.object({ id, status }), keys: { PK: 'ORDER#<id>', SK: 'ORDER' } };
  const Parcel = { attributes: z.object({ id, status }), keys: { PK: 'PARCEL#<id>', SK: 'PARCEL' } };
  const Invoice = entity('invoice', { orderId: id, status });
  expect(copies('status', { Order, Parcel })).toEqual([]);
  expect(copies('status', { Order, Parcel, Invoice }).map(({ path }) => path)).toEqual([
    'entities.Invoice.attributes.status',
  ]);
});

test('ignores an attribute that more than twenty entities share', () => {
  const parcels = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`Parcel${i}`, entity(`parcel${i}`, { orderId: id, status })]),
    );
  expect(copies('status', { Order, ...parcels(19) })).toHaveLength(1);
  expect(copies('status', { Order, ...parcels(20) })).toEqual([]);
});

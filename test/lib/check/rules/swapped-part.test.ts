import { z } from 'zod';
import { swappedPart } from '../../../../lib/check/rules/swapped-part';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings } from '../../../fixtures/designs';
import { soundDesigns } from '../../../fixtures/sound-designs';

const attributes = z.object({
  tenantId: z.string(),
  customerId: z.string(),
  order_id: z.string(),
  owner: z.string(),
  name: z.string(),
  from: z.string(),
  to: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
});

type Keys = Record<string, string>;
const design = (Order: Keys, Customer: Keys = { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' }): TableDesign => ({
  name: 'things',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
  entities: { Customer: { attributes, keys: Customer }, Order: { attributes, keys: Order } },
});
const found = (Order: Keys, Customer?: Keys) =>
  findings(swappedPart, design(Order, Customer)).map(({ cause, proposed }) => [cause, proposed]);

test.each<[Keys, Keys | undefined, string, string]>([
  [
    { PK: 'REPO#<name>#<owner>', SK: 'X' },
    { PK: 'REPO#<owner>#<name>', SK: 'Y' },
    'other-order',
    'REPO#<owner>#<name>',
  ],
  [
    { PK: 'ORDER#<order_id>', SK: 'X', GSI1PK: 'R#<name>#<owner>', GSI1SK: 'X' },
    { PK: 'R#<owner>#<name>', SK: 'Y' },
    'other-order',
    'R#<owner>#<name>',
  ],
  [{ PK: 'CUSTOMER#<order_id>', SK: 'ORDER#<customerId>' }, undefined, 'in-one-key', 'CUSTOMER#<customerId>'],
  [
    { PK: 'CUSTOMER#<order_id>#ORDER#<customerId>', SK: 'X' },
    undefined,
    'in-one-key',
    'CUSTOMER#<customerId>#ORDER#<order_id>',
  ],
  [{ PK: 'TENANT#<customerId>', SK: 'ORDER#<order_id>' }, undefined, 'of-another-thing', 'TENANT#<tenantId>'],
  [{ PK: 'T|TENANT#<customerId>', SK: '<order_id>' }, undefined, 'of-another-thing', 'T|TENANT#<tenantId>'],
])('reports the keys %j if a second entity has the keys %j', (Order, Customer, cause, proposed) => {
  expect(found(Order, Customer)).toEqual([[cause, proposed]]);
});

test.each<[Keys, Keys | undefined]>([
  // Either the parts have the same order, or the literal words differ.
  [
    { PK: 'REPO#<owner>#<name>', SK: 'X' },
    { PK: 'REPO#<owner>#<name>', SK: 'Y' },
  ],
  [
    { PK: 'ISSUE#<name>#<owner>', SK: 'X' },
    { PK: 'REPO#<owner>#<name>', SK: 'Y' },
  ],
  // Both ends of an edge are of the same kind, so either may come first.
  [
    { PK: 'EDGE#<to>#<from>', SK: 'X' },
    { PK: 'EDGE#<from>#<to>', SK: 'Y' },
  ],
  // A partition key may begin with the word for its own entity, even if the id of another entity follows.
  [{ PK: 'ORDER#<customerId>', SK: 'ORDER#<createdAt>#<order_id>' }, undefined],
  [{ PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<order_id>' }, undefined],
  [{ PK: 'TENANT#<tenantId>#<customerId>', SK: 'ORDER#<order_id>' }, undefined],
])('accepts the keys %j if a second entity has the keys %j', (Order, Customer) => {
  expect(found(Order, Customer)).toEqual([]);
});

test.each([
  ...Object.values(systems).flatMap(({ tables }) => Object.values(tables) as TableDesign[]),
  ...soundDesigns.flatMap((one) => ('tables' in one ? Object.values(one.tables) : [one])),
])('returns no findings for $name', (one) => expect(findings(swappedPart, one)).toEqual([]));

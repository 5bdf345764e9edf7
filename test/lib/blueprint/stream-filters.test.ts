import { streamFilters } from '../../../lib/blueprint/stream-filters';
import { paymentsTable, shopTable } from '../../fixtures/shop/design';

test('the literal text of keys selects the records of an entity as closely as possible', () => {
  expect(streamFilters(shopTable, ['Product', 'CartLine'])).toEqual([
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'PRODUCT#' }] }, SK: { S: ['PRODUCT'] } } } },
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'CART#' }] }, SK: { S: [{ prefix: 'LINE#' }] } } } },
  ]);
});

test('a natural key filters nothing', () => {
  expect(streamFilters(paymentsTable, ['Payment'])).toBeUndefined();
});

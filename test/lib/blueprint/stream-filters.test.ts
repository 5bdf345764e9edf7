import { streamFilters } from '../../../lib/blueprint/stream-filters';
import { paymentsTable, shopTable } from '../../fixtures/shop/design';

test('the literal text of keys tells the records of an entity, as far as it goes', () => {
  expect(streamFilters(shopTable, ['Product', 'CartLine'])).toEqual([
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'PRODUCT#' }] }, SK: { S: ['PRODUCT'] } } } },
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'CART#' }] }, SK: { S: [{ prefix: 'LINE#' }] } } } },
  ]);
});

test('where a key is an attribute as it is, nothing can be kept out', () => {
  expect(streamFilters(paymentsTable, ['Payment'])).toBeUndefined();
});

import { streamFilters } from '../../../lib/blueprint/stream-filters';
import { paymentsTable, shopTable } from '../../fixtures/shop/design';

test('a stream filter uses the literal text at the start of each key of an entity', () => {
  expect(streamFilters(shopTable, ['Product', 'CartLine'])).toEqual([
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'PRODUCT#' }] }, SK: { S: ['PRODUCT'] } } } },
    { dynamodb: { Keys: { PK: { S: [{ prefix: 'CART#' }] }, SK: { S: [{ prefix: 'LINE#' }] } } } },
  ]);
});

test('a natural key yields no stream filter', () => {
  expect(streamFilters(paymentsTable, ['Payment'])).toBeUndefined();
});

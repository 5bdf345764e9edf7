import { market } from '../../fixtures/sound/market';
import { marketCases } from '../../fixtures/sound/market-cases';
import { ALONE, type Equivalents, type Subject } from './mutation';
import { templateOf } from './notes';

/** A shop with 16 entities and 65 patterns in two tables. */
export const shop: Subject = { system: market, cases: marketCases, template: templateOf(market, 'prod'), more: 400 };

export const shopEquivalents: Equivalents = {
  "market.patterns.browse.where.G1S: {'beginsWith':'PRODUCT#'} → none": ALONE,
  'market.patterns.placeOrder.steps.stock.upsert: none → true':
    'the condition on units already refuses an item that does not exist',
};

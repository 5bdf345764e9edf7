import type { SystemDesign } from '../../../lib/index';
import { market } from '../../fixtures/sound/market';
import { marketCases } from '../../fixtures/sound/market-cases';
import { engineUnderTest } from '../../support/engine-under-test';
import { shop, shopEquivalents } from './market';
import { describeMutants } from './mutation';
import { proofs, templateOf } from './notes';

test('proves all 65 patterns and 16 entities of a shop', async () => {
  const engine = await engineUnderTest();
  const found = await proofs(engine, { system: market, cases: marketCases, template: templateOf(market) });
  await engine.stop();
  expect(Object.fromEntries(found.flatMap(({ name, failure }) => (failure ? [[name, failure]] : [])))).toEqual({});
  const count = (...kinds: string[]) => found.filter(({ kind }) => kinds.includes(kind)).length;
  expect([count('read', 'write'), count('entity')]).toEqual([65, 16]);
});

test('the cases catch a second delivery that overwrites the time of the first', async () => {
  const engine = await engineUnderTest();
  const { market: table } = market.tables;
  const deliver = { ...table.patterns.deliver, set: { deliveredAt: '<deliveredAt>' } };
  const patterns = { ...table.patterns, deliver };
  const system = { ...market, tables: { ...market.tables, market: { ...table, patterns } } } as SystemDesign;
  const found = await proofs(engine, { system, cases: marketCases, template: templateOf(market) });
  await engine.stop();
  const failures = found.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]]));
  expect(failures).toEqual([
    ['deliver', expect.stringContaining('after a call that must keep the time of the first delivery')],
  ]);
});

describeMutants('market', shopEquivalents, { ...shop, sample: 10 });

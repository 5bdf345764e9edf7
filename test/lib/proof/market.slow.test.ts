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

describeMutants('market', shopEquivalents, { ...shop, sample: 10 });

import { support } from '../../fixtures/sound/support';
import { supportCases } from '../../fixtures/sound/support-cases';
import { engineUnderTest } from '../../support/engine-under-test';
import { describeMutants } from './mutation';
import { proofs, templateOf } from './notes';
import { supportDesk, supportEquivalents } from './support';

test('proves all 69 patterns and 16 entities of a support desk', async () => {
  const engine = await engineUnderTest();
  const found = await proofs(engine, { system: support, cases: supportCases, template: templateOf(support) });
  await engine.stop();
  expect(Object.fromEntries(found.flatMap(({ name, failure }) => (failure ? [[name, failure]] : [])))).toEqual({});
  const count = (...kinds: string[]) => found.filter(({ kind }) => kinds.includes(kind)).length;
  expect([count('read', 'write'), count('entity')]).toEqual([69, 16]);
});

describeMutants('support', supportEquivalents, { ...supportDesk, sample: 10 });

import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { expectProvedFrom } from './documented-plans';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

// `documented-plans.deep.test.ts` tests the larger systems' plans, and `documented.test.ts` shows that controle-pgm
// needs no plan.
test.each(['booking', 'transporte'] as const)(
  "the plan from %s's documented design to the bundled design loses, hides and breaks no data",
  (name) => expectProvedFrom(engine, name),
  300_000,
);

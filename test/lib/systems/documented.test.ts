import { diff, lockOf, planFor } from '../../../lib/evolve';
import { documented, systems } from '../../../lib/systems';

const FILLING = ['drain', 'backfill', 'verify', 'switch'];
const lockOfDocument = (name: keyof typeof documented) => lockOf(documented[name]().design, { environment: 'prod' });
const planOf = (name: Exclude<keyof typeof documented, 'controle-pgm'>) =>
  planFor(lockOfDocument(name), systems[name] as never, documented[name]().answers);

test.each([
  ['blog', 'posts and likes', /Like.*Post/, ['expand-1', ...FILLING]],
  ['trimobe', 'conversations and users', /Conversation.*User/, ['expand-1', ...FILLING]],
  ['booking', 'bookings and services', /Booking.*Service/, ['expand-1', ...FILLING]],
  ['transporte', 'waybills', /CartaPorte/, ['expand-1', ...FILLING]],
] as const)("the plan from %s's documented design to the bundled design backfills %s", (name, _, items, steps) => {
  const plan = planOf(name);
  expect(plan.phases.map(({ step }) => step)).toEqual(steps);
  expect(plan.phases.find(({ step }) => step === 'backfill')?.runs).toMatch(items);
});

test('controle-pgm needs no plan, because its bundled design changes no stored item', () => {
  const changes = diff(
    lockOfDocument('controle-pgm'),
    lockOf(systems['controle-pgm'] as never, { environment: 'prod' }),
  );
  expect([...new Set(changes.map(({ verdict }) => verdict))]).toEqual(['safe']);
  expect([...new Set(changes.map(({ rule }) => rule))]).toEqual(['procedure-changed', 'table-added']);
});

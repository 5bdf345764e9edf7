import { assertMeant, BecauseNeeded } from '../../bin/commands/because';

test('asks no reason of a person at a terminal', () => {
  expect(() => assertMeant(undefined, 'changes stored items', true)).not.toThrow();
});

test("outside a terminal, requires the person's own words, and more than one of them", () => {
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(BecauseNeeded);
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(
    'this changes stored items, and nobody is at the terminal; ask the person who is responsible, and give their own words: --because "why it is right"',
  );
  expect(() => assertMeant('ok', 'changes stored items', false)).toThrow('--because "ok" says too little');
  expect(() => assertMeant('orders need a region', 'changes stored items', false)).not.toThrow();
});

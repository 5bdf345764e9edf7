import { assertMeant, BecauseNeeded } from '../../bin/commands/because';

test('does not ask a person at a terminal for a reason', () => {
  expect(() => assertMeant(undefined, 'changes stored items', true)).not.toThrow();
});

test('outside a terminal, requires a reason of more than one word', () => {
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(BecauseNeeded);
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(
    'this changes stored items, and nobody is at the terminal; ask the person who is responsible, and give their own words: --because "why it is right"',
  );
  expect(() => assertMeant('ok', 'changes stored items', false)).toThrow('--because "ok" says too little');
  expect(() => assertMeant('orders need a region', 'changes stored items', false)).not.toThrow();
});

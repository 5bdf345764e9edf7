import { assertMeant, BecauseNeeded } from '../../bin/commands/because';

test('`assertMeant` requires no reason from a person at a terminal', () => {
  expect(() => assertMeant(undefined, 'changes stored items', true)).not.toThrow();
});

test('`assertMeant` requires a reason of more than one word if no person is at a terminal', () => {
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(BecauseNeeded);
  expect(() => assertMeant(undefined, 'changes stored items', false)).toThrow(
    'this command changes stored items, and nobody is at the terminal; ask the person who is responsible for the data, and quote that person\'s reason: --because "why the change is right"',
  );
  expect(() => assertMeant('ok', 'changes stored items', false)).toThrow('--because "ok" says too little');
  expect(() => assertMeant('orders need a region', 'changes stored items', false)).not.toThrow();
});

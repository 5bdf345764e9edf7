import { heldBy } from '../../bin/commands/explore-held';
import { systems } from '../../lib/systems';

const environment = 'dev';
const named = (...names: string[]) => names.flatMap((name) => systems[name] ?? []);

test('without an endpoint, `heldBy` reads no table', async () => {
  expect((await heldBy(named('blog', 'controle-pgm'), { environment })).size).toBe(0);
});

test.each([
  [{ endpoint: 'http://localhost:8000' }, '--endpoint: none of these designs is for DynamoDB'],
  [
    { endpoint: 'http://a:b@localhost:8000', azure: 'blog' },
    /^--endpoint must be a URL without a user name and password/,
  ],
  [{ table: ['Users=x'] }, /^--table: only tables at an endpoint have deployed names/],
])(
  '`heldBy` refuses the options %j and gives the reason',
  async ({ azure, ...options }: Record<string, unknown>, message) => {
    const all = named(azure === undefined ? 'controle-pgm' : String(azure));
    await expect(heldBy(all, { environment, ...options })).rejects.toThrow(message);
  },
);

test('refuses an unknown table and lists the known tables', async () => {
  const options = { environment, endpoint: 'http://localhost:8000', table: ['blgo=x'] };
  await expect(heldBy(named('blog'), options)).rejects.toThrow(
    /^--table: none of these designs has a table 'blgo'; .*blog/,
  );
});

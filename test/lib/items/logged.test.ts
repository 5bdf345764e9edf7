import { logged } from '../../../lib/dynamodb';

const observation = {
  ...{
    table: 'booking-prod-Bookings',
    pattern: 'bookSlot',
    operation: 'TransactWrite',
    milliseconds: 12.345,
    capacity: 4,
  },
  context: { tenantId: 'andina', apiKeyId: 'key_001', customer: 'Juan Pérez' },
};

test('`logged` writes one line of JSON per operation, with its tenant, API key, latency and error name', () => {
  const lines: string[] = [];
  const log = logged({ write: (line) => lines.push(line) });
  log(observation);
  log({ ...observation, error: new TypeError('value 4711 is wrong'), unknown: [new Error('4711')] });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...{ tenantId: 'andina', apiKeyId: 'key_001', table: 'booking-prod-Bookings', pattern: 'bookSlot' },
      ...{ operation: 'TransactWrite', latency: 12.3, capacity: 4 },
    },
    expect.objectContaining({ error: 'TypeError', unknown: 1 }),
  ]);
});

test('`logged` writes no error messages, and no other parts of the context', () => {
  const lines: string[] = [];
  logged({ write: (line) => lines.push(line) })({ ...observation, error: new Error('value 4711 is wrong') });
  expect(lines.join()).not.toMatch(/4711|Juan/);
});

import { kept } from '../../../lib/explore/kept';

test('what is made anew for each call is not in a file', () => {
  const request = { command: 'TransactWrite', input: { TransactItems: [], ClientRequestToken: 'f3a1' } };
  const { requests } = kept({ values: {}, requests: [request], read: [], changes: [] });
  expect(requests).toEqual([
    { command: 'TransactWrite', input: { TransactItems: [], ClientRequestToken: '<made anew for each call>' } },
  ]);
});

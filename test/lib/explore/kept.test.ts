import { kept } from '../../../lib/explore/kept';

test('replaces values that differ from call to call with a placeholder', () => {
  const request = { command: 'TransactWrite', input: { TransactItems: [], ClientRequestToken: 'f3a1' } };
  const etag = `W/"datetime'2026-11-17T08%3A37%3A13.6245489Z'"`;
  const { requests, answer } = kept({ values: {}, requests: [request], answer: [{ etag }, 1], read: [], changes: [] });
  expect(answer).toEqual([{ etag: '<new for each call>' }, 1]);
  expect(requests).toEqual([
    { command: 'TransactWrite', input: { TransactItems: [], ClientRequestToken: '<new for each call>' } },
  ]);
});

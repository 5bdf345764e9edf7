import { awsCalls, azureCalls } from '../../../lib/costs/calls';

test('prices a million calls by capacity units on DynamoDB, and by requests on Azure Tables', () => {
  expect(awsCalls({ reads: 0.5, writes: 0 })).toBe(0.0625);
  expect(awsCalls({ reads: 0, writes: 4 })).toBe(2.5);
  expect(azureCalls(2)).toBeCloseTo(0.072);
});

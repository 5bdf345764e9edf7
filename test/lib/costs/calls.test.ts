import { awsCalls, azureCalls } from '../../../lib/costs/calls';

test('a million calls cost their units on DynamoDB, and their requests on Azure Tables', () => {
  expect(awsCalls({ reads: 0.5, writes: 0 })).toBe(0.0625);
  expect(awsCalls({ reads: 0, writes: 4 })).toBe(2.5);
  expect(azureCalls(2)).toBeCloseTo(0.072);
});

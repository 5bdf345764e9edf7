import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsCosts } from '../../../lib/costs/aws';
import { azureCosts } from '../../../lib/costs/azure';
import { listed, PRICES, type Prices, pricesFrom } from '../../../lib/costs/prices';

const golden = (name: string) => JSON.parse(readFileSync(join(__dirname, '../../golden', `${name}.json`), 'utf8'));

test('states the regions, dates and currency of the built-in prices', () => {
  expect(PRICES.of).toMatch(/us-east-1 \(\w+ 20\d\d\) and East US \(\w+ 20\d\d\) in US dollars$/);
});

test('has a price for exactly the names that the docs list', () => {
  const text = readFileSync(join(__dirname, '../../../docs/guides/costs.md'), 'utf8');
  for (const cloud of ['aws', 'azure'] as const) {
    const [, row = ''] = new RegExp(`^\\| \`${cloud}\` \\| (.*) \\|$`, 'm').exec(text) ?? [];
    expect(row.split(', ').map((name) => name.replaceAll('`', ''))).toEqual(Object.keys(PRICES[cloud]));
  }
});

test("overrides the built-in prices with the user's own prices", () => {
  const own = pricesFrom({ of: 'ours', aws: { storageGb: 0.375, key: 2 }, azure: { endpointHour: 0.02 } }) as Prices;
  expect(own).toEqual({
    of: 'ours',
    aws: { ...PRICES.aws, storageGb: 0.375, key: 2 },
    azure: { ...PRICES.azure, endpointHour: 0.02 },
  });
  const told = (costs: readonly { part: string; monthly: number; price: string }[], part: string) =>
    costs.filter((cost) => cost.part.includes(part)).map(({ monthly, price }) => [monthly, price.split(' ')[0]]);
  const blog = golden('blog-prod');
  expect(told(awsCosts(blog), 'storage')).toEqual([[0, '$0.25']]);
  expect(told(awsCosts(blog, own.aws), 'storage')).toEqual([[0, '$0.375']]);
  expect(told(awsCosts(blog, own.aws), 'key')).toEqual([[2, '$2']]);
  expect(told(azureCosts(golden('azure/controle-pgm-prod'), own.azure), 'endpoint')).toEqual([[29.2, '$0.02']]);
});

test('doubling all prices doubles every amount in the listed costs', () => {
  const twice = <T extends Readonly<Record<string, number>>>(prices: T) =>
    Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price * 2])) as T;
  const amounts = (costs: readonly { price: string }[]) =>
    costs.flatMap(({ price }) => price.match(/\$[\d.]*\d/g) ?? []);
  const doubled = (all: readonly string[]) => all.map((one) => Number((Number(one.slice(1)) * 2).toFixed(6)));
  const numbers = (all: readonly string[]) => all.map((one) => Number(one.slice(1)));
  for (const name of ['blog-prod', 'trimobe-economy', 'booking-prod']) {
    const before = amounts(awsCosts(golden(name)));
    expect(numbers(amounts(awsCosts(golden(name), twice(PRICES.aws))))).toEqual(doubled(before));
  }
  const stack = golden('azure/controle-pgm-prod');
  expect(numbers(amounts(azureCosts(stack, twice(PRICES.azure))))).toEqual(doubled(amounts(azureCosts(stack))));
});

test.each<[unknown, string]>([
  [null, 'the prices must be an object such as {'],
  [{ aws: {} }, "'of' must state the region and the date of the prices"],
  [{ of: 'x', gcp: {} }, "'gcp' is an unknown field"],
  [{ of: 'x', aws: [] }, "'aws' must map names to prices"],
  [{ of: 'x', aws: { storageGB: 1 } }, "'aws.storageGB' is not a price; write storageGb"],
  [{ of: 'x', azure: { constructor: 1 } }, "'azure.constructor' is not a price; the prices are endpointHour, "],
  [{ of: 'x', azure: { dnsZone: '1' } }, `'azure.dnsZone' must be a number of dollars, got: "1"`],
  [{ of: 'x', aws: { key: -1 } }, "'aws.key' must be a number of dollars, got: -1"],
])('rejects an invalid price: %j', (given, problem) => {
  expect(pricesFrom(given)).toEqual(expect.stringContaining(problem));
});

test.each([
  [1, '$1'],
  [0.1, '$0.10'],
  [0.125, '$0.125'],
  [0.00013, '$0.00013'],
  [0, '$0'],
])('formats %d as %s', (price, text) => {
  expect(listed(price)).toBe(text);
});

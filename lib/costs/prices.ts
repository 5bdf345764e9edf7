import { nearest } from '../design/names';
import { isObject } from '../design/show';

/** The regions and dates of the built-in list prices. */
const LISTED = { aws: 'us-east-1 (August 2026)', azure: 'East US (January 2025)' } as const;

/** Describes the built-in prices of one cloud. */
export const listPrices = (cloud: keyof typeof LISTED) => `list prices of ${LISTED[cloud]}`;

/**
 * Prices in dollars, with their regions and dates. Prices differ by region and change over time, so supply your own
 * prices before you decide.
 */
export const PRICES = {
  /** The regions and dates of these prices. */
  of: `list prices of ${LISTED.aws} and ${LISTED.azure} in US dollars`,
  aws: {
    key: 1,
    keyRotation: 1,
    keyRequests10k: 0.03,
    alarmMetric: 0.1,
    dashboard: 3,
    insightsRule: 0.5,
    insightsEventsMillion: 0.03,
    readUnitHour: 0.00013,
    writeUnitHour: 0.00065,
    readUnitsMillion: 0.125,
    writeUnitsMillion: 0.625,
    storageGb: 0.25,
    recoveryGb: 0.2,
    transferGb: 0.02,
    warmBackupGb: 0.1,
    coldBackupGb: 0.03,
  },
  azure: {
    endpointHour: 0.01,
    endpointGb: 0.01,
    dnsZone: 0.5,
    storageGbLRS: 0.045,
    storageGbZRS: 0.0563,
    storageGbGRS: 0.06,
    storageGbRAGRS: 0.075,
    storageGbGZRS: 0.1013,
    storageGbRAGZRS: 0.1266,
    requests10k: 0.00036,
    vaultOperations10k: 0.03,
    hardwareKey: 1,
    logsGb: 2.3,
  },
} as const;

export type AwsPrices = Readonly<Record<keyof typeof PRICES.aws, number>>;
export type AzurePrices = Readonly<Record<keyof typeof PRICES.azure, number>>;

export interface Prices {
  readonly of: string;
  readonly aws: AwsPrices;
  readonly azure: AzurePrices;
}

/** Returns the built-in prices, overridden by the user's prices, or a message if the user's prices are invalid. */
export function pricesFrom(given: unknown): Prices | string {
  if (!isObject(given)) return `the prices must be an object such as ${EXAMPLE}`;
  const { of, aws = {}, azure = {}, ...more } = given;
  const [other] = Object.keys(more);
  if (other !== undefined) return `'${other}' is an unknown field; write ${EXAMPLE}`;
  if (typeof of !== 'string' || of === '')
    return `'of' must state the region and the date of the prices, as in ${EXAMPLE}`;
  const problem = problemOf('aws', aws) ?? problemOf('azure', azure);
  if (problem !== undefined) return problem;
  return { of, aws: { ...PRICES.aws, ...(aws as object) }, azure: { ...PRICES.azure, ...(azure as object) } };
}

const EXAMPLE = '{ "of": "list prices of sa-east-1, November 2026", "aws": { "storageGb": 0.375 } }';

function problemOf(cloud: 'aws' | 'azure', prices: unknown): string | undefined {
  if (!isObject(prices)) return `'${cloud}' must map names to prices`;
  const known = Object.keys(PRICES[cloud]);
  for (const [name, price] of Object.entries(prices)) {
    if (!known.includes(name)) {
      const meant = nearest(name, known);
      return `'${cloud}.${name}' is not a price; ${meant === undefined ? `the prices are ${known.join(', ')}` : `write ${meant}`}`;
    }
    if (typeof price !== 'number' || !Number.isFinite(price) || price < 0)
      return `'${cloud}.${name}' must be a number of dollars, got: ${JSON.stringify(price)}`;
  }
  return undefined;
}

/** Formats a price the way price lists do: whole dollars without cents, and small amounts with all digits. */
export function listed(price: number): string {
  if (Number.isInteger(price)) return `$${price}`;
  const [, digits = ''] = price.toFixed(8).replace(/0+$/, '').split('.');
  return `$${price.toFixed(Math.max(2, digits.length))}`;
}

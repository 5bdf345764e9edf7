import { Billing, Capacity } from 'aws-cdk-lib/aws-dynamodb';
import { suggestion } from '../../lib/design/names';
import { isObject, show } from '../../lib/design/show';

/** Units per second: `min` units are always available and paid for, and scaling adds units up to `max`. */
export interface CapacityRange {
  readonly min: number;
  readonly max: number;
  /**
   * The target utilization of the units, from 20 to 90 percent.
   * @default 70
   */
  readonly utilization?: number;
}

/** Capacity that is reserved in advance and billed by the hour, instead of per request. */
export interface ProvisionedCapacity {
  readonly read: CapacityRange;
  readonly write: CapacityRange;
  /**
   * The capacity of indexes, keyed by index name. A write to the table also consumes the write capacity of every index
   * that it changes.
   * @default - the table's capacity
   */
  readonly indexes?: Readonly<Record<string, { readonly read?: CapacityRange; readonly write?: CapacityRange }>>;
}

/** The billing mode of a table. */
export interface CapacityOptions {
  /**
   * Provisioned capacity, which scales automatically, instead of on-demand capacity.
   * @default - on-demand
   */
  readonly capacity?: ProvisionedCapacity;
  /** @default - the account's limit */
  readonly maxReadRequestUnits?: number;
  /** @default - the account's limit */
  readonly maxWriteRequestUnits?: number;
}

export function billingOf({ capacity, maxReadRequestUnits, maxWriteRequestUnits }: CapacityOptions): Billing {
  if (capacity !== undefined) {
    return Billing.provisioned({ readCapacity: scaled(capacity.read), writeCapacity: scaled(capacity.write) });
  }
  const isLimited = maxReadRequestUnits !== undefined || maxWriteRequestUnits !== undefined;
  return Billing.onDemand(isLimited ? { maxReadRequestUnits, maxWriteRequestUnits } : undefined);
}

/** Returns an index's own capacity settings; all other settings come from the table. */
export function indexCapacity({ capacity }: CapacityOptions, index: string) {
  const own = capacity?.indexes?.[index];
  return {
    ...(own?.read && { readCapacity: scaled(own.read) }),
    ...(own?.write && { writeCapacity: scaled(own.write) }),
  };
}

function scaled({ min, max, utilization = 70 }: CapacityRange): Capacity {
  return Capacity.autoscaled({
    minCapacity: min,
    maxCapacity: max,
    targetUtilizationPercent: utilization,
    // Without a seed, CloudFormation refuses to switch a table from on-demand to provisioned capacity.
    seedCapacity: min,
  });
}

/** Refuses capacity settings that CloudFormation would refuse, or that would have no effect. */
export function assertCapacity(options: CapacityOptions, indexes: readonly string[]): void {
  const { capacity } = options;
  if (capacity === undefined) return;
  for (const limit of ['maxReadRequestUnits', 'maxWriteRequestUnits'] as const) {
    if (options[limit] === undefined) continue;
    throw new Error(
      `${limit} applies only to on-demand tables; omit ${limit} (with 'capacity', the limit is max), or omit 'capacity'`,
    );
  }
  assertFields('capacity', capacity, ['read', 'write', 'indexes']);
  assertRange('capacity.read', capacity.read);
  assertRange('capacity.write', capacity.write);
  if (capacity.indexes === undefined) return;
  assertFields('capacity.indexes', capacity.indexes, indexes);
  for (const [name, own] of Object.entries(capacity.indexes)) {
    const place = `capacity.indexes.${name}`;
    assertFields(place, own, ['read', 'write']);
    for (const kind of ['read', 'write'] as const) {
      if (own[kind] !== undefined) assertRange(`${place}.${kind}`, own[kind]);
    }
  }
}

function assertRange(place: string, range: CapacityRange): void {
  assertFields(place, range, ['min', 'max', 'utilization']);
  const { min, max, utilization = 70 } = range;
  const isWhole = (value: unknown) => Number.isInteger(value) && (value as number) >= 1;
  if (!isWhole(min)) throw new Error(`${place}.min must be a whole number of at least 1, got: ${show(min)}`);
  if (!isWhole(max) || max < min) {
    throw new Error(`${place}.max must be a whole number, and at least min (${min}), got: ${show(max)}`);
  }
  if (typeof utilization !== 'number' || !(utilization >= 20 && utilization <= 90)) {
    throw new Error(`${place}.utilization must be a percentage from 20 to 90, got: ${show(utilization)}`);
  }
}

function assertFields(place: string, value: unknown, known: readonly string[]): void {
  if (!isObject(value)) {
    const example = place.endsWith('read') || place.endsWith('write') ? '{ min: 5, max: 50 }' : 'an object';
    throw new Error(
      `${place} must be ${example === 'an object' ? example : `an object such as ${example}`}, got: ${show(value)}`,
    );
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const what = place === 'capacity.indexes' ? 'an index of the table' : `a field of ${place}`;
  throw new Error(`${place}.${unknown} is not ${what}; ${suggestion(unknown, known)}`);
}

import fc from './fuzz';

/**
 * Generates designs of tables that several tenants share, and items whose tenants are known. This file does not use the
 * library, so that only the items decide whether a grant is right.
 */

/** The type of an entity's tenant; `none` if the entity has no tenant. */
export type TenantType = 'text' | 'number' | 'listed' | 'optional' | 'none';

export interface RandomEntity {
  readonly tenant: TenantType;
  /** The templates of the entity's keys, keyed by key attribute. Without PK, the partition key is a natural key. */
  readonly keys: Readonly<Record<string, string>>;
  /** The `kind` that an item must have to be in the index GSI1. */
  readonly while?: string;
}

export interface RandomDesign {
  /** The attribute that is the table's partition key; `tenantId` is a natural key. */
  readonly partition: 'PK' | 'tenantId';
  readonly entities: readonly RandomEntity[];
}

export type Values = Readonly<Record<string, string | number | undefined>>;

/** Only a few words, so that many values look like part of another key. */
const WORDS = ['TENANT', 'a', 'eu', 'ab'];
export const KINDS = ['TENANT', 'a'];
export const LISTED = ['a', 'TENANT'];
const TEXTS = [...WORDS, '7', '1', 'A', 'b'];
export const TENANTS: Readonly<Record<TenantType, readonly (string | number | undefined)[]>> = {
  text: TEXTS,
  number: [7, 1],
  listed: LISTED,
  optional: [...TEXTS, undefined],
  none: [undefined],
};

const part = fc.constantFrom('<tenantId>', '<tenantId>', '<region>', '<slug>', '<kind>');
const rare = fc.constantFrom('<n:2>', '<tenantId:lower>', '<slug:lower>', '<shard(slug, 3)>', '<shard(tenantId, 3)>');
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('TENANT', 'TENANT', 'a', 'TENANTS') },
  { weight: 5, arbitrary: part },
  { weight: 1, arbitrary: rare },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('TENANT', 'a', 'X'), part).map(([text, one]) => text + one) },
);
const isOnce = (text: string) => !/(<[^>]*>).*\1/.test(text);
const anyKey = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('#'));
/** Generates key templates that a policy could limit to a tenant if the entity were the table's only one. */
const scoped = fc
  .tuple(fc.constantFrom('TENANT#', 'TENANT#', '', 'a#', 'E#'), fc.array(segment, { maxLength: 2 }))
  .map(([lead, rest]) => [`${lead}<tenantId>`, ...rest].join('#'));
const key = fc.oneof({ weight: 2, arbitrary: scoped }, { weight: 1, arbitrary: anyKey }).filter(isOnce);

const entity: fc.Arbitrary<RandomEntity> = fc
  .record({
    tenant: fc.constantFrom<TenantType>('text', 'text', 'text', 'number', 'number', 'listed', 'optional', 'none'),
    PK: key,
    GSI1PK: fc.option(key, { nil: undefined }),
    two: fc.option(fc.tuple(key, key), { nil: undefined }),
    while: fc.option(fc.constantFrom(...KINDS), { nil: undefined }),
  })
  .map(({ tenant, PK, GSI1PK, two, while: kind }) => {
    // A key cannot use an attribute that the entity does not have.
    const known = (text: string) => (tenant === 'none' ? text.replaceAll('tenantId', 'slug') : text);
    const keys = { PK, ...(GSI1PK && { GSI1PK }), ...(two && { A: two[0], B: two[1] }) };
    const templates = Object.entries(keys).map(([name, text]) => [name, known(text)] as const);
    return { tenant, keys: Object.fromEntries(templates), ...(kind && GSI1PK && { while: kind }) };
  })
  .filter(({ keys }) => Object.values(keys).every(isOnce));

export const designs: fc.Arbitrary<RandomDesign> = fc
  .record({
    isNatural: fc.nat({ max: 9 }).map((n) => n === 0),
    entities: fc.array(entity, { minLength: 2, maxLength: 3 }),
  })
  .map(({ isNatural, entities }): RandomDesign => {
    const natural = isNatural && entities.every(({ tenant }) => tenant !== 'none' && tenant !== 'number');
    if (!natural) return { partition: 'PK', entities };
    // One entity may have a template for the attribute that is a natural key of the other entities.
    const keysOf = ({ PK, ...keys }: Readonly<Record<string, string>>, i: number) =>
      i === 1 && PK?.includes('<tenantId>') ? { ...keys, tenantId: PK } : keys;
    return { partition: 'tenantId', entities: entities.map((one, i) => ({ ...one, keys: keysOf(one.keys, i) })) };
  });

/** Returns values for an item. `drawn` selects the combination of values; every combination is equally likely. */
export function valuesOf({ tenant }: RandomEntity, drawn: number): Values {
  let left = drawn;
  const pick = <T>(from: readonly T[]): T => {
    const one = from[left % from.length] as T;
    left = Math.floor(left / from.length);
    return one;
  };
  const shard = ['0', '1', '2'];
  return {
    tenantId: pick(TENANTS[tenant]),
    region: pick(TEXTS),
    slug: pick(TEXTS),
    kind: pick(KINDS),
    n: pick([1, 42]),
    shard: pick(shard),
  };
}

/**
 * Returns the key for the given values; undefined if a value is missing. Any shard will do, because the library chooses
 * the shard.
 */
export function keyOf(text: string, values: Values): string | undefined {
  let isWhole = true;
  const made = text.replace(/<(?:shard\((\w+), 3\)|(\w+)(?::(\w+))?)>/g, (_, sharded, name, format) => {
    const value = values[sharded ?? name];
    if (value === undefined) isWhole = false;
    if (sharded !== undefined) return String(values.shard);
    if (format === 'lower') return String(value).toLowerCase();
    return format === undefined ? String(value) : String(value).padStart(Number(format), '0');
  });
  return isWhole ? made : undefined;
}

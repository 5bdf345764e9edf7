import { z } from 'zod';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { GrantError, grantOf } from '../../../lib/permissions/grant';
import { policyOf } from '../../../lib/permissions/policy';
import fc from '../../support/fuzz';
import { type Authorization, allowsAll, evaluate, type Policy } from '../../support/iam';
import {
  designs,
  KINDS,
  keyOf,
  LISTED,
  type RandomDesign,
  type RandomEntity,
  TENANTS,
  type TenantType,
  type Values,
  valuesOf,
} from '../../support/tenant-designs';

/** The number of item and tenant pairs to try. Set `TENANT_PAIRS=1000000` for a full run. */
const PAIRS = Number(process.env.TENANT_PAIRS ?? 60_000);
const ITEMS = 16;
const TAG = 'aws:PrincipalTag/tenantId';

const tenantSchemas: Readonly<Record<TenantType, z.ZodType | undefined>> = {
  text: z.string(),
  number: z.int(),
  listed: z.enum(LISTED as ['a']),
  optional: z.string().optional(),
  none: undefined,
};

/**
 * The places where items are written or read: the table, an index, and an index whose partition key has two attributes.
 */
const PLACES = [
  { place: 'put', index: undefined, by: ['PK'] },
  { place: 'query', index: undefined, by: ['PK'] },
  { place: 'index', index: 'GSI1', by: ['GSI1PK'] },
  { place: 'two', index: 'byTwo', by: ['A', 'B'] },
] as const;
type Place = (typeof PLACES)[number];

function systemOf({ partition, entities }: RandomDesign): SystemDesign {
  const patterns: Record<string, PatternDesign> = {};
  const named = entities.map((one, i): [string, EntityDesign] => {
    const name = `E${i}`;
    for (const at of PLACES) {
      const by = namesOf(partition, at);
      const where = Object.fromEntries(by.map((key) => [key, one.keys[key] ?? `<${key}>`]));
      if (at.index !== undefined && by.some((key) => one.keys[key] === undefined)) continue;
      patterns[`${at.place}${i}`] =
        at.place === 'put'
          ? { op: 'put', entity: name }
          : { op: 'query', where, returns: [name], ...(at.index && { index: at.index }) };
    }
    return [name, entityOf(one, `E${i}`)];
  });
  const things: TableDesign = {
    name: 'things',
    key: { partition, sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK' }, byTwo: { partition: ['A', 'B'] } },
    entities: Object.fromEntries(named),
    patterns,
  };
  return { name: 'acme', cloud: 'aws', tenant: 'tenantId', tables: { things } };
}

function entityOf({ tenant, keys, while: kind }: RandomEntity, SK: string): EntityDesign {
  const tenantId = tenantSchemas[tenant];
  const text = z.string();
  const others = { region: text, slug: text, kind: z.enum(KINDS as ['a']), n: z.int() };
  return {
    attributes: z.object({ ...(tenantId && { tenantId }), ...others }),
    keys: { ...keys, SK },
    ...(kind && { indexes: { GSI1: { while: { kind: [kind] } } } }),
  };
}

/** Returns the partition key attributes of a place. The partition key of the table may be a natural key. */
const namesOf = (partition: string, { by }: Place) => by.map((key) => (key === 'PK' ? partition : key));

interface Stored {
  readonly entity: number;
  readonly values: Values;
}

/** Returns the IAM request for an item in a place; undefined if the item is not in that place. */
function askedOf({ partition, entities }: RandomDesign, { entity, values }: Stored, place: Place, tag: string) {
  const { keys, while: kind } = entities[entity] as RandomEntity;
  if (place.index === 'GSI1' && kind !== undefined && values.kind !== kind) return undefined;
  const found = namesOf(partition, place).map((key) => {
    const text = keys[key] ?? (key === 'tenantId' ? '<tenantId>' : undefined);
    return text && keyOf(text, values);
  });
  const [first, second] = found;
  if (first === undefined || found.includes(undefined)) return undefined;
  const context: Authorization['context'] =
    second === undefined
      ? { 'dynamodb:LeadingKeys': [first] }
      : { 'dynamodb:FirstPartitionKeyValues': [first], 'dynamodb:SecondPartitionKeyValues': [second] };
  return {
    action: place.place === 'put' ? 'dynamodb:PutItem' : 'dynamodb:Query',
    resource: place.index === undefined ? 'table' : `table/index/${place.index}`,
    context: { ...context, [TAG]: tag },
  };
}

const at = { region: 'eu-west-1', tableArn: () => 'table' };

function policyFor(of: SystemDesign, names: readonly string[]): Policy | undefined {
  try {
    return policyOf(grantOf({ of, names, tenant: { variable: TAG } }), at);
  } catch (error) {
    if (error instanceof GrantError) return undefined;
    throw error;
  }
}

const count = { pairs: 0, granted: 0, refused: 0, own: 0, transactions: 0 };

/**
 * A grant, and the entities it covers. A number and the same number as a string are the ids of two different tenants.
 */
interface Granted {
  readonly policy: Policy;
  readonly place: Place;
  readonly entities: readonly number[];
}

function* grantsOf(design: RandomDesign): Iterable<Granted> {
  const system = systemOf(design);
  const { patterns = {} } = system.tables.things as TableDesign;
  for (const place of PLACES) {
    const each = design.entities.flatMap((_, i) => {
      const name = `${place.place}${i}`;
      const policy = name in patterns ? policyFor(system, [name]) : undefined;
      if (name in patterns) count[policy === undefined ? 'refused' : 'granted']++;
      return policy === undefined ? [] : [{ name, policy, entities: [i] }];
    });
    for (const { policy, entities } of each) yield { policy, place, entities };
    if (each.length < 2) continue;
    const policy = policyFor(
      system,
      each.map(({ name }) => name),
    ) as Policy;
    yield { policy, place, entities: each.flatMap(({ entities }) => entities) };
  }
}

const typeOf = (entity: RandomEntity | undefined) => (entity?.tenant === 'number' ? 'number' : 'string');

function tryPairs(design: RandomDesign, { policy, place, entities }: Granted, items: readonly Stored[]): void {
  const types = new Set(entities.map((i) => typeOf(design.entities[i])));
  // A session is tagged only with a tenant that exists, so the id in the tag matches one of the schemas.
  const ids = design.entities.flatMap(({ tenant }) => TENANTS[tenant]).filter((id) => id !== undefined);
  const tags = [...new Set(ids.map(String))];
  for (const tag of tags) {
    const allowed: Authorization[] = [];
    const foreign: Authorization[] = [];
    for (const item of items) {
      const asked = askedOf(design, item, place, tag);
      if (asked === undefined) continue;
      count.pairs++;
      const { tenantId } = item.values;
      const isOwn = String(tenantId) === tag && types.has(typeof tenantId as 'string');
      const isAllowed = evaluate([policy], asked) === 'allowed';
      if (isAllowed && !isOwn) throw new Error(`LEAK: tenant '${tag}' reaches ${shown(design, item, asked, policy)}`);
      if (!isOwn) foreign.push(asked);
      if (!isOwn || !entities.includes(item.entity)) continue;
      count.own++;
      if (!isAllowed) throw new Error(`DENIED: tenant '${tag}' misses its own ${shown(design, item, asked, policy)}`);
      allowed.push(asked);
    }
    if (place.place !== 'put' || allowed.length < 2) continue;
    count.transactions++;
    expect(allowsAll([policy], allowed)).toBe('always');
    if (foreign[0] !== undefined) expect(allowsAll([policy], [...allowed, foreign[0]])).toBe('never');
  }
}

const shown = (design: RandomDesign, item: Stored, asked: Authorization, policy: Policy) =>
  JSON.stringify({ design, item, asked, policy }, null, 1);

test("a tenant grant reaches every item of its tenant and no other tenant's items, in any design", () => {
  const drawn = fc.array(fc.nat({ max: 2 ** 30 }), { minLength: ITEMS, maxLength: ITEMS });
  for (let run = 0; count.pairs < PAIRS; run++) {
    const seed = Number(process.env.FUZZ_SEED ?? 0) + run;
    fc.assert(
      fc.property(designs, drawn, (design, numbers) => {
        const items = design.entities.flatMap((one, entity) =>
          numbers.map((number) => ({ entity, values: valuesOf(one, number) })),
        );
        for (const granted of grantsOf(design)) tryPairs(design, granted, items);
      }),
      { numRuns: 20, seed },
    );
  }
  if (process.env.TENANT_PAIRS !== undefined) console.log(count);
  // The run must include enough grants, refusals, items of the tagged tenant, and transactions.
  expect(count.granted).toBeGreaterThan(PAIRS / 10_000);
  expect(count.refused).toBeGreaterThan(PAIRS / 10_000);
  expect(count.own).toBeGreaterThan(PAIRS / 100);
  expect(count.transactions).toBeGreaterThan(PAIRS / 10_000);
}, 1_800_000);

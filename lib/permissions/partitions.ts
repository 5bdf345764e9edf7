import type { Access } from '../blueprint/accesses';
import { canMeet, type KeyShape, shapeOf } from '../blueprint/key-shape';
import { entityNamed, type TableOutline } from '../blueprint/outline';
import { lonePart, type Template } from '../design/template';
import { type KeyPattern, leadingKey, strayKeys, type TenantVariable } from './leading-keys';

/** The partitions that one pattern reaches with one action, as precisely as a policy can express them. */
export interface Partitions {
  /** The `StringLike` patterns, which together match all `keys`. */
  readonly like: readonly string[];
  /** Keys that the `StringLike` patterns match unintentionally, if an entity can have such keys. */
  readonly strays: readonly KeyPattern[];
  /** The keys that the pattern must reach. */
  readonly keys: readonly KeyShape[];
  /** The tenant to which the pattern is limited, if the tenant's id is only part of the key. */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

/**
 * Returns the partitions of accesses that IAM may evaluate together, such as the keys of a batch. Returns undefined if
 * no policy can limit the partitions. For a multi-attribute key, `position` selects one attribute.
 */
export function partitionsOf(
  table: TableOutline,
  accesses: readonly Access[],
  tenantIn: (access: Access) => TenantVariable | undefined,
  position = 0,
): Partitions | undefined {
  const reached: Reach[] = [];
  for (const access of accesses) {
    const reach = reachOf(table, access, tenantIn(access), position);
    if (reach === undefined) return undefined;
    reached.push(reach);
  }
  const keys = reached.map((reach) => reach.keys);
  const { variable, separator } = accesses.map(tenantIn).find((tenant) => tenant?.separator !== undefined) ?? {};
  return {
    like: reached.map(({ like }) => like),
    strays: reached.flatMap(({ strays }) => strays((shape) => !meetsAny(table, shape, keys))),
    keys,
    ...(variable === undefined || separator === undefined ? {} : { tenant: { variable, separator } }),
  };
}

/** Whether two accesses can share a statement: neither access may exclude a key that the other access must reach. */
export function canShare(table: TableOutline, a: Partitions, b: Partitions): boolean {
  const excludes = ({ strays }: Partitions, { keys }: Partitions) =>
    strays.some(({ shape }) => meetsAny(table, shape, keys));
  return !excludes(a, b) && !excludes(b, a);
}

function meetsAny({ separator }: TableOutline, shape: KeyShape, keys: readonly KeyShape[]): boolean {
  return keys.some((key) => canMeet(key, shape, separator));
}

interface Reach {
  readonly like: string;
  /** Returns the keys to exclude, as far as `canExclude` allows it. */
  strays(canExclude: (shape: KeyShape) => boolean): readonly KeyPattern[];
  readonly keys: KeyShape;
}

function reachOf(
  table: TableOutline,
  access: Access,
  tenant: TenantVariable | undefined,
  position: number,
): Reach | undefined {
  const template = access.partition?.[position]?.at;
  const { partitionBy } = table.indexes.find(({ name }) => name === access.index) ?? table.key;
  const partition = partitionBy[position];
  // AWS does not document how IAM represents numbers or bytes, and a condition that never matches would deny all
  // access.
  if (partition?.type !== 'string' || template === undefined) return undefined;
  const natural = isNatural(table, access, template, partition.name);
  const like = leadingKey(template, tenant);
  const occupied = occupiedBy(table, partition.name);
  const strays: Reach['strays'] = (canExclude) => {
    const excluded = new Map<string, KeyPattern>();
    // If another part of the statement needs a key with one extra separator, excludes only keys with more separators.
    const byExtra = natural ? [] : EXTRA.map((extra) => strayKeys(template, table.separator, extra, tenant));
    for (const i of byExtra[0]?.keys() ?? []) {
      const stray = byExtra.map((some) => some[i] as KeyPattern).find(({ shape }) => canExclude(shape));
      if (stray !== undefined && meetsAny(table, stray.shape, occupied)) excluded.set(stray.pattern, stray);
    }
    return [...excluded.values()];
  };
  if (like === undefined && strays(() => true).length === 0) return undefined;
  return { like: like ?? '*', strays, keys: shapeOf(template, { natural }) };
}

/** How many extra separators an excluded key may have. */
const EXTRA = [1, 2, 3, 4];

/** Whether a key is natural: its value may then contain the separator. */
function isNatural(table: TableOutline, { entities }: Access, template: Template, attribute: string): boolean {
  const isTemplated = (name: string) => entityNamed(table, name)?.keys.get(attribute)?.natural === false;
  return lonePart(template) !== undefined && (entities.length === 0 || !entities.every(isTemplated));
}

const known = new WeakMap<TableOutline, Map<string, readonly KeyShape[]>>();

/** Returns the shapes of all keys that entities store in a partition key attribute. */
function occupiedBy(table: TableOutline, attribute: string): readonly KeyShape[] {
  const byAttribute = known.get(table) ?? new Map<string, readonly KeyShape[]>();
  known.set(table, byAttribute);
  const sources = () => table.entities.flatMap(({ keys }) => keys.get(attribute) ?? []);
  const shapes = byAttribute.get(attribute) ?? sources().map((source) => shapeOf(source.template, source));
  byAttribute.set(attribute, shapes);
  return shapes;
}

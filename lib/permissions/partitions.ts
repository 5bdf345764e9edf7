import type { Access } from '../blueprint/accesses';
import { canMeet, type KeyShape, shapeOf } from '../blueprint/key-shape';
import { entityNamed, type TableOutline } from '../blueprint/outline';
import { loneHole, type Template } from '../design/template';
import { type KeyPattern, leadingKey, strayKeys, type TenantVariable } from './leading-keys';

/** The partitions that one pattern reaches with one action, as far as a policy can express it. */
export interface Partitions {
  /** `StringLike` patterns; each key matches one of them. */
  readonly like: readonly string[];
  /** Other keys that these match, if they can be partitions of an entity. */
  readonly strays: readonly KeyPattern[];
  /** The keys that must be reached. */
  readonly keys: readonly KeyShape[];
  /** The tenant that the pattern is held to, if it is part of a longer key. */
  readonly tenant?: Required<Pick<TenantVariable, 'variable' | 'separator'>>;
}

/** What accesses reach that IAM may decide on together, such as the keys of a batch; undefined if anything. */
export function partitionsOf(
  table: TableOutline,
  accesses: readonly Access[],
  tenantIn: (access: Access) => TenantVariable | undefined,
): Partitions | undefined {
  const reached: Reach[] = [];
  for (const access of accesses) {
    const reach = reachOf(table, access, tenantIn(access));
    if (reach === undefined) return undefined;
    reached.push(reach);
  }
  const keys = reached.map((reach) => reach.keys);
  const { variable, separator } = accesses.map(tenantIn).find((tenant) => tenant?.separator !== undefined) ?? {};
  return {
    like: reached.map(({ like }) => like),
    strays: reached.flatMap(({ strays }) => strays).filter(({ shape }) => !meetsAny(table, shape, keys)),
    keys,
    ...(variable === undefined || separator === undefined ? {} : { tenant: { variable, separator } }),
  };
}

/** Whether two can be in one statement: neither may exclude what the other must reach. */
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
  readonly strays: readonly KeyPattern[];
  readonly keys: KeyShape;
}

function reachOf(table: TableOutline, access: Access, tenant: TenantVariable | undefined): Reach | undefined {
  const template = access.partition?.[0].at;
  const { partitionBy } = table.indexes.find(({ name }) => name === access.index) ?? table.key;
  const [partition, ...more] = partitionBy;
  // AWS does not document how IAM writes a number, bytes or several attributes, and a condition that is never met helps nobody.
  if (partition.type !== 'string' || more.length > 0 || template === undefined) return undefined;
  const natural = isNatural(table, access, template, partition.name);
  const like = leadingKey(template, tenant);
  const occupied = occupiedBy(table, partition.name);
  const strays = natural
    ? []
    : strayKeys(template, table.separator, tenant).filter(({ shape }) => meetsAny(table, shape, occupied));
  if (like === undefined && strays.length === 0) return undefined;
  return { like: like ?? '*', strays, keys: shapeOf(template, { natural }) };
}

/** Whether the key is natural, and so may contain the separator. */
function isNatural(table: TableOutline, { entities }: Access, template: Template, attribute: string): boolean {
  const isTemplated = (name: string) => entityNamed(table, name)?.keys.get(attribute)?.natural === false;
  return loneHole(template) !== undefined && (entities.length === 0 || !entities.every(isTemplated));
}

const known = new WeakMap<TableOutline, Map<string, readonly KeyShape[]>>();

/** The partitions of all entities, in the table or in an index. */
function occupiedBy(table: TableOutline, attribute: string): readonly KeyShape[] {
  const byAttribute = known.get(table) ?? new Map<string, readonly KeyShape[]>();
  known.set(table, byAttribute);
  const sources = () => table.entities.flatMap(({ keys }) => keys.get(attribute) ?? []);
  const shapes = byAttribute.get(attribute) ?? sources().map((source) => shapeOf(source.template, source));
  byAttribute.set(attribute, shapes);
  return shapes;
}

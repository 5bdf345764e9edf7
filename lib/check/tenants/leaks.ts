import type { Kind } from '../../blueprint/attributes/schema';
import { canMeet, shapeOf } from '../../blueprint/key-shape';
import {
  type EntityBlueprint,
  type KeyBlueprint,
  type KeySource,
  keysIn,
  type TableBlueprint,
} from '../../blueprint/table';
import { isOnePart } from '../../blueprint/template-parts';
import {
  isSameTenant,
  kindText,
  type TenantPart,
  type TenantSystem,
  tenantIn,
  tenantKind,
} from '../../blueprint/tenant';
import { headOf, type Template } from '../../design/template';
import { TenantReach, type Trespass } from './tenant-reach';

/** An entity whose items a tenant would reach, although they belong to a different tenant or to no tenant. */
export interface TenantLeak {
  readonly source: KeySource;
  /**
   * An example: a tenant, and a key that it would reach but does not own.
   * @default - the search took too long to find or rule out a tenant
   */
  readonly example?: Trespass;
  /** The type of tenant ids in the entity, if it differs from the type in the grant. @default - the types are the same */
  readonly kind?: Kind;
}

/** The granted partition, as the value that each attribute of the partition key must equal. */
export type GrantedPartition = readonly { readonly at: Template }[];

/**
 * Finds the entities whose items a foreign tenant would reach even if a policy limits each tenant to the partition keys
 * that contain its id. IAM compares text: for a tenant named `APIKEY`, a grant of `<tenantId>#*` also covers
 * `APIKEY#1`.
 */
export function tenantLeaks(
  table: TableBlueprint,
  key: KeyBlueprint,
  granted: TenantPart,
  system: TenantSystem,
  partition: GrantedPartition,
): readonly TenantLeak[] {
  let reach: TenantReach | undefined;
  return table.entities.flatMap((entity): readonly TenantLeak[] => {
    const source = entity.keys.get(granted.attribute.name);
    if (source === undefined || !canShare(table, key, granted, partition, entity)) return [];
    const kind = tenantKind(entity, system.tenant);
    const tenant = tenantIn(entity, source.template, system.tenant);
    // The number 7 and the text '7' are two different tenants, but become the same text in a key.
    const isTyped = tenant === undefined || kind === granted.kind;
    const owner = isTyped ? tenant : undefined;
    if (isSameTenant(granted, source, owner, table.separator)) return [];
    reach ??= new TenantReach(granted, table.separator, system);
    const trespass = reach.into(source, owner);
    if (trespass === undefined) return [];
    const leak = isTyped ? { source } : { source, kind };
    return [trespass === 'unknown' ? leak : { ...leak, example: trespass }];
  });
}

/**
 * Whether an entity can be in the granted partition: the entity must have the keys of the table or index, and the other
 * attributes of its partition key must match.
 */
function canShare(
  { separator }: TableBlueprint,
  key: KeyBlueprint,
  granted: TenantPart,
  partition: GrantedPartition,
  entity: EntityBlueprint,
): boolean {
  const sources = keysIn(entity, key);
  return (
    sources !== undefined &&
    key.partitionBy.every(({ name, type }, i) => {
      const [ours, theirs] = [partition[i]?.at, sources[i] as KeySource];
      if (name === granted.attribute.name || type !== 'string' || ours === undefined) return true;
      return canMeet(shapeOf(ours, { natural: isOnePart(ours) }), shapeOf(theirs.template, theirs), separator);
    })
  );
}

/** A grant that leaks, and the entities that it is meant for. */
export interface LeakyGrant {
  readonly table: TableBlueprint;
  readonly key: KeyBlueprint;
  readonly entities: readonly string[];
  readonly granted: TenantPart;
  readonly tenant: string;
}

/** The message and the fix for a grant that leaks. */
export function describeLeaks(grant: LeakyGrant, [leak, ...more]: readonly [TenantLeak, ...TenantLeak[]]) {
  const { source } = leak;
  const entity = grant.entities.find((name) => name !== source.entity) ?? source.entity;
  const where = 'name' in grant.key ? `index ${grant.key.name}` : 'the table';
  const ours = `${entity} ('${grant.granted.partition.text}')`;
  const theirs = `${source.entity} ('${source.template.text}')`;
  const others =
    more.length === 0 ? '' : `; the same applies to ${more.map((other) => other.source.entity).join(', ')}`;
  return {
    message: `${ours} and ${theirs} share ${where}, and a policy compares only text, so ${reached(grant, leak)}${others}`,
    ...remedyOf(grant, entity, leak),
  };
}

function reached({ granted, tenant: name }: LeakyGrant, { source: { entity }, example, kind }: TenantLeak): string {
  if (example === undefined) return `a tenant may be able to reach other tenants' ${entity} items`;
  const { tenant, key, owner } = example;
  const who = tenant === '' ? 'a session whose tag is empty' : `the tenant '${tenant}'`;
  const typed = `a tenant whose <${name}> is ${kindText(kind as Kind)}, not ${kindText(granted.kind)}`;
  const whose = kind !== undefined ? typed : owner === undefined ? 'no tenant' : `the tenant '${owner}'`;
  return `${who} would reach the ${entity} '${key}', which belongs to ${whose}`;
}

interface Remedy {
  readonly fix: string;
  /** The key to write instead. @default - something other than the key has to change */
  readonly proposed?: string;
}

/** Proposes keys that begin with different words, because such keys are never equal. A natural key cannot begin with a word. */
function remedyOf({ table, granted, tenant }: LeakyGrant, entity: string, leak: TenantLeak): Remedy {
  const { source } = leak;
  const form = `give <${tenant}> a format that no other key has, such as z.uuid()`;
  if (leak.kind !== undefined) {
    const fix = `give <${tenant}> the same schema in ${source.entity} as in ${entity}, or move ${source.entity} to a separate table or index`;
    return { fix };
  }
  const [ours, theirs] = [granted.partition.text, source.template.text];
  if (entity === source.entity)
    return { fix: `change the partition key of ${entity} to '${theirs}'`, proposed: theirs };
  if (granted.natural || source.natural) {
    return { fix: `move ${source.entity} to a separate table or index, or ${form}` };
  }
  const wordOf = (name: string) => `${name.toUpperCase()}${table.separator}`;
  const [word, head] = [wordOf(entity), headOf(source.template)];
  const isApart = head !== '' && !head.startsWith(word) && !word.startsWith(head);
  const proposed = `${word}${ours}`;
  const fix = isApart
    ? `begin the key of ${entity} with a distinct word: '${proposed}', or ${form}`
    : `begin each key with a distinct word: '${proposed}' and '${wordOf(source.entity)}${theirs}', or ${form}`;
  return { fix, proposed };
}

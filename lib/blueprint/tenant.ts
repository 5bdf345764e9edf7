import { withArticle } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { Part, Template } from '../design/template';
import { type Access, type Held, partitionText } from './accesses';
import { attributeAt } from './attributes/facts';
import type { Kind } from './attributes/schema';
import { counterpartOf } from './keys';
import { separatorsIn } from './leading-key';
import type { EntityOutline } from './outline';
import {
  type EntityBlueprint,
  entitiesNamed,
  entityNamed,
  type KeyAttribute,
  type KeySource,
  type TableBlueprint,
} from './table';
import { partsOf, placesOf, shownPart } from './template-parts';
import { isSameName } from './words';

/** A system whose items belong to tenants. */
export type TenantSystem = SystemDesign & { readonly tenant: string };

/** Whether a part of an entity's key holds the tenant that an item belongs to. */
export type IsTenant = (entity: EntityOutline, part: Part) => boolean;

/**
 * Returns a test for whether a part of an entity's key holds the tenant. A part holds the tenant if it is the entity's
 * tenant attribute, wherever it is in the key and whatever text comes before it.
 */
export function tenantsIn({ tenant }: Pick<TenantSystem, 'tenant'>): IsTenant {
  return (entity, { path }) => path.join('.') === tenantAttribute(entity, tenant)?.join('.');
}

const before = new WeakMap<EntityOutline, Map<string, readonly string[] | undefined>>();

/**
 * Returns the path of the attribute that holds an entity's tenant. It is the attribute with the name of the system's
 * tenant, or else the only attribute in the entity's keys whose path ends with that name. In the entity for the tenants
 * themselves (`Tenant` for `tenantId`), the attribute may also be called `id`.
 */
export function tenantAttribute(entity: EntityOutline, tenant: string): readonly string[] | undefined {
  const known = before.get(entity) ?? new Map<string, readonly string[] | undefined>();
  before.set(entity, known);
  if (!known.has(tenant)) {
    const isItself = isSameName(entity.name, tenant) || isSameName(`${entity.name}Id`, tenant);
    known.set(tenant, pathNamed(entity, tenant) ?? (isItself ? pathNamed(entity, 'id') : undefined));
  }
  return known.get(tenant);
}

function pathNamed({ attributes, keys }: EntityOutline, name: string): readonly string[] | undefined {
  const own = attributes.find((attribute) => attribute === name) ?? attributes.find((one) => isSameName(one, name));
  if (own !== undefined) return [own];
  const paths = [...keys.values()].flatMap(({ template }) => partsOf(template).map(({ path }) => path));
  const [path, ...more] = paths.filter((one) => isSameName(one.at(-1) as string, name));
  return more.every((other) => other.join('.') === path?.join('.')) ? path : undefined;
}

/** Returns the part of a key attribute's template that holds the tenant of an entity. */
export function tenantIn(entity: EntityOutline, template: Template, tenant: string): Part | undefined {
  const isTenant = tenantsIn({ tenant });
  return partsOf(template).find((part) => isTenant(entity, part));
}

/** The partition, the index and the entities that an access reaches. */
type Reached = Pick<Access, 'partition' | 'index' | 'entities'>;

/** A part of a partition, and the attribute of the partition key that contains it. */
interface PartAt {
  readonly part: Part;
  readonly partition: Template;
  readonly attribute: KeyAttribute;
}

/**
 * Returns the part of an access's partition that holds the tenant in every entity that the access reaches, regardless
 * of the parameter's name.
 */
export function tenantOf(table: TableBlueprint, access: Reached, tenant: string): PartAt | undefined {
  const { partition = [], index, entities } = access;
  const key = table.indexes.find(({ name }) => name === index) ?? table.key;
  const isTenant = tenantsIn({ tenant });
  // A parameter named like a different attribute of the entity stands for that attribute.
  const isAnother = (entity: EntityOutline, { path, name }: Part, there: Part) =>
    !isSameName(name, there.name) && entity.attributes.some((attribute) => isSameName(attribute, path.join('.')));
  const standsForIt = ({ attribute, at }: Held, part: Part) =>
    entities.length > 0 &&
    entities.every((name) => {
      const entity = entityNamed(table, name);
      const template = entity?.keys.get(attribute.name)?.template;
      const there = template && counterpartOf(at, part, template);
      return entity && there && isTenant(entity, there) && !isAnother(entity, part, there);
    });
  return partition.slice(0, key.partitionBy.length).flatMap((held) =>
    partsOf(held.at)
      .filter((part) => standsForIt(held, part))
      .map((part) => ({ part, partition: held.at, attribute: held.attribute })),
  )[0];
}

/** Finds a part that the text before it marks as the tenant, such as `<slug>` in `TENANT#<slug>`. */
export function strangerFor(template: Template, tenant: string): Part | undefined {
  return placesOf(template).find(({ lead }) => namesIt(lead, tenant))?.part;
}

/** The part of a partition that holds the tenant. A policy can limit a caller to one tenant by comparing this part. */
export interface TenantPart extends PartAt {
  /** Whether the attribute is a natural key, so that the tenant's id may contain the separator. */
  readonly natural: boolean;
  /** The type of the tenant ids: strings or numbers. */
  readonly kind: Kind;
}

/**
 * Returns the part of an access's partition that holds the tenant, or the reason why no policy can limit a caller to
 * one tenant.
 */
export function tenantPart(
  table: TableBlueprint,
  access: Reached,
  { tenant }: Pick<TenantSystem, 'tenant'>,
): TenantPart | { readonly problem: string } {
  const key = table.indexes.find(({ name }) => name === access.index) ?? table.key;
  const found = tenantOf(table, access, tenant);
  const held = access.partition?.slice(0, key.partitionBy.length) ?? [];
  const where = `partition '${partitionText(held) || key.partitionBy[0].name}' of ${access.index ?? 'the table'}`;
  if (found === undefined) return { problem: `${where} does not contain <${tenant}>` };
  const { part, partition, attribute } = found;
  const fault = faultOf(partition, part, table.separator);
  if (fault !== undefined) return { problem: `${where}: ${fault}` };
  // A tag is a string. A condition that compares a tag with a key of another type would deny everything or allow
  // everything.
  if (attribute.type !== 'string')
    return { problem: `${where} is ${withArticle(attribute.type)}, but a tag can be compared only with a string` };
  const entities = entitiesNamed(table, access.entities);
  const kinds = new Set(entities.map((entity) => tenantKind(entity, tenant)));
  const [kind = 'other', ...more] = kinds;
  if (more.length > 0 || (kind !== 'string' && kind !== 'number')) {
    const types = entities.map((entity) => `${kindText(tenantKind(entity, tenant))} in ${entity.name}`).join(', ');
    return { problem: `${where}: <${tenant}> is ${types}, so the ids of two tenants can be equal in a key` };
  }
  const isNatural = (entity: EntityBlueprint) => entity.keys.get(attribute.name)?.natural === true;
  return { ...found, kind, natural: partition.pieces.length === 1 && entities.some(isNatural) };
}

/** Returns the type of an entity's tenant ids, according to the entity's schema. */
export function tenantKind(entity: EntityOutline, tenant: string): Kind {
  const path = tenantAttribute(entity, tenant);
  return (path && attributeAt(entity.schema, path)?.kind) ?? 'other';
}

/** Formats a kind of value for a message. */
export function kindText(kind: Kind): string {
  return kind === 'other' ? 'of several types' : withArticle(kind);
}

/**
 * The text before the tenant must be fixed, and a separator must follow the tenant; otherwise, a policy for one tenant
 * could also match the keys of another tenant.
 */
function faultOf({ pieces }: Template, ours: Part, separator: string): string | undefined {
  const at = pieces.indexOf(ours);
  if (pieces.slice(0, at).some((part) => typeof part !== 'string')) {
    return `<${ours.name}> is not the first part, and the part before it could be mistaken for the tenant`;
  }
  const next = pieces[at + 1];
  if (next !== undefined && (typeof next !== 'string' || !next.startsWith(separator))) {
    return `<${ours.name}> is not followed by '${separator}', so one tenant's keys can begin like another's`;
  }
  if (ours.optional) return `<${ours.name}?> can be omitted, and the remaining key belongs to no tenant`;
  return ours.format === undefined ? undefined : `${shownPart(ours)} is formatted, but a tag contains the plain id`;
}

/**
 * Whether a key has its tenant in the same place as the granted partition, so that equal text means the same tenant.
 */
export function isSameTenant(
  granted: TenantPart,
  source: Pick<KeySource, 'template' | 'natural'>,
  owner: Part | undefined,
  separator: string,
): boolean {
  if (owner === undefined || owner.format !== undefined) return false;
  const [ours, theirs] = [granted.partition, source.template];
  if (ours.pieces.length === 1 && theirs.pieces.length === 1) return true;
  // A natural key's value may contain the separator, so the key can be split in several ways.
  if (granted.natural || source.natural || Array.from(separator).length !== 1) return false;
  const next = theirs.pieces[theirs.pieces.indexOf(owner) + 1];
  const ends = next === undefined || (typeof next === 'string' && next.startsWith(separator));
  const place = placeOf(theirs, owner, separator);
  return ends && place !== undefined && place === placeOf(ours, granted.part, separator);
}

/**
 * Returns the number of separators before a part, and the text between the last separator and the part; undefined if
 * this text contains a value.
 */
function placeOf({ pieces }: Template, ours: Part, separator: string): string | undefined {
  let [count, lead]: [number, string | undefined] = [0, ''];
  for (const part of pieces.slice(0, pieces.indexOf(ours))) {
    if (typeof part !== 'string') {
      const within = separatorsIn(part, separator);
      if (within === undefined) return undefined;
      [count, lead] = [count + within, undefined];
      continue;
    }
    const [first = '', ...more] = part.split(separator);
    count += more.length;
    lead = more.at(-1) ?? (lead === undefined ? undefined : `${lead}${first}`);
  }
  return lead === undefined ? undefined : `${count} ${lead}`;
}

/**
 * Whether a string ends with the word for a tenant, as `TENANT#` does for `tenantId`. A different word says nothing
 * about the part that follows.
 */
function namesIt(lead: string, tenant: string): boolean {
  const [word = ''] = /\p{L}*(?=\P{L}*$)/u.exec(lead) ?? [];
  const [name, said] = [tenant.replace(/_?id$/i, ''), word].map((text) => text.toLowerCase()) as [string, string];
  return Math.min(name.length, said.length) >= 3
    ? name.startsWith(said) || said.startsWith(name)
    : name === said && name !== '';
}

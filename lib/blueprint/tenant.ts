import type { SystemDesign } from '../design/system';
import type { Hole, Template } from '../design/template';
import { type Access, type Held, partitionText } from './accesses';
import { counterpartOf } from './keys';
import { blueprint, type EntityBlueprint, entityNamed, type KeySource, type TableBlueprint } from './table';
import { placesOf } from './template-parts';
import { isSameName, wordsOf } from './words';

/** A system whose items belong to tenants. */
export type TenantSystem = SystemDesign & { readonly tenant: string };

/** Whether a part of a template is the tenant. */
export type IsTenant = (template: Template, hole: Hole) => boolean;

/** A part is the tenant by its name, or because the same text is before it as before the tenant elsewhere in the system. */
export function tenantsIn(system: TenantSystem): IsTenant {
  const isNamed = ({ path }: Hole) => isSameName(path.at(-1) as string, system.tenant);
  const leads = leadsBefore.get(system) ?? new Set(leadsTo(system, isNamed));
  leadsBefore.set(system, leads);
  return (template, hole) =>
    isNamed(hole) || (leads.has(leadOf(template, hole)) && !isIdOfAnother(hole, system.tenant));
}

/** Whether a part is named as the id of something else, like `customerId`: that is no tenant, whatever comes before it. */
function isIdOfAnother({ path }: Hole, tenant: string): boolean {
  const words = wordsOf(path.at(-1) as string);
  const own = wordsOf(tenant).filter((word) => word !== 'id');
  return words.length > 1 && words.includes('id') && !own.some((word) => words.includes(word));
}

/** Where an access goes. */
type Reached = Pick<Access, 'partition' | 'index' | 'entities'>;

/** The part of an access's partition that is the tenant: by its name, or because it stands for the tenant in every entity read. */
export function tenantOf(plan: TableBlueprint, access: Reached, isTenant: IsTenant): Hole | undefined {
  const { partition, index, entities } = access;
  if (partition === undefined) return undefined;
  const key = plan.indexes.find(({ name }) => name === index) ?? plan.key;
  // A parameter named like another attribute of the entity is that attribute.
  const isAnother = (entity: EntityBlueprint, { path, name }: Hole, there: Hole) =>
    !isSameName(name, there.name) && entity.attributes.some((attribute) => isSameName(attribute, path.join('.')));
  const standsForIt = ({ attribute, at }: Held, hole: Hole) =>
    entities.length > 0 &&
    entities.every((name) => {
      const entity = entityNamed(plan, name);
      const template = entity?.keys.get(attribute.name)?.template;
      const there = template && counterpartOf(at, hole, template);
      return (
        there !== undefined &&
        isTenant(template as Template, there) &&
        !isAnother(entity as EntityBlueprint, hole, there)
      );
    });
  return partition
    .slice(0, key.partitionBy.length)
    .flatMap((held) => held.at.holes.filter((hole) => isTenant(held.at, hole) || standsForIt(held, hole)))[0];
}

/** The id of something else where the text of a template names the tenant: `TENANT#<customerId>`. */
export function strangerFor(template: Template, tenant: string): Hole | undefined {
  return template.holes.find((hole) => isIdOfAnother(hole, tenant) && namesIt(leadOf(template, hole), tenant));
}

/** The tenant's part of a partition, to which a policy can limit a caller. */
export interface TenantPart {
  readonly partition: Template;
  readonly hole: Hole;
  /** Whether the partition is a natural key, so that the tenant's id may hold the separator. */
  readonly natural: boolean;
}

/** The tenant's part of the partition that an access goes to, or why no policy can limit a caller to it. */
export function tenantPart(
  plan: TableBlueprint,
  access: Reached,
  system: TenantSystem,
): TenantPart | { readonly problem: string } {
  const key = plan.indexes.find(({ name }) => name === access.index) ?? plan.key;
  const hole = tenantOf(plan, access, tenantsIn(system));
  const [{ name: attribute, type }, ...more] = key.partitionBy;
  const held = access.partition?.slice(0, key.partitionBy.length) ?? [];
  const where = `partition '${partitionText(held) || attribute}' of ${access.index ?? 'the table'}`;
  const partition = held[0]?.at;
  if (partition === undefined || hole === undefined) return { problem: `${where} does not hold <${system.tenant}>` };
  // If the condition were compared with something else, it would deny everything, or let everybody in.
  if (more.length > 0) {
    return { problem: `${where} is several attributes, and AWS does not document how dynamodb:LeadingKeys shows them` };
  }
  const fault = faultOf(partition, hole, plan.separator);
  if (fault !== undefined) return { problem: `${where}: ${fault}` };
  if (type !== 'string') return { problem: `${where} is a ${type}, but a tag is compared with text` };
  const isNatural = (entity: string) => entityNamed(plan, entity)?.keys.get(attribute)?.natural === true;
  return { partition, hole, natural: partition.parts.length === 1 && access.entities.some(isNatural) };
}

/** The text before the tenant must be fixed, and a separator must follow it, or one tenant's keys match another's. */
function faultOf({ parts }: Template, hole: Hole, separator: string): string | undefined {
  const at = parts.indexOf(hole);
  if (parts.slice(0, at).some((part) => typeof part !== 'string')) {
    return `<${hole.name}> is not the first part, and what comes before it could pass for the tenant`;
  }
  const next = parts[at + 1];
  if (next !== undefined && (typeof next !== 'string' || !next.startsWith(separator))) {
    return `<${hole.name}> does not end at a '${separator}', so the keys of one tenant can begin like another's`;
  }
  return hole.format === undefined ? undefined : `<${hole.name}:${hole.format}> is not the tenant as a tag has it`;
}

/** Whether a key has its tenant where the granted partition has it, so that the same text is the same tenant. */
export function isSameTenant(
  granted: TenantPart,
  source: Pick<KeySource, 'template' | 'natural'>,
  owner: Hole | undefined,
  separator: string,
): boolean {
  if (owner === undefined || owner.format !== undefined) return false;
  const [ours, theirs] = [granted.partition, source.template];
  if (ours.parts.length === 1 && theirs.parts.length === 1) return true;
  // Values do not hold the separator, so a key can be cut in only one way; the value of a natural key may hold it.
  if (granted.natural || source.natural || Array.from(separator).length !== 1) return false;
  const next = theirs.parts[theirs.parts.indexOf(owner) + 1];
  const ends = next === undefined || (typeof next === 'string' && next.startsWith(separator));
  const place = placeOf(theirs, owner, separator);
  return ends && place !== undefined && place === placeOf(ours, granted.hole, separator);
}

/** How many separators come before a part, and the text right before it; undefined if a value is in between. */
function placeOf({ parts }: Template, hole: Hole, separator: string): string | undefined {
  let [count, lead]: [number, string | undefined] = [0, ''];
  for (const part of parts.slice(0, parts.indexOf(hole))) {
    // If the separator is `-`, a date holds some itself.
    if (typeof part !== 'string' && part.format === 'date' && separator === '-') return undefined;
    const [first = '', ...more] = typeof part === 'string' ? part.split(separator) : [];
    count += more.length;
    lead = typeof part !== 'string' ? undefined : (more.at(-1) ?? (lead === undefined ? undefined : `${lead}${first}`));
  }
  return lead === undefined ? undefined : `${count} ${lead}`;
}

const leadsBefore = new WeakMap<SystemDesign, ReadonlySet<string>>();

function* leadsTo({ tables, tenant }: TenantSystem, isTenant: (hole: Hole) => boolean): Iterable<string> {
  for (const { sources } of Object.values(tables).map(blueprint)) {
    for (const { template } of sources) {
      for (const hole of template.holes.filter(isTenant)) {
        const lead = leadOf(template, hole);
        if (namesIt(lead, tenant)) yield lead;
      }
    }
  }
}

/** Whether a text ends with the word for a tenant, as `TENANT#` does for `tenantId`; after another word, anything may follow. */
function namesIt(lead: string, tenant: string): boolean {
  const [word = ''] = /\p{L}*(?=\P{L}*$)/u.exec(lead) ?? [];
  const [name, said] = [tenant.replace(/_?id$/i, ''), word].map((text) => text.toLowerCase()) as [string, string];
  return Math.min(name.length, said.length) >= 3
    ? name.startsWith(said) || said.startsWith(name)
    : name === said && name !== '';
}

function leadOf(template: Template, hole: Hole): string {
  return placesOf(template).find((place) => place.hole === hole)?.lead ?? '';
}

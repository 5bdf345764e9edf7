import { type KeyBlueprint, type KeySource, keyOf, type TableBlueprint } from '../blueprint/table';
import { partsOf } from '../blueprint/template-parts';
import { isSameTenant, type TenantPart, type TenantSystem, tenantsIn } from '../blueprint/tenant';
import { headOf } from '../design/template';
import { TenantReach, type Trespass } from './tenant-reach';

/** An entity whose items a tenant would reach although they belong to somebody else. */
export interface TenantLeak {
  readonly source: KeySource;
  /** Such a tenant, and what it would reach. @default - no tenant was found in time, but none could be ruled out */
  readonly example?: Trespass;
}

/**
 * The entities whose items tenants would reach besides their own, if a policy limited them to their part of a partition.
 * IAM compares text: a grant of `<tenantId>#*` also covers `APIKEY#1`, for a tenant named `APIKEY`.
 */
export function tenantLeaks(
  plan: TableBlueprint,
  key: KeyBlueprint,
  granted: TenantPart,
  system: TenantSystem,
): readonly TenantLeak[] {
  const isTenant = tenantsIn(system);
  let reach: TenantReach | undefined;
  return plan.entities.flatMap((entity): readonly TenantLeak[] => {
    const source = entity.keys.get(key.partitionBy[0].name);
    if (source === undefined || !keyOf(key).every(({ name }) => entity.keys.has(name))) return [];
    const owner = partsOf(source.template).find((hole) => isTenant(source.template, hole));
    if (isSameTenant(granted, source, owner, plan.separator)) return [];
    reach ??= new TenantReach(granted, plan.separator, system);
    const trespass = reach.into(source, owner);
    if (trespass === undefined) return [];
    return [trespass === 'unknown' ? { source } : { source, example: trespass }];
  });
}

/** A grant that leaks, and the entities it is for. */
export interface LeakyGrant {
  readonly plan: TableBlueprint;
  readonly key: KeyBlueprint;
  readonly entities: readonly string[];
  readonly granted: TenantPart;
  readonly tenant: string;
}

/** What is wrong with a grant that leaks, and what to write instead. */
export function describeLeaks(grant: LeakyGrant, [leak, ...more]: readonly [TenantLeak, ...TenantLeak[]]) {
  const { source, example } = leak;
  const entity = grant.entities.find((name) => name !== source.entity) ?? source.entity;
  const where = 'name' in grant.key ? `index ${grant.key.name}` : 'the table';
  const ours = `${entity} ('${grant.granted.partition.text}')`;
  const theirs = `${source.entity} ('${source.template.text}')`;
  const others = more.length === 0 ? '' : `; the same goes for ${more.map((other) => other.source.entity).join(', ')}`;
  return {
    message: `${ours} and ${theirs} share ${where}, and a policy only compares text: ${reached(source, example)}${others}`,
    ...remedyOf(grant, entity, source),
  };
}

function reached({ entity }: KeySource, example: Trespass | undefined): string {
  if (example === undefined)
    return `it cannot be ruled out that a tenant would reach items of ${entity} that are not its own`;
  const { tenant, key, owner } = example;
  const who = tenant === '' ? 'a session whose tag is empty' : `the tenant '${tenant}'`;
  const whose = owner === undefined ? 'no tenant' : `the tenant '${owner}'`;
  return `${who} would reach '${key}' of ${entity}, which belongs to ${whose}`;
}

interface Remedy {
  readonly fix: string;
  /** The key to write instead. @default - something other than the key has to change */
  readonly proposed?: string;
}

/** Keys that begin with different words never meet; a natural key cannot begin with one. */
function remedyOf({ plan, granted, tenant }: LeakyGrant, entity: string, source: KeySource): Remedy {
  const form = `give <${tenant}> a form that no other key has, such as z.uuid()`;
  const [ours, theirs] = [granted.partition.text, source.template.text];
  if (entity === source.entity)
    return { fix: `write the partition as ${entity} has it: '${theirs}'`, proposed: theirs };
  if (granted.natural || source.natural) {
    return { fix: `keep ${source.entity} in a table or an index of its own, or ${form}` };
  }
  const wordOf = (name: string) => `${name.toUpperCase()}${plan.separator}`;
  const [word, head] = [wordOf(entity), headOf(source.template)];
  const isApart = head !== '' && !head.startsWith(word) && !word.startsWith(head);
  const proposed = `${word}${ours}`;
  const fix = isApart
    ? `begin the key of ${entity} with a word of its own: '${proposed}'; or ${form}`
    : `begin each key with a word of its own: '${proposed}' and '${wordOf(source.entity)}${theirs}'; or ${form}`;
  return { fix, proposed };
}

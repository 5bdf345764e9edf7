import type { SystemDesign } from '../design/system';
import type { Hole, Template } from '../design/template';
import type { Access } from './accesses';
import { counterpartOf } from './keys';
import { blueprint, entityNamed, type TableBlueprint } from './table';

/** A system whose items belong to tenants. */
export type TenantSystem = SystemDesign & { readonly tenant: string };

/** Whether a part of a template is the tenant. */
export type IsTenant = (template: Template, hole: Hole) => boolean;

/** A part is the tenant by its name, or because the same text leads up to it as to the tenant elsewhere in the system. */
export function tenantsIn(system: TenantSystem): IsTenant {
  const isNamed = ({ path }: Hole) => path.at(-1) === system.tenant;
  const leads = leadsBefore.get(system) ?? new Set(leadsTo(system, isNamed));
  leadsBefore.set(system, leads);
  return (template, hole) => isNamed(hole) || leads.has(leadOf(template, hole));
}

/** The part that names the tenant in the partition of an access; a parameter of any name, where it stands for it in all that is read. */
export function tenantOf(plan: TableBlueprint, access: Access, isTenant: IsTenant): Hole | undefined {
  const { partition, index, entities } = access;
  if (partition === undefined) return undefined;
  const key = plan.indexes.find(({ name }) => name === index) ?? plan.key;
  const templates = entities.map((name) => entityNamed(plan, name)?.keys.get(key.partition.name)?.template);
  const standsForIt = (hole: Hole) =>
    templates.length > 0 &&
    templates.every((template) => {
      const counterpart = template && counterpartOf(partition, hole, template);
      return counterpart !== undefined && isTenant(template as Template, counterpart);
    });
  return partition.holes.find((hole) => isTenant(partition, hole) || standsForIt(hole));
}

const leadsBefore = new WeakMap<SystemDesign, ReadonlySet<string>>();

function* leadsTo({ tables }: SystemDesign, isTenant: (hole: Hole) => boolean): Iterable<string> {
  for (const { entities, separator } of Object.values(tables).map(blueprint)) {
    for (const { template } of entities.flatMap(({ keys }) => [...keys.values()])) {
      for (const hole of template.holes.filter(isTenant)) {
        const lead = leadOf(template, hole);
        // Without a word before it, any part at that place would pass for the tenant.
        if (lead.replaceAll('<>', '').replaceAll(separator, '') !== '') yield lead;
      }
    }
  }
}

function leadOf({ parts }: Template, hole: Hole): string {
  return parts
    .slice(0, parts.indexOf(hole))
    .map((part) => (typeof part === 'string' ? part : '<>'))
    .join('');
}

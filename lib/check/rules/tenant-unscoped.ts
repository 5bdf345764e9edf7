import { counterpartOf } from '../../blueprint/keys';
import { blueprint, entityNamed, type TableBlueprint } from '../../blueprint/table';
import type { SystemDesign } from '../../design/system';
import type { Hole, Template } from '../../design/template';
import type { Rule } from '../finding';
import type { PatternAccess } from '../subject';

export const tenantUnscoped: Rule = {
  id: 'tenant-unscoped',
  severity: 'warning',
  why: 'What does not name the tenant in its partition can be read across tenants, and no policy can prevent it.',
  *check({ system, plan, accesses }) {
    if (system?.tenant === undefined) return;
    const { tenant } = system;
    const isTenant = tenantsIn(system, tenant);
    const partition = plan.key.partition.name;
    for (const { name, keys } of plan.entities) {
      const source = keys.get(partition);
      if (source === undefined || source.template.holes.some((hole) => isTenant(source.template, hole))) continue;
      const shown = source.natural ? `the attribute ${partition}` : `'${source.template.text}'`;
      yield {
        path: `entities.${name}.${source.natural ? 'attributes' : 'keys'}.${partition}`,
        message: `the partition of ${name} is ${shown}, without <${tenant}>`,
        fix: `begin it with <${tenant}>, or acknowledge why another tenant cannot get there`,
      };
    }
    for (const access of accesses) {
      const { partition, action, wherePath } = access;
      if (action === 'put' || partition === undefined || fixesTenant(plan, access, partition, isTenant)) continue;
      yield {
        path: wherePath,
        message: `partition '${partition.text}' does not name the tenant`,
        fix: `query a key that begins with <${tenant}>, or acknowledge how the caller's tenant is checked`,
      };
    }
  },
};

type IsTenant = (template: Template, hole: Hole) => boolean;

/** A parameter of any name is the tenant where it stands for it in all that is read. */
function fixesTenant(plan: TableBlueprint, access: PatternAccess, partition: Template, isTenant: IsTenant): boolean {
  const templates = access.entities.map(
    (name) => entityNamed(plan, name)?.keys.get(access.key.partition.name)?.template,
  );
  const standsForIt = (hole: Hole) =>
    templates.length > 0 &&
    templates.every((template) => {
      const counterpart = template && counterpartOf(partition, hole, template);
      return counterpart !== undefined && isTenant(template as Template, counterpart);
    });
  return partition.holes.some((hole) => isTenant(partition, hole) || standsForIt(hole));
}

/** A part is the tenant by its name, or because the same text leads up to it as to the tenant elsewhere in the system. */
function tenantsIn(system: SystemDesign, tenant: string): IsTenant {
  const isNamed = ({ path }: Hole) => path.at(-1) === tenant;
  const leads = leadsBefore.get(system) ?? new Set(leadsTo(system, isNamed));
  leadsBefore.set(system, leads);
  return (template, hole) => isNamed(hole) || leads.has(leadOf(template, hole));
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

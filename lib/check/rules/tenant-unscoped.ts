import { partitionText } from '../../blueprint/accesses';
import { partsOf } from '../../blueprint/template-parts';
import { strangerFor, type TenantSystem, tenantOf, tenantsIn } from '../../blueprint/tenant';
import type { Hole, Template } from '../../design/template';
import type { Fault, TableRule } from '../finding';
import { atKey, atWhere } from '../places';

const causes = {
  entity: 'the partition of an entity does not name the tenant',
  pattern: 'the partition that a pattern reads or writes does not name the tenant',
  'another-id': 'a partition has the id of something else where its text names the tenant',
} as const;

type Cause = keyof typeof causes;

export const tenantUnscoped: TableRule<'tenant-unscoped', Cause> = {
  id: 'tenant-unscoped',
  severity: 'warning',
  why: 'Items whose partition does not name the tenant can be read across tenants, and no policy can prevent it.',
  causes,
  *check({ system, plan, accesses }) {
    if (system?.tenant === undefined) return;
    const { tenant } = system;
    const isTenant = tenantsIn(system as TenantSystem);
    const partition = plan.key.partition.name;
    for (const { name, keys } of plan.entities) {
      const source = keys.get(partition);
      if (source === undefined || partsOf(source.template).some((hole) => isTenant(source.template, hole))) continue;
      const stranger = strangerFor(source.template, tenant);
      if (stranger !== undefined) {
        yield { ...atKey(source, { part: stranger.name }), ...anotherId(source.template, stranger, tenant) };
        continue;
      }
      const shown = source.natural ? `the attribute ${partition}` : `'${source.template.text}'`;
      yield {
        ...atKey(source),
        cause: 'entity',
        message: `the partition of ${name} is ${shown}, without <${tenant}>`,
        fix: `begin it with <${tenant}>, or acknowledge why another tenant cannot get there`,
      };
    }
    for (const access of accesses) {
      const { partition, step } = access;
      if (step.op === 'put' || partition === undefined || tenantOf(plan, access, isTenant) !== undefined) continue;
      const strangers = partition.flatMap(({ at }) => {
        const stranger = strangerFor(at, tenant);
        return stranger === undefined ? [] : [{ at, stranger }];
      });
      if (strangers[0] !== undefined) {
        const { at, stranger } = strangers[0];
        yield { ...atWhere(access, undefined, { part: stranger.name }), ...anotherId(at, stranger, tenant) };
        continue;
      }
      yield {
        ...atWhere(access),
        cause: 'pattern',
        message: `partition '${partitionText(partition)}' does not name the tenant`,
        fix: `query a key that begins with <${tenant}>, or acknowledge how the caller's tenant is checked`,
      };
    }
  },
};

function anotherId({ text }: Template, { name }: Hole, tenant: string): Fault<Cause> {
  return {
    cause: 'another-id',
    message: `'${text}' has <${name}> where its text names the tenant: no policy can tell whose it is`,
    fix: `write <${tenant}> there, or begin it with a word for what <${name}> is`,
  };
}

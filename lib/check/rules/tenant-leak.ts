import type { IndexBlueprint, KeyBlueprint } from '../../blueprint/table';
import { type TenantSystem, tenantPart } from '../../blueprint/tenant';
import type { TableRule } from '../finding';
import { atKey } from '../places';
import { describeLeaks, tenantLeaks } from '../tenant-leak';

const causes = {
  reached: 'a tenant with a certain name would reach items that are not its own',
  'not-ruled-out': 'it cannot be ruled out that a tenant would reach items that are not its own',
} as const;

type Cause = keyof typeof causes;

export const tenantLeak: TableRule<'tenant-leak', Cause> = {
  id: 'tenant-leak',
  severity: 'warning',
  why: 'A tenant whose id looks like the beginning of another key would get in there, so no grant can be limited to a tenant.',
  causes,
  *check({ system, cloud, plan, accesses }) {
    if (system?.tenant === undefined || cloud !== 'aws') return;
    const { tenant } = system;
    // If nothing reads an index, no grant covers it.
    const read = plan.indexes.filter(({ name }) => accesses.some(({ index }) => index === name));
    for (const key of [plan.key, ...read] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      for (const { name, keys } of plan.entities) {
        const [attribute] = key.partitionBy;
        const source = keys.get(attribute.name);
        if (source === undefined) continue;
        const partition = [{ attribute, at: source.template }] as const;
        const access = { index: key.name, partition, entities: [name] };
        const granted = tenantPart(plan, access, system as TenantSystem);
        if ('problem' in granted) continue;
        const [leak, ...more] = tenantLeaks(plan, key, granted, system as TenantSystem);
        if (leak === undefined) continue;
        const grant = { plan, key, entities: [name], granted, tenant };
        const { message, fix, proposed } = describeLeaks(grant, [leak, ...more]);
        const entities = [leak, ...more].map((each) => each.source.entity);
        const about = { index: key.name, entities, value: leak.example?.tenant, proposed };
        yield {
          ...atKey(source, about),
          cause: leak.example === undefined ? 'not-ruled-out' : 'reached',
          message,
          fix: `${fix}; or acknowledge that nothing is granted by tenant here`,
        };
      }
    }
  },
};

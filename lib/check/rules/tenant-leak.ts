import type { IndexBlueprint, KeyBlueprint } from '../../blueprint/table';
import { type TenantSystem, tenantPart } from '../../blueprint/tenant';
import type { Rule } from '../finding';
import { describeLeaks, tenantLeaks } from '../tenant-leak';

export const tenantLeak: Rule = {
  id: 'tenant-leak',
  severity: 'warning',
  why: 'A tenant whose id looks like the beginning of another key would be let in there, so that no grant can be held to a tenant.',
  *check({ system, cloud, plan, accesses }) {
    if (system?.tenant === undefined || cloud !== 'aws') return;
    const { tenant } = system;
    // Of an index that nothing reads, nothing is granted.
    const read = plan.indexes.filter(({ name }) => accesses.some(({ index }) => index === name));
    for (const key of [plan.key, ...read] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      for (const { name, keys } of plan.entities) {
        const source = keys.get(key.partition.name);
        if (source === undefined) continue;
        const access = { index: key.name, partition: source.template, entities: [name] };
        const granted = tenantPart(plan, access, system as TenantSystem);
        if ('problem' in granted) continue;
        const [leak, ...more] = tenantLeaks(plan, key, granted, system as TenantSystem);
        if (leak === undefined) continue;
        const { message, fix } = describeLeaks({ plan, key, entities: [name], granted, tenant }, [leak, ...more]);
        yield { path: source.path, message, fix: `${fix}; or acknowledge that nothing is granted by tenant here` };
      }
    }
  },
};

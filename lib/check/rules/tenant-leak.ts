import type { Held } from '../../blueprint/accesses';
import { type IndexBlueprint, type KeyBlueprint, type KeySource, keysIn } from '../../blueprint/table';
import { type TenantSystem, tenantPart } from '../../blueprint/tenant';
import type { TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { describeLeaks, tenantLeaks } from '../tenants/leaks';

const causes = {
  reached: "a tenant with a certain id would reach other tenants' items",
  'not-ruled-out': "the check cannot rule out that a tenant reaches other tenants' items",
} as const;

type Cause = keyof typeof causes;

export const tenantLeak: TableRule<'tenant-leak', Cause> = {
  id: 'tenant-leak',
  severity: 'error',
  why: 'A tenant whose id looks like part of another key would reach the items under that key, so no grant can limit a caller to one tenant.',
  causes,
  *check(table) {
    const { system, cloud, accesses } = table;
    if (system?.tenant === undefined || cloud !== 'aws') return;
    const { tenant } = system;
    // No grant covers an index that no pattern reads.
    const read = table.indexes.filter(({ name }) => accesses.some(({ index }) => index === name));
    for (const key of [table.key, ...read] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      for (const entity of table.entities) {
        const { name, keys } = entity;
        const sources = keysIn(entity, key);
        if (sources === undefined) continue;
        const partition = key.partitionBy.map((attribute, i) => {
          const { template } = sources[i] as KeySource;
          return { attribute, at: template };
        }) as [Held, ...Held[]];
        const granted = tenantPart(table, { index: key.name, partition, entities: [name] }, system as TenantSystem);
        if ('problem' in granted) continue;
        const source = keys.get(granted.attribute.name) as KeySource;
        const [leak, ...more] = tenantLeaks(table, key, granted, system as TenantSystem, partition);
        if (leak === undefined) continue;
        const grant = { table, key, entities: [name], granted, tenant };
        const { message, fix, proposed } = describeLeaks(grant, [leak, ...more]);
        const entities = [leak, ...more].map((each) => each.source.entity);
        const about = { index: key.name, entities, value: leak.example?.tenant, proposed };
        yield {
          ...atKey(source, about),
          cause: leak.example === undefined ? 'not-ruled-out' : 'reached',
          message,
          fix: `${fix}; or acknowledge the finding if none of your grants is limited to a tenant`,
        };
      }
    }
  },
};

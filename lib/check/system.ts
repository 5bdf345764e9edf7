import { blueprint } from '../blueprint/table';
import { partsOf } from '../blueprint/template-parts';
import { nearest } from '../design/names';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { FindingOf, Place } from './finding';

type SystemFinding = FindingOf<'unknown-name'> | FindingOf<'duplicate-name'>;

/** Mistakes that only a system as a whole can have; in TypeScript the compiler sees them too. */
export function* inSystem(system: SystemDesign): Iterable<SystemFinding> {
  if (system.tenant !== undefined) yield* inTenant(system, system.tenant);
  const owners = new Map<string, string>();
  for (const [name, table] of Object.entries(system.tables)) {
    if (table.name !== name) {
      const place: Place = { path: `tables.${name}`, subject: { kind: 'table', name, proposed: table.name } };
      const message = `the table is named '${table.name}'`;
      yield { ...UNKNOWN, ...place, cause: 'table', message, fix: 'list it under that name' };
    }
    for (const { name: pattern } of blueprint(table).patterns) {
      const owner = owners.get(pattern);
      if (owner !== undefined) yield duplicatePattern(pattern, name, owner);
      owners.set(pattern, name);
    }
  }
  for (const [name, { uses }] of Object.entries(system.procedures ?? {})) {
    for (const pattern of uses.filter((used) => !owners.has(used))) {
      const proposed = nearest(pattern, [...owners.keys()]);
      const proposal = proposed === undefined ? {} : { proposed };
      const subject = { kind: 'procedure', name, field: 'uses', value: pattern, ...proposal } as const;
      const message = `'${pattern}' is not a pattern of this system`;
      const fix = `${proposed === undefined ? 'use one that is' : `write ${proposed}`}, or add it`;
      yield { ...UNKNOWN, path: `procedures.${name}.uses`, subject, cause: 'procedure', message, fix };
    }
  }
}

const UNKNOWN = { rule: 'unknown-name', severity: 'error' } as const;

function* inTenant({ name, tables }: SystemDesign, tenant: string): Iterable<SystemFinding> {
  if (Object.values(tables).some((table) => hasAttribute(table, tenant))) return;
  const entities = Object.values(tables).flatMap((table) => blueprint(table).entities);
  const meant = nearest(
    tenant,
    entities.flatMap(({ attributes }) => attributes),
  );
  const proposal = meant === undefined ? {} : { proposed: meant };
  yield {
    ...UNKNOWN,
    path: 'tenant',
    subject: { kind: 'system', name, field: 'tenant', attribute: tenant, ...proposal },
    cause: 'tenant',
    message: `no entity of any table has the attribute '${tenant}'`,
    fix: `name the attribute that holds the tenant${meant === undefined ? '' : `: '${meant}'`}`,
  };
}

function duplicatePattern(pattern: string, table: string, owner: string): SystemFinding {
  return {
    rule: 'duplicate-name',
    severity: 'error',
    path: `tables.${table}.patterns.${pattern}`,
    subject: { kind: 'pattern', name: pattern, table },
    cause: 'pattern',
    message: `${owner} also has a pattern '${pattern}', but a name means one thing in a system`,
    fix: 'rename one of them',
  };
}

/** Whether an entity has an attribute of this name, at any depth that a key reaches. */
function hasAttribute(design: TableDesign, name: string): boolean {
  const { entities, sources } = blueprint(design);
  return (
    entities.some(({ attributes }) => attributes.includes(name)) ||
    sources.some(({ template }) => partsOf(template).some(({ path }) => path.at(-1) === name))
  );
}

import { isRead } from '../blueprint/accesses';
import { BATCH_ITEMS, TRANSACTION_ITEMS } from '../blueprint/clouds';
import { partsAcross, patternsAcross, shareIn } from '../blueprint/shares';
import { blueprint } from '../blueprint/table';
import { partsOf } from '../blueprint/template-parts';
import type { SystemPattern } from '../design/across';
import { nearest } from '../design/names';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { type FindingOf, GUESS, type Place } from './findings/finding';

type SystemFinding =
  | FindingOf<'unknown-name'>
  | FindingOf<'duplicate-name'>
  | FindingOf<'refused-request'>
  | FindingOf<'limits'>
  | FindingOf<'likely-oversight'>;

/**
 * Reports mistakes that only a whole system can have. If the design is in TypeScript, the compiler catches most of them
 * too.
 */
export function* inSystem(system: SystemDesign): Iterable<SystemFinding> {
  if (system.tenant !== undefined) yield* inTenant(system, system.tenant);
  const owners = new Map<string, string>();
  for (const [name, table] of Object.entries(system.tables)) {
    if (table.name !== name) {
      const place: Place = { path: `tables.${name}`, subject: { kind: 'table', name, proposed: table.name } };
      const message = `the name of the table is '${table.name}', not '${name}'`;
      yield {
        ...UNKNOWN,
        ...place,
        cause: 'table',
        message,
        fix: `list the table as ${table.name}: …, or rename it to '${name}'`,
      };
    }
    for (const { name: pattern, design } of blueprint(table).patterns) {
      // In a system read from a lock file, each table contains its share of the system-wide patterns.
      if (shareIn(design) !== undefined) continue;
      const owner = owners.get(pattern);
      if (owner !== undefined) yield duplicatePattern(pattern, name, owner);
      owners.set(pattern, name);
    }
  }
  for (const [name, pattern] of patternsAcross(system)) {
    const owner = owners.get(name);
    if (owner !== undefined) yield { ...duplicatePattern(name, owner, 'the system'), path: `patterns.${name}` };
    owners.set(name, 'the system');
    yield* unknownTables(system, name, pattern);
    yield* wrongSize(name, pattern);
  }
  for (const [name, { uses }] of Object.entries(system.procedures ?? {})) {
    for (const pattern of uses.filter((used) => !owners.has(used))) {
      const proposed = nearest(pattern, [...owners.keys()]);
      const proposal = proposed === undefined ? {} : { proposed };
      const subject = { kind: 'procedure', name, field: 'uses', value: pattern, ...proposal } as const;
      const message = `'${pattern}' is not a pattern of this system`;
      const fix = `${proposed === undefined ? 'use an existing pattern' : `write ${proposed}`}, or add '${pattern}'`;
      yield { ...UNKNOWN, path: `procedures.${name}.uses`, subject, cause: 'procedure', message, fix };
    }
    const written = new Set(
      uses.filter((used) => isWrite(system, owners.get(used), used)).map((used) => owners.get(used)),
    );
    if (written.size < 2 || system.cloud === 'azure') continue;
    yield {
      ...{ rule: 'likely-oversight', ...GUESS, cause: 'across-tables', path: `procedures.${name}.uses` },
      subject: { kind: 'procedure', name, field: 'uses' },
      message: `the procedure writes to the tables ${[...written].join(' and ')} without a common transaction, so a failure between the writes can leave the tables inconsistent`,
      fix: 'keep values that must agree in one table, and write them in one transaction',
    };
  }
}

/** Reports steps and reads that refer to an unknown table, because the check of a single table never sees them. */
function* unknownTables(
  { tables }: SystemDesign,
  name: string,
  pattern: SystemPattern,
): Iterable<FindingOf<'unknown-name'>> {
  const field = pattern.op === 'transaction' ? 'steps' : 'reads';
  for (const [step, { table }] of partsAcross(pattern)) {
    if (Object.hasOwn(tables, table)) continue;
    const proposed = nearest(table, Object.keys(tables));
    const proposal = proposed === undefined ? {} : { proposed };
    const subject = { kind: 'pattern', name, step, field: 'table', value: table, ...proposal } as const;
    const message = `'${table}' is not a table of this system`;
    const fix = `write table: '${proposed ?? Object.keys(tables)[0]}'`;
    yield { ...UNKNOWN, path: `patterns.${name}.${field}.${step}.table`, subject, cause: 'table', message, fix };
  }
}

/**
 * Reports a system-wide pattern that is empty or has more items than one request allows, even if each table's share is
 * correct.
 */
function* wrongSize(
  name: string,
  pattern: SystemPattern,
): Iterable<FindingOf<'refused-request'> | FindingOf<'limits'>> {
  const { length: count } = partsAcross(pattern);
  const field = pattern.op === 'transaction' ? 'steps' : 'reads';
  const most = pattern.op === 'batchGet' ? BATCH_ITEMS.batchGet : TRANSACTION_ITEMS;
  const place = { severity: 'error', path: `patterns.${name}.${field}` } as const;
  const subject = { kind: 'pattern', name, field } as const;
  if (count === 0) {
    const message = `the pattern has no ${field}, so every request is refused`;
    const fix = `add ${field}, or remove the pattern`;
    yield { rule: 'refused-request', ...place, subject, cause: 'empty', message, fix };
  } else if (count > most) {
    const message = `the request has ${count} items, but DynamoDB allows at most ${most}`;
    const fix = `reduce the request to ${most} items`;
    yield { rule: 'limits', ...place, subject: { ...subject, count }, cause: 'too-many-items', message, fix };
  }
}

/** Whether a table's pattern writes. */
function isWrite({ tables }: SystemDesign, table: string | undefined, pattern: string): boolean {
  const design = tables[table ?? '']?.patterns?.[pattern];
  return design !== undefined && !isRead(design);
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
    fix: `write the attribute that identifies the tenant${meant === undefined ? '' : `: '${meant}'`}`,
  };
}

function duplicatePattern(pattern: string, table: string, owner: string): SystemFinding {
  return {
    rule: 'duplicate-name',
    severity: 'error',
    path: `tables.${table}.patterns.${pattern}`,
    subject: { kind: 'pattern', name: pattern, table },
    cause: 'pattern',
    message: `${owner} also has a pattern '${pattern}', but pattern names must be unique in a system`,
    fix: 'rename one of the two patterns',
  };
}

/** Whether an entity has an attribute with this name, at the top level or inside a map that a key uses. */
function hasAttribute(design: TableDesign, name: string): boolean {
  const { entities, sources } = blueprint(design);
  return (
    entities.some(({ attributes }) => attributes.includes(name)) ||
    sources.some(({ template }) => partsOf(template).some(({ path }) => path.at(-1) === name))
  );
}

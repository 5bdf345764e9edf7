import { dataOf, discriminatorsIn, mayBeSame, membersIn, type SchemaData } from '../../blueprint/attributes/data';
import { systemOfTable } from '../../blueprint/clouds';
import { outline } from '../../blueprint/outline';
import { type PhysicalTable, physicalTable } from '../../blueprint/physical-table';
import { whole } from '../../blueprint/shares';
import type { PatternDesign } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { digest, same, signed } from '../canonical';
import { givenDesign, givenLock, givenObject, givenSystem, givenText } from '../given';
import { FORM, type Lock, type LockedDesign, type LockedEntity } from './lock';

export interface LockOptions {
  readonly environment: string;
  /**
   * Facts that the design does not contain, keyed by table: names, ids and replicas.
   * @default - no such facts
   */
  readonly deployed?: Readonly<Record<string, Partial<PhysicalTable>>>;
  /**
   * The previous lock. The new lock records which attributes and entities of the previous lock may still be stored.
   * @default - nothing was deployed before
   */
  readonly after?: Lock;
  /**
   * Whether stored items no longer contain anything that only the previous lock describes, as is the case after a
   * plan's contract step.
   * @default false
   */
  readonly settled?: boolean;
}

/**
 * Creates the lock of a system: the tables as defined in the cloud, and the items and patterns as defined in the code.
 */
export function lockOf(system: SystemDesign, options: LockOptions): Lock {
  givenSystem(system, 'system');
  const { environment, deployed = {}, after, settled = false } = readOptions(options);
  const tables = Object.entries(whole(system).tables).map(([name, design]) => {
    const former = settled ? undefined : after?.tables[name]?.design;
    const physical = { ...physicalTable(design), ...deployed[name] };
    return [name, { physical, design: lockedDesign(design, former) }] as const;
  });
  const procedures = Object.entries(system.procedures ?? {}).map(
    ([name, { uses }]) => [name, [...uses].sort()] as const,
  );
  return signed({
    lock: FORM,
    system: system.name,
    environment,
    cloud: system.cloud,
    ...(system.tenant === undefined ? {} : { tenant: system.tenant }),
    tables: Object.fromEntries(tables),
    procedures: Object.fromEntries(procedures),
    ...(after?.undone === undefined ? {} : { undone: after.undone }),
  });
}

function readOptions(options: LockOptions): LockOptions {
  const { environment, deployed, after } = givenObject(options, 'options', "an object such as { environment: 'prod' }");
  givenText(environment, 'options.environment', 'prod');
  if (deployed !== undefined) givenObject(deployed, 'options.deployed', 'an object keyed by table');
  if (after !== undefined) givenLock(after, 'options.after');
  return options;
}

/** Returns a system itself, or wraps a single table in a system. */
export function systemOf(design: TableDesign | SystemDesign): SystemDesign {
  givenDesign(design, 'design');
  return 'tables' in design ? design : systemOfTable(design);
}

function lockedDesign(design: TableDesign, before: LockedDesign | undefined): LockedDesign {
  const table = outline(design);
  const entities = Object.fromEntries(
    table.entities.flatMap(
      ({
        name,
        schema,
        type,
        guards,
        design: { keys = {}, keyOnly = [], attributes: _, type: __, ...rest },
      }): [string, LockedEntity][] => {
        // The lock omits guards, because they can be derived from the entity that declares the unique value.
        if (guards !== undefined) return [];
        const attributes = dataOf(schema, digest);
        const former = formerAttributes(attributes, before?.entities[name]);
        return [[name, { type, attributes, keys: { ...keys }, keyOnly: [...keyOnly].sort(), ...rest, former }]];
      },
    ),
  );
  const gone = Object.entries({ ...before?.former, ...before?.entities }).filter(([name]) => !(name in entities));
  return {
    separator: table.separator,
    ...(table.typeAttribute === undefined ? {} : { typeAttribute: table.typeAttribute }),
    entities,
    patterns: Object.fromEntries(table.patterns.map(({ name, design: pattern }) => [name, withoutPurpose(pattern)])),
    former: Object.fromEntries(gone),
  };
}

/** The removed attributes that items may still have, with all their former schemas. */
export function formerAttributes(attributes: SchemaData, before: LockedEntity | undefined): LockedEntity['former'] {
  if (before === undefined) return {};
  const former: Record<string, readonly SchemaData[]> = { ...before.former };
  for (const [name, schema] of lostIn(before.attributes, attributes)) {
    const known = former[name] ?? [];
    if (!known.some((other) => same(other, schema))) former[name] = [...known, schema];
  }
  return former;
}

/** The old attributes that are missing from the new schema or from one of its union members, with their schemas. */
function lostIn(was: SchemaData, is: SchemaData): readonly (readonly [string, SchemaData])[] {
  const names = [...discriminatorsIn(was), ...discriminatorsIn(is)];
  const after = membersIn(is, names);
  const missing = (from: SchemaData, others: readonly SchemaData[]) =>
    Object.entries(from.shape ?? {}).filter(([name]) => others.some(({ shape }) => shape?.[name] === undefined));
  return membersIn(was, names).flatMap((member) => {
    const others = after.filter((other) => mayBeSame(member, other)).map(({ schema }) => schema);
    return missing(member.schema, others.length === 0 ? [is] : others);
  });
}

/** A pattern without `purpose` and `procedureOnly`, which do not change its behavior. */
function withoutPurpose({
  purpose: _,
  procedureOnly: __,
  ...pattern
}: PatternDesign & { readonly procedureOnly?: boolean }): PatternDesign {
  if (pattern.op !== 'transaction') return withSortedNames(pattern as PatternDesign);
  const steps = Object.entries(pattern.steps).map(([name, step]) => [
    name,
    withSortedNames({ ...step, purpose: undefined }),
  ]);
  return { ...pattern, steps: Object.fromEntries(steps) };
}

/** The fields of a pattern that contain a list of names whose order does not matter. */
const NAMES = ['returns', 'select', 'remove'] as const;

function withSortedNames<T extends object>(pattern: T): T {
  const lists = Object.entries(pattern).filter(([field]) => NAMES.some((name) => name === field));
  const sorted = lists.map(([field, names]) => [field, Array.isArray(names) ? [...names].sort() : names]);
  return { ...pattern, ...Object.fromEntries(sorted) };
}

import { type EntityBlueprint, entityNamed, type KeyBlueprint } from '../blueprint/table';
import type { Template } from '../design/template';
import { headOf } from './heads';
import { describeRange, type Fit, fitOf, type PatternAccess, type TableUnderCheck } from './subject';

/** An entity that a pattern means and cannot reach. */
export interface Misfit {
  readonly entity: EntityBlueprint;
  readonly fit: Exclude<Fit, { kind: 'fits' }>;
}

export interface Misfits {
  readonly access: PatternAccess;
  readonly misfits: readonly Misfit[];
  readonly fitting: number;
}

const found = new WeakMap<TableUnderCheck, readonly Misfits[]>();

/** For each access, the entities it means and cannot reach; looked for once. */
export function misfitsOf(table: TableUnderCheck): readonly Misfits[] {
  const misfits = found.get(table) ?? [...findMisfits(table)];
  found.set(table, misfits);
  return misfits;
}

/** The keys of a batch each mean one of its entities. */
function* findMisfits(table: TableUnderCheck): Iterable<Misfits> {
  const batches = new Map<string, PatternAccess[]>();
  for (const access of table.accesses) {
    if (access.partition === undefined || access.action === 'put') continue;
    if (access.action !== 'batchGet') yield judge(table, access);
    else batches.set(access.pattern, [...(batches.get(access.pattern) ?? []), access]);
  }
  for (const accesses of batches.values()) {
    const judged = accesses.map((access) => judge(table, access));
    yield* judged.filter(({ fitting }) => fitting === 0);
    const [first] = judged as [Misfits];
    const lost = first.misfits.filter(({ entity }) =>
      judged.every(({ misfits }) => misfits.some((misfit) => misfit.entity === entity)),
    );
    // A key that finds nothing was the one for them.
    if (judged.every(({ fitting }) => fitting > 0) && lost.length > 0) yield { ...first, misfits: lost };
  }
}

function judge(table: TableUnderCheck, access: PatternAccess): Misfits {
  const misfits: Misfit[] = [];
  let fitting = 0;
  for (const name of access.entities) {
    const entity = entityNamed(table.plan, name);
    if (entity === undefined) continue;
    const fit = fitOf(table, access, entity);
    if (fit.kind === 'fits') fitting++;
    else misfits.push({ entity, fit });
  }
  return { access, misfits, fitting };
}

export function placeOf({ action, wherePath }: PatternAccess, { fit }: Misfit): string {
  return fit.kind === 'never' && action !== 'batchGet' ? `${wherePath}.${fit.attribute}` : wherePath;
}

export function reason({ index, partition, range }: PatternAccess, { entity, fit }: Misfit): string {
  if (fit.kind === 'absent') {
    return `${entity.name} is not in ${index === undefined ? 'the table' : `index ${index}`}: it has no ${fit.attribute}`;
  }
  const key = fit.source.natural ? `the attribute ${fit.attribute}` : `'${fit.source.template.text}'`;
  const asked = fit.role === 'partition' ? `'${partition?.text}'` : describeRange(range);
  return `the ${fit.role} key of ${entity.name} is ${key}, and never ${asked}`;
}

export function remedy(table: TableUnderCheck, access: PatternAccess, { entity, fit }: Misfit): string {
  const elsewhere = [
    { name: undefined, key: table.plan.key },
    ...table.plan.indexes.map((key) => ({ name: key.name, key })),
  ]
    .filter(({ name }) => access.action === 'query' && name !== access.index)
    // A key without text of its own could be anything, also what was misspelt.
    .filter(({ key }) => sameHead(access.partition, entity.keys.get(key.partition.name)?.template))
    .find(({ name, key }) => fitOf(table, redirected(access, name, key), entity).kind === 'fits');
  if (elsewhere !== undefined)
    return elsewhere.name === undefined ? 'query the table itself' : `query index ${elsewhere.name}`;
  if (fit.kind === 'absent') return `give ${entity.name} the key ${fit.attribute}`;
  if (access.action === 'query' && access.range.kind === 'equals' && fit.role === 'sort') {
    const { at } = access.range;
    const beginning: PatternAccess = { ...access, range: { kind: 'beginsWith', at } };
    if (fitOf(table, beginning, entity).kind === 'fits')
      return `ask for ${fit.attribute}: { beginsWith: '${at.text}' }`;
  }
  return `ask for ${fit.attribute}: '${fit.source.template.text}', or change the key of ${entity.name}`;
}

function sameHead(asked: Template | undefined, kept: Template | undefined): boolean {
  return asked !== undefined && kept !== undefined && headOf(asked) === headOf(kept);
}

/** The same request to another index or to the table, under the names of its keys. */
function redirected(access: PatternAccess, index: string | undefined, key: KeyBlueprint): PatternAccess {
  const { index: _, ...rest } = access;
  return { ...rest, ...(index === undefined ? {} : { index }), key };
}

import type { SchemaData } from '../../blueprint/attributes/data';
import type { PatternDesign } from '../../design/pattern';
import { same } from '../canonical';
import { newNameOf } from '../diff/answers';
import type { Answers } from '../diff/change';
import type { Lock, LockedDesign, LockedEntity, LockedTable } from '../lock/lock';

/**
 * Compares a design with the one that its plan was written for, and describes the changes that must wait until the plan
 * is finished. A new optional attribute or a new pattern on existing keys need not wait, because no resource or stored
 * item depends on it. Does not use `diff`: importing it would bundle the whole check into every release.
 */
export function waitingIn(current: Lock, target: Lock, lock: Lock, answers: Answers): readonly string[] {
  const { tables: _, procedures: __, hash: ___, ...own } = current;
  const { tables: ____, procedures: _____, hash: ______, ...planned } = target;
  const names = new Set([...Object.keys(current.tables), ...Object.keys(target.tables)]);
  return [
    ...(same(own, planned) ? [] : ['the system itself has changed']),
    ...[...names].flatMap((name) => {
      const [is, was] = [current.tables[name], target.tables[name]];
      if (is === undefined || was === undefined) return [`tables.${name} is ${is === undefined ? 'gone' : 'new'}`];
      const former = Object.keys(lock.tables).find((old) => newNameOf(answers, old) === name) ?? name;
      return inTable(is, was, lock.tables[former], (entity) => newNameOf(answers, former, entity)).map(
        (what) => `tables.${name}${what}`,
      );
    }),
  ];
}

function inTable(
  { physical, design }: LockedTable,
  planned: LockedTable,
  deployed: LockedTable | undefined,
  nameNow: (entity: string) => string,
): readonly string[] {
  if (!same(physical, planned.physical)) return [': its key, its indexes or its TTL has changed'];
  if (design === undefined || planned.design === undefined) return [];
  const { entities, patterns, ...rest } = design;
  const { entities: known, patterns: called, ...wide } = planned.design;
  if (!same(rest, wide)) return [': its separator or its type attribute has changed'];
  const changed = (path: string, is: object, was: object): readonly string[] =>
    Object.keys(was).flatMap((one) => (Object.hasOwn(is, one) ? [] : [`.${path}.${one} is gone`]));
  return [
    ...changed('entities', entities, known),
    ...changed('patterns', patterns, called),
    ...Object.entries(called).flatMap(([pattern, was]) =>
      same(patterns[pattern] ?? was, was) ? [] : [`.patterns.${pattern} has changed`],
    ),
    ...Object.entries(entities).flatMap(([entity, is]) => {
      const was = known[entity];
      if (was === undefined) return [`.entities.${entity} is new`];
      const old = Object.entries(deployed?.design?.entities ?? {}).find(([former]) => nameNow(former) === entity);
      return inEntity(is, was, old && { name: old[0], entity: old[1], design: deployed?.design as LockedDesign }).map(
        (what) => `.entities.${entity}${what}`,
      );
    }),
  ];
}

interface Deployed {
  readonly name: string;
  readonly entity: LockedEntity;
  readonly design: LockedDesign;
}

function inEntity(is: LockedEntity, was: LockedEntity, old: Deployed | undefined): readonly string[] {
  const { shape = {}, ...around } = is.attributes;
  const { shape: planned = {}, ...known } = was.attributes;
  const isSame = same({ ...is, attributes: around }, { ...was, attributes: known });
  if (!isSame) return [': its type, its keys or its rules have changed'];
  const changed = Object.keys(planned).filter((name) => !same(shape[name], planned[name]));
  const added = Object.keys(shape).filter((name) => !Object.hasOwn(planned, name));
  return [
    ...changed.map((name) => `.attributes.${name} ${Object.hasOwn(shape, name) ? 'has changed' : 'is gone'}`),
    ...added.flatMap((name) => {
      const why = whyWaits(shape[name] as SchemaData, name, old);
      return why === undefined ? [] : [`.attributes.${name} is new, and ${why}`];
    }),
  ];
}

/** Schema types that accept a missing attribute, whatever schema they wrap. */
const LENIENT: ReadonlySet<string> = new Set(['optional', 'default', 'prefault']);

/** Returns the reason why a new attribute must wait until the plan is finished; undefined if it may be added now. */
function whyWaits(schema: SchemaData, name: string, old: Deployed | undefined): string | undefined {
  if (!LENIENT.has(schema.type) || schema.checks !== undefined) return 'may be required';
  if (old === undefined) return undefined;
  const { shape = {}, catchall } = old.entity.attributes;
  const mayHave = Object.hasOwn(shape, name) || Object.hasOwn(old.entity.former, name);
  if (mayHave || (catchall !== undefined && catchall.type !== 'never')) return 'stored items may already have it';
  const replaces = (pattern: PatternDesign): boolean =>
    'steps' in pattern
      ? Object.values(pattern.steps).some((step) => replaces(step as PatternDesign))
      : pattern.op === 'put' && pattern.entity === old.name && pattern.replace === true;
  const eraser = Object.entries(old.design.patterns).find(([, pattern]) => replaces(pattern));
  return eraser && `${eraser[0]} of the running release replaces whole items and so erases it`;
}

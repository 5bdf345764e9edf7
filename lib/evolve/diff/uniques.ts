import { keyOf } from '../../blueprint/outline';
import { partsOf } from '../../blueprint/template-parts';
import { guardNameOf } from '../../blueprint/unique';
import { template } from '../../design/template';
import { same } from '../canonical';
import type { LockedEntity } from '../lock/lock';
import type { ItemChange } from '../plan/plan';
import { type Change, placed } from './change';
import { pair as paired } from './pairs';
import { list } from './physical';
import type { EntityPair, Pair, Side } from './sides';

/** The added, removed and unchanged unique values of an entity. */
function uniquesOf({ was, is }: Pick<EntityPair, 'was' | 'is'>) {
  const [old, now] = [was.unique ?? {}, is.unique ?? {}];
  return {
    added: Object.keys(now).filter((name) => !Object.hasOwn(old, name)),
    gone: Object.keys(old).filter((name) => !Object.hasOwn(now, name)),
    both: Object.keys(now).filter((name) => Object.hasOwn(old, name)),
  };
}

/** The contents of a unique value's guards: the keys of the guards, and the attributes that identify the owner. */
function madeOf({ entities, physical }: Side, entity: string, { unique = {} }: LockedEntity, name: string) {
  const source = entities.find((one) => one.name === entity)?.keys;
  const primary = keyOf(physical.key).flatMap(({ name: key }) => {
    const own = source?.get(key);
    return own === undefined ? [] : partsOf(own.template).map((part) => part.name);
  });
  const { keys = {}, owner = [...new Set(primary)] } = unique[name] ?? {};
  return { keys, owner };
}

/** The attributes in a unique value's guards whose values the new design stores differently. */
function rewrittenIn({ keys, owner }: ReturnType<typeof madeOf>, attributes: readonly Change[]): readonly string[] {
  const used = [...Object.values(keys).flatMap((text) => partsOf(template(text)).map((part) => part.name)), ...owner];
  const names = used.map((name) => name.split('.')[0]);
  return attributes.flatMap(({ rule, verdict, subject: { attribute } }) =>
    (rule === 'attribute-type' || (rule === 'key-format' && verdict === 'plan')) && names.includes(attribute ?? '')
      ? [attribute as string]
      : [],
  );
}

/** The changes to an entity's unique values. @param attributes the changes to the entity's attributes */
export function* uniqueChanges(pair: EntityPair, attributes: readonly Change[]): Iterable<Change> {
  const { before, after, entity, formerName, was, is, at } = pair;
  const { added, gone, both } = uniquesOf(pair);
  const about = (name: string) => ({
    ...placed(at, 'entities', entity, 'unique', name),
    subject: { table: after.name, entity },
  });
  for (const name of added) {
    const former = gone.find((old) => same(madeOf(before, formerName, was, old), madeOf(after, entity, is, name)));
    if (former !== undefined) {
      yield {
        ...{ rule: 'unique-changed', ...about(name), verdict: 'plan' },
        breaks: [{ who: 'items', how: `the guards of '${former}' and '${name}' would be the same items` }],
        message: `'${former}' of ${entity} is renamed '${name}', but its guards stay the same`,
        fix: `keep the name '${former}', or give the guards of '${name}' different keys`,
      };
      continue;
    }
    yield {
      ...{ rule: 'unique-added', ...about(name), verdict: 'plan' },
      breaks: [
        { who: 'items', how: `stored ${entity} items have no guard yet, and two of them may have the same '${name}'` },
        { who: 'old-writers', how: `the running release writes ${entity} without a guard` },
      ],
      message: `'${name}' of ${entity} becomes unique`,
      fix: `start to write guards, create a guard for each stored ${entity}, and resolve the reported duplicates: 'npx tablewright plan'`,
    };
  }
  for (const name of gone) {
    yield {
      ...{ rule: 'unique-removed', ...about(name), verdict: 'plan' },
      breaks: [{ who: 'old-writers', how: `the running release relies on the guards of '${name}'` }],
      message: `'${name}' of ${entity} is no longer unique`,
      fix: `stop writing guards, then delete the stored guards: 'npx tablewright plan'`,
    };
  }
  for (const name of both) {
    const [old, now] = [madeOf(before, formerName, was, name), madeOf(after, entity, is, name)];
    const rewritten = rewrittenIn(now, attributes);
    if (same(old, now) && rewritten.length === 0) continue;
    yield {
      ...{ rule: 'unique-changed', ...about(name), verdict: 'plan' },
      breaks: [
        {
          who: 'items',
          how: same(old, now)
            ? `stored guards still contain ${list(rewritten)} in the old format`
            : 'stored guards have a different key or owner',
        },
      ],
      message: `the guards of ${entity}.${name} get a different key or owner`,
      fix: same(old, now)
        ? `store the new values in a separate attribute with its own 'unique' declaration; or use three plans: remove the declaration, change the values, and add the declaration again`
        : `give the 'unique' declaration a new name, such as '${name}2', and different keys: then new guards are created, and the old guards are deleted`,
    };
  }
}

/** The changes to an entity's stored guards: guards are deleted, or get the entity's new name. */
export function guardChanges({ before, after, answers }: Pair): readonly ItemChange[] {
  const [old, now] = [before.design?.entities ?? {}, after.design?.entities ?? {}];
  const { both, gone } = paired(old, now, answers, before.name);
  const from = (entity: string, unique: string) => ({ table: before.name, entity: guardNameOf(entity, unique) });
  const going = gone.flatMap((entity) =>
    Object.keys(old[entity]?.unique ?? {}).map((unique) => ({ from: from(entity, unique), ...NOTHING })),
  );
  const staying = both.flatMap(([formerName, entity]) => {
    const uniques = uniquesOf({ was: old[formerName] as LockedEntity, is: now[entity] as LockedEntity });
    const isMarked = formerName !== entity && after.design?.typeAttribute !== undefined;
    return [
      ...uniques.gone.map((unique) => ({ from: from(formerName, unique), ...NOTHING })),
      ...(isMarked ? uniques.both : []).map((unique) => ({
        from: from(formerName, unique),
        to: { table: after.name, entity: guardNameOf(entity, unique) },
        type: { before: guardNameOf(formerName, unique), after: guardNameOf(entity, unique) },
        ...NOTHING,
      })),
    ];
  });
  return [...going, ...staying];
}

const NOTHING = { keys: {}, moves: false, renamed: {}, defaults: [], removed: [], needsUp: [] };

/** The unique values of an entity for which stored items lack guards. */
export function lackedGuards(pair: Pick<EntityPair, 'was' | 'is'>): readonly string[] {
  return uniquesOf(pair).added;
}

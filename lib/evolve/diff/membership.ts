import type { Scalar } from '../../blueprint/attributes/data';
import { indexNamed } from '../../blueprint/physical-table';
import { same } from '../canonical';
import type { LockedEntity } from '../lock/lock';
import { included } from '../schema/inclusion';
import { type Change, placed } from './change';
import type { EntityPair } from './sides';

/** Changes to the condition under which an item is in an index (`while`). */
export function* membershipChanges(pair: EntityPair): Iterable<Change> {
  const { was, is, before, after, entity, at } = pair;
  for (const { name } of after.physical.indexes) {
    const [old, now] = [was.indexes?.[name]?.while, is.indexes?.[name]?.while];
    // If the index is new, the backfill applies the condition anyway.
    if (!isConditionedOtherwise(pair, name) || indexNamed(before.physical, name) === undefined) continue;
    const [enters, leaves] = [!isWithin(storable(pair, now), old), !isWithin(old, now)];
    yield {
      rule: 'index-key-template',
      ...placed(at, 'entities', entity, 'indexes', name),
      subject: { table: after.name, entity, index: name },
      verdict: 'plan',
      breaks: [
        ...(enters
          ? [
              {
                who: 'index-entries' as const,
                how: `stored items of ${entity} that should now be in ${name} are not there yet`,
              },
            ]
          : []),
        ...(leaves
          ? [
              {
                who: 'old-readers' as const,
                how: `the running release still looks in ${name} for items that leave it`,
              },
              ...(enters
                ? []
                : [
                    {
                      who: 'index-entries' as const,
                      how: `stored items of ${entity} stay in ${name} although they no longer belong there`,
                    },
                  ]),
            ]
          : []),
      ],
      message: `${entity} is now in index ${name} ${shownCondition(now)} (before: ${shownCondition(old)})`,
      fix: 'keep applying the old condition until no old release is running, then fill in or clear the index keys of stored items: a plan does both',
    };
  }
}

type Membership = NonNullable<NonNullable<LockedEntity['indexes']>[string]>['while'] | undefined;

/** Whether the second condition admits every item that the first condition admits to an index. */
function isWithin(one: Membership, other: Membership): boolean {
  return Object.entries(other ?? {}).every(([attribute, values]) => {
    const given = one?.[attribute];
    return given?.every((value) => values.some((allowed) => same(allowed, value))) ?? false;
  });
}

function shownCondition(condition: Membership): string {
  if (condition === undefined) return 'always';
  const tests = Object.entries(condition).map(
    ([attribute, values]) => `${attribute} is ${values.map(String).join(' or ')}`,
  );
  return `while ${tests.join(' and ')}`;
}

/** Whether stored items enter or leave an index because its condition changed. */
export function isConditionedOtherwise(pair: EntityPair, index: string): boolean {
  const [old, now] = [pair.was.indexes?.[index]?.while, pair.is.indexes?.[index]?.while];
  return !same(old, now) && !(isWithin(storable(pair, now), old) && isWithin(old, now));
}

/** Removes from a condition the values that the running release refuses, because no stored item has such a value. */
function storable({ was }: EntityPair, condition: Membership): Membership {
  if (condition === undefined) return undefined;
  const listed = Object.entries(condition).map(([attribute, values]) => {
    const schema = was.attributes.shape?.[attribute];
    const isStored = (value: unknown) =>
      schema === undefined || included({ type: 'literal', values: [value as Scalar] }, schema).verdict !== 'no';
    return [attribute, values.filter(isStored)];
  });
  return Object.fromEntries(listed);
}

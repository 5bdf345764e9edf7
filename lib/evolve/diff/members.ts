import {
  discriminatorsIn,
  type Member,
  mayBeSame,
  membersIn,
  type SchemaData,
  valuesIn,
  valuesLost,
} from '../../blueprint/attributes/data';
import { withArticle } from '../../design/show';
import { canonical } from '../canonical';
import { shown } from '../schema/inclusion';
import { objectChanges } from './attributes';
import { type Change, placed } from './change';
import type { EntityPair } from './sides';
import { attributeNow } from './texts';

/**
 * Changes to an entity's attributes. The members of a union are compared one by one, because each stored item
 * belongs to one member.
 */
export function* attributeChanges(pair: EntityPair): Iterable<Change> {
  const [was, is] = [pair.was.attributes, pair.is.attributes];
  const nameOf = (attribute: string) => attributeNow(pair, attribute);
  const [former, names] = [discriminatorsIn(was).map(nameOf), discriminatorsIn(is)];
  const told = [...new Set([...former, ...names])];
  const [before, after] = [membersIn(was, told, nameOf), membersIn(is, told)];
  const shared = told.filter((name) => [before, after].every((side) => side.some(({ values }) => values.has(name))));
  const areUnions = former.length > 0 && names.length > 0;
  const union = former.length > 0 ? before : after;
  // If only one side is a union, an attribute that all members have is compared as a whole.
  const whole = areUnions ? shared : told.filter((name) => union.every(({ values }) => values.has(name)));
  // Without a common discriminator, `diff` cannot tell which old member becomes which new member.
  if (told.length === 0 || (areUnions && shared.length === 0)) return yield* objectChanges(pair);
  const both = before.flatMap((one) =>
    after.flatMap((other) => (mayBeSame(one, other) ? [[one, other] as const] : [])),
  );
  const lost = former.length === 0 ? [] : unmatched(before, both);
  const gained =
    names.length === 0
      ? []
      : unmatched(
          after,
          both.map(([one, other]) => [other, one] as const),
        );
  yield* discriminatorChanges(pair, whole, areUnions, { lost, gained });
  for (const member of lost) yield memberRemoved(pair, member, told);
  for (const member of gained) yield memberAdded(pair, member, told);
  yield* changesIn(pair, both, whole);
}

/** The members that the other side lacks, either entirely or for some of their discriminator values. */
function unmatched(members: readonly Member[], both: readonly (readonly [Member, Member])[]): readonly Member[] {
  return members.flatMap((member) => {
    const others = both.flatMap(([one, other]) => (one === member ? [other] : []));
    if (others.length === 0) return [member];
    return [...member.values].flatMap(([name, values]): readonly Member[] => {
      if (others.some((other) => !other.values.has(name))) return [];
      const rest = valuesLost(
        values,
        others.flatMap((other) => other.values.get(name) ?? []),
      );
      return rest.length === 0 ? [] : [{ ...member, values: new Map([...member.values, [name, rest]]) }];
    });
  });
}

/**
 * Changes to the discriminators themselves, except for the values of added and removed members, which are reported
 * separately.
 */
function* discriminatorChanges(
  pair: EntityPair,
  shared: readonly string[],
  areUnions: boolean,
  { lost, gained }: Readonly<Record<'lost' | 'gained', readonly Member[]>>,
): Iterable<Change> {
  const [was, is] = [pair.was.attributes.shape ?? {}, pair.is.attributes.shape ?? {}];
  const old = Object.entries(was).flatMap(([name, schema]) => {
    const now = attributeNow(pair, name);
    return shared.includes(now) ? [[name, areUnions ? (is[now] as SchemaData) : schema]] : [];
  });
  const now = Object.entries(is).filter(([name]) => shared.includes(name));
  const only = (shape: readonly unknown[]): SchemaData => ({ type: 'object', shape: Object.fromEntries(shape as []) });
  for (const change of objectChanges(between(pair, only(old), only(now)))) {
    const isTold = change.rule === 'attribute-narrowed' ? lost : change.rule === 'attribute-widened' ? gained : [];
    if (isTold.length === 0) yield change;
  }
}

function between(pair: EntityPair, was: SchemaData, is: SchemaData): EntityPair {
  return { ...pair, was: { ...pair.was, attributes: was }, is: { ...pair.is, attributes: is } };
}

function memberAdded(pair: EntityPair, member: Member, told: readonly string[]): Change {
  const who = `${pair.entity} whose ${saying([member])}`;
  return {
    rule: 'member-added',
    ...place(pair, member, told),
    verdict: 'plan',
    breaks: [{ who: 'old-readers', how: `the running release refuses any ${who} (ItemError)` }],
    message: `new union member: ${withArticle(who)}`,
    fix: `first deploy readers that know the member, then writers that write it: 'npx tablewright plan'`,
  };
}

function memberRemoved(pair: EntityPair, member: Member, told: readonly string[]): Change {
  const who = `${pair.entity} whose ${saying([member])}`;
  return {
    rule: 'member-removed',
    ...place(pair, member, told),
    verdict: 'plan',
    breaks: [{ who: 'new-readers', how: `reading a stored ${who} fails (ItemError)` }],
    message: `removed union member: ${withArticle(who)}`,
    fix: `convert such items in the migration (${pair.entity}: { up: (item) => … }): 'npx tablewright plan'; or keep the member until no item belongs to it`,
  };
}

function place({ at, entity, after }: EntityPair, { values }: Member, told: readonly string[]) {
  const attribute = told.find((name) => values.has(name)) as string;
  return {
    ...placed(at, 'entities', entity, 'attributes', attribute),
    subject: { table: after.name, entity, attribute },
  };
}

/** The changes within members; if a change affects only some members, its message names them. */
function* changesIn(
  pair: EntityPair,
  both: readonly (readonly [Member, Member])[],
  shared: readonly string[],
): Iterable<Change> {
  const changesOf = ([one, other]: readonly [Member, Member], whose?: string): readonly Change[] => {
    const old = without(one.schema, (name) => shared.includes(attributeNow(pair, name)));
    const now = without(other.schema, (name) => shared.includes(name));
    return [...objectChanges({ ...between(pair, old, now), ...(whose === undefined ? {} : { whose }) })].map(
      (change) => (whose === undefined ? change : { ...change, message: `${change.message}, where ${whose}` }),
    );
  };
  const found = new Map<string, { readonly pairs: (readonly [Member, Member])[]; readonly i: number }>();
  for (const members of both) {
    for (const [i, change] of changesOf(members).entries()) {
      const known = found.get(canonical(change));
      if (known === undefined) found.set(canonical(change), { pairs: [members], i });
      else known.pairs.push(members);
    }
  }
  for (const { pairs, i } of found.values()) {
    const [first] = pairs as [readonly [Member, Member]];
    const whose = pairs.length === both.length ? undefined : saying(pairs.map(common));
    yield ofUnion(changesOf(first, whose)[i] as Change, whose);
  }
}

/** The discriminator values that both members allow. */
function common([one, other]: readonly [Member, Member]): Member {
  const values = [...one.values, ...other.values].map(([name, own]) => {
    const others = [one, other].map((member) => member.values.get(name) ?? own);
    return [name, others.reduce((some, more) => valuesIn(some, more))] as const;
  });
  return { ...one, values: new Map(values) };
}

function without(schema: SchemaData, isLeftOut: (name: string) => boolean): SchemaData {
  const shape = Object.entries(schema.shape ?? {}).filter(([name]) => !isLeftOut(name));
  return { ...schema, shape: Object.fromEntries(shape) };
}

/** Replaces a change's fix if the usual plan does not work within a union. */
function ofUnion(change: Change, members: string | undefined): Change {
  const { rule, subject, breaks, verdict } = change;
  const own = members === undefined ? change : { ...change, subject: { ...subject, members } };
  if (rule === 'attribute-type')
    return {
      ...own,
      fix: 'store the new values in a separate attribute, and remove the old attribute in a later change',
    };
  const isMissed = rule === 'attribute-removed' && breaks.some(({ who }) => who === 'old-readers');
  if (!isMissed || verdict === 'ask' || members === undefined) return own;
  return { ...own, fix: `make '${subject.attribute}' optional in one plan, and remove it in a later one` };
}

/** Describes the items of these members: `kind is 'book' or 'film'`. */
function saying(members: readonly Member[]): string {
  const names = [...new Set(members.flatMap(({ values }) => [...values.keys()]))];
  const inOne = (some: readonly Member[]) =>
    names
      .flatMap((name) => {
        const values = some.flatMap((member) => member.values.get(name) ?? []);
        return values.length === 0 ? [] : [`${name} is ${[...new Set(values.map(shown))].join(' or ')}`];
      })
      .join(' and ');
  return names.length === 1 ? inOne(members) : members.map((member) => inOne([member])).join(', or ');
}

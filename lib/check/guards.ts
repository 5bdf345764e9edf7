import { type EntityBlueprint, entityNamed, keysIn } from '../blueprint/table';
import { partsOf } from '../blueprint/template-parts';
import { hasWord, inWords, isIdOf, namesElsewhere, wordsOf } from '../blueprint/words';
import type { TransactionPattern } from '../design/pattern';
import { type Hole, loneHole, template } from '../design/template';
import type { TableUnderCheck } from './subject';
import { thingOf, thingsIn } from './things';

/** An entity whose key is a value of another entity, the owner, so that no two owners can have the same value. */
export interface Guard {
  readonly guard: EntityBlueprint;
  readonly owner: EntityBlueprint;
  /** The parts of the guard's key, each with the owner's attribute that it holds. */
  readonly values: readonly GuardedValue[];
  /** The attributes of the guard that say whose it is. */
  readonly ids: readonly string[];
}

export interface GuardedValue {
  readonly part: string;
  readonly attribute: string;
  /** Whether it is part of the owner's own key, and so never changes. */
  readonly isKey: boolean;
}

/** The guards of a table, recognised by what is written together, by names, and by what their keys are made of. */
export function guardsOf(table: TableUnderCheck): readonly Guard[] {
  const found = new Map<string, Ranked[]>();
  for (const candidate of candidatesIn(table, found)) {
    const guard = guardOf(table, candidate);
    if (guard === undefined) continue;
    const same = found.get(guard.guard.name) ?? [];
    found.set(guard.guard.name, same);
    same.push({ guard, rank: rankOf(candidate) });
  }
  return [...found.values()].flatMap(likeliest);
}

interface Ranked {
  readonly guard: Guard;
  readonly rank: number;
}

/** How likely it is that a guard belongs to this owner: another may have the same value, as a profile has its user's e-mail. */
function rankOf({ guard, owner, together, given }: Candidate): number {
  if ([...given.values()].some((attribute) => attribute !== undefined)) return 4;
  const isNamed = inWords(guard.name).includes(inWords(owner.name));
  return together === undefined ? (isNamed ? 1 : 0) : isNamed ? 3 : 2;
}

/** Only the likeliest owner counts; if several are equally likely by their names alone, none does. */
function likeliest(ranked: readonly Ranked[]): readonly Guard[] {
  const most = Math.max(...ranked.map(({ rank }) => rank));
  const guards = new Map<string, Guard>();
  for (const { guard, rank } of ranked) {
    const name = JSON.stringify([guard.owner.name, guard.values.map(({ attribute }) => attribute)]);
    if (rank === most && !guards.has(name)) guards.set(name, guard);
  }
  return most === 0 && guards.size > 1 ? [] : [...guards.values()];
}

interface Candidate {
  readonly guard: EntityBlueprint;
  readonly owner: EntityBlueprint;
  /** How a transaction writes them together: both put, or otherwise; undefined if none does. */
  readonly together?: 'put' | 'written';
  /** The owner's attribute that a part of the guard's key is taken from, if a transaction says so. */
  readonly given: ReadonlyMap<string, string | undefined>;
}

/** What transactions write together comes first; names only decide about entities that no transaction made a guard. */
function* candidatesIn(table: TableUnderCheck, known: ReadonlyMap<string, unknown>): Iterable<Candidate> {
  for (const { design } of table.plan.patterns) {
    if (design.op === 'transaction') yield* inTransaction(table, design);
  }
  yield* byName(table, known);
}

function* inTransaction({ plan }: TableUnderCheck, { steps }: TransactionPattern): Iterable<Candidate> {
  const written = Object.entries(steps).filter(([, { op }]) => op !== 'require');
  if (written.length < 2 || written.length > 100) return;
  for (const [, guarding] of written) {
    const guard = entityNamed(plan, guarding.entity);
    if (guard === undefined || !isPlausible(guard)) continue;
    for (const [name, other] of written) {
      const owner = other.entity === guarding.entity ? undefined : entityNamed(plan, other.entity);
      if (owner === undefined) continue;
      const isPut = guarding.op === 'put' && other.op === 'put' && (guarding.replace !== true || isUniqueByName(guard));
      const given = new Map<string, string | undefined>();
      for (const [part, operand] of Object.entries((guarding.op === 'put' && guarding.item) || {})) {
        given.set(part, typeof operand === 'string' ? attributeIn(name, operand) : undefined);
      }
      yield { guard, owner, together: isPut ? 'put' : 'written', given: isPut ? given : NOTHING };
    }
  }
}

const NOTHING: ReadonlyMap<string, undefined> = new Map();

/** The attribute that `<user.email>` takes from the step `user`. */
function attributeIn(step: string, operand: string): string | undefined {
  const [first, attribute, ...deeper] = loneHole(template(operand))?.path ?? [];
  return first === step && deeper.length === 0 ? attribute : undefined;
}

/** Entities named like guards, or after the value in their key, each with the entities that it may guard. */
function* byName({ plan }: TableUnderCheck, known: ReadonlyMap<string, unknown>): Iterable<Candidate> {
  const named = plan.entities.filter((entity) => !known.has(entity.name) && isNamedForIt(entity));
  if (named.length === 0) return;
  const byId = new Map<string, EntityBlueprint[]>();
  for (const entity of plan.entities) {
    for (const { name } of keysIn(entity, plan.key)?.flatMap(({ template }) => partsOf(template)) ?? []) {
      for (const alias of namesElsewhere(entity.name, name)) {
        const same = byId.get(alias) ?? [];
        byId.set(alias, same);
        // If very many entities share an id, none of them is guarded by it.
        if (same.length < MANY) same.push(entity);
      }
    }
  }
  const byName = new Map(plan.entities.map((entity) => [inWords(entity.name), entity]));
  for (const guard of named) {
    // `UserEmail` belongs to a User, even if other entities have an e-mail too.
    const words = wordsOf(guard.name);
    const first = words.map((_, i) => byName.get(words.slice(0, i).join(''))).filter((entity) => entity !== undefined);
    const owners =
      first.length > 0 ? first : guard.attributes.flatMap((attribute) => byId.get(inWords(attribute)) ?? []);
    for (const owner of new Set(owners)) if (owner !== guard) yield { guard, owner, given: NOTHING };
  }
}

const MANY = 10;

const GUARDS: ReadonlySet<string> = new Set(
  'guard unique uniqueness constraint claim claimed reservation reserved taken'.split(' '),
);

/** `UserEmail` is called after the email in its key. */
function isNamedForIt(entity: EntityBlueprint): boolean {
  if (!isPlausible(entity)) return false;
  if (hasWord(entity.name, GUARDS)) return true;
  const last = wordsOf(entity.name).at(-1);
  const parts = [...entity.keys.values()].flatMap(({ template }) => partsOf(template));
  return parts.some(({ name }) => last !== undefined && wordsOf(name).at(-1) === last);
}

const UNIQUE: ReadonlySet<string> = new Set(
  `email mail username login handle nickname alias phone mobile slug domain subdomain host hostname url isbn ean sku serial
  plate passport ssn iban vat token code`.split(/\s+/),
);

/** Whether its key holds something that is unique by its name, such as an e-mail; a tag is not, and may be replaced. */
function isUniqueByName(entity: EntityBlueprint): boolean {
  return [...entity.keys.values()].some(({ template }) => partsOf(template).some(({ name }) => hasWord(name, UNIQUE)));
}

/** Whether an entity is small enough for a guard. */
function isPlausible({ attributes, keys }: EntityBlueprint): boolean {
  return attributes.length <= 8 && keys.size > 0;
}

function guardOf(table: TableUnderCheck, { guard, owner, together, given }: Candidate): Guard | undefined {
  const [parts, ownKey] = [guard, owner].map((entity) =>
    keysIn(entity, table.plan.key)?.flatMap(({ template }) => partsOf(template)),
  );
  if (parts === undefined || ownKey === undefined || ownKey.length === 0) return undefined;
  const isOwnKey = (attribute: string) => ownKey.some(({ name }) => name === attribute);
  const values: GuardedValue[] = [];
  for (const part of new Set(parts.map(({ name }) => name))) {
    if (isIdOf(guard.name, part)) return undefined;
    const attribute = given.get(part) ?? alike(owner, part);
    if (attribute !== undefined) values.push({ part, attribute, isKey: isOwnKey(attribute) });
    // A constant sorts guards into kinds. Anything else is not the owner's, so this is not its guard.
    else if (!given.has(part)) return undefined;
  }
  const telling = ownKey.filter(({ name }) => !values.some(({ attribute }) => attribute === name));
  // An entity with every part of the owner's key is the owner itself, or a part of it.
  if (values.length === 0 || telling.length === 0) return undefined;
  const rest = guard.attributes.filter((attribute) => !parts.some(({ name }) => name === attribute));
  const ids = rest.filter((attribute) => telling.some((hole) => isNameOf(owner, hole, attribute)));
  const own = rest.filter((attribute) => !ids.includes(attribute) && !isBeside(attribute) && !alike(owner, attribute));
  const isAlone = own.length === 0 && (together === 'put' || (together === 'written' && isUniqueByName(guard)));
  const isTelling = own.length <= 1 && (together !== undefined || isNamedForIt(guard));
  const isNamed = own.length <= 1 && together !== undefined && hasWord(guard.name, GUARDS);
  // An entity identified only by the ids of other things is a part of those.
  const things = thingsIn(table);
  const isPartOf = parts.every((part) => things.has(thingOf(part) ?? '')) && !hasWord(guard.name, GUARDS);
  if (isPartOf) return undefined;
  const isGuard = values.every(({ isKey }) => isKey) ? isNamed : ids.length > 0 ? isTelling : isAlone;
  return isGuard ? { guard, owner, values, ids } : undefined;
}

function isNameOf(owner: EntityBlueprint, { path }: Hole, attribute: string): boolean {
  return namesElsewhere(owner.name, path.at(-1) as string).includes(inWords(attribute));
}

const called = new WeakMap<EntityBlueprint, ReadonlyMap<string, string>>();

/** The attribute of the owner that has this name, or would have it elsewhere. */
function alike(owner: EntityBlueprint, name: string): string | undefined {
  let names = called.get(owner);
  if (names === undefined) {
    const all = owner.attributes.flatMap((attribute) =>
      namesElsewhere(owner.name, attribute).map((alias) => [alias, attribute] as const),
    );
    names = new Map(all.reverse());
    called.set(owner, names);
  }
  return names.get(inWords(name));
}

const BESIDE: ReadonlySet<string> = new Set('at on date time ttl expiry expires until type kind version'.split(' '));

/** Whether an attribute may be in any item, such as a time or a version. */
function isBeside(attribute: string): boolean {
  return BESIDE.has(wordsOf(attribute).at(-1) ?? '');
}

import { keyOf, type PatternBlueprint } from '../../blueprint/outline';
import { indexNamed } from '../../blueprint/physical-table';
import { isObject } from '../../design/show';
import { newNameOf } from './answers';
import type { Pair } from './sides';
import { withNames } from './texts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Translates a pattern from the lock into the terms of the new design: the new names of its entities, attributes and
 * key attributes, and its entities' new key templates. If the new pattern equals the result, `diff` reports no change.
 */
export function followed(pair: Pair, { design, accesses }: PatternBlueprint): Fields {
  const entities = [...new Set(accesses.flatMap((access) => access.entities))];
  return followedStep(pair, entities, design as unknown as Fields);
}

function followedStep(pair: Pair, entities: readonly string[], step: Fields): Fields {
  const { before, answers } = pair;
  const entityNow = (name: unknown) => newNameOf(answers, before.name, String(name));
  const attributeNow = (name: string) => {
    const own = entities.map((entity) => newNameOf(answers, before.name, entity, name));
    return own.find((now) => now !== name) ?? name;
  };
  const where = (given: unknown, index: unknown) =>
    Object.fromEntries(
      Object.entries(given as Fields).map(([key, condition]) => {
        const now = keyNow(pair, index, key);
        return [now, templateNow(pair, entities, key, now, condition) ?? named(condition, attributeNow)];
      }),
    );
  const fields = Object.entries(step).map(([field, value]) => {
    if (field === 'entity') return [field, entityNow(value)];
    if (field === 'returns' && Array.isArray(value)) return [field, value.map(entityNow).sort()];
    if (field === 'where') return [field, where(value, step.index)];
    if (field === 'keys') return [field, mapped(value, (keys) => where(keys, undefined))];
    if (field === 'steps') return [field, mapped(value, (own) => followedStep(pair, entities, own as Fields))];
    return [field, PLAIN.has(field) ? value : named(value, attributeNow)];
  });
  return Object.fromEntries(fields);
}

/** The fields of a pattern that contain neither templates nor attribute names. */
const PLAIN: ReadonlySet<string> = new Set(['op', 'index', 'order', 'returns', 'pageSize', 'replace', 'unchanged']);

function mapped(values: unknown, map: (value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(values as Fields).map(([name, value]) => [name, map(value)]));
}

/** The new name of a key attribute: the attribute at the same position in the new key of the table or the index. */
function keyNow({ before, after }: Pair, index: unknown, key: string): string {
  const [old, now] = [before, after].map(({ physical }) =>
    index === undefined ? physical.key : indexNamed(physical, String(index)),
  );
  if (old === undefined || now === undefined) return key;
  const at = keyOf(old).findIndex(({ name }) => name === key);
  return keyOf(now)[at]?.name ?? key;
}

/** The new key template of the entity whose old template equals the condition; undefined if there is no such entity. */
function templateNow(
  pair: Pair,
  entities: readonly string[],
  key: string,
  now: string,
  condition: unknown,
): string | undefined {
  const { before, after, answers } = pair;
  for (const entity of entities) {
    const old = before.entities.find(({ name }) => name === entity)?.keys.get(key);
    if (old?.template.text !== condition) continue;
    const is = after.entities.find(({ name }) => name === newNameOf(answers, before.name, entity));
    return is?.keys.get(now)?.template.text;
  }
  return undefined;
}

/** Renames the attributes in a value: in templates, in field names and in lists. */
function named(value: unknown, nameOf: (attribute: string) => string): unknown {
  if (typeof value === 'string') return value.includes('<') ? withNames(value, nameOf) : nameOf(value);
  if (Array.isArray(value)) return value.map((one) => named(one, nameOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [nameOf(name), named(field, nameOf)]));
}

import type { SchemaData } from '../../blueprint/attributes/data';
import { same } from '../canonical';
import { describeBoth } from './inclusion';
import { absent } from './structures';

/** Describes how an attribute's schema changes. */
export function inWords(was: SchemaData, is: SchemaData): string {
  const [old, now] = [bareOf(was), bareOf(is)];
  const [before, after] = describeBoth(old, now);
  if (before !== after) return `${before} becomes ${after}`;
  if (acceptsNull(was) !== acceptsNull(is))
    return acceptsNull(is) ? `${before} becomes ${before} or null` : `${before} or null becomes ${before}`;
  const [element, next] = [old.element ?? old.valueType, now.element ?? now.valueType];
  if (element !== undefined && next !== undefined && !same(element, next))
    return `each ${old.element === undefined ? 'value' : 'element'} of ${before}: ${inWords(element, next)}`;
  const fields = old.shape && now.shape ? fieldsInWords(old.shape, now.shape) : [];
  return `${before}, with ${fields.length === 0 ? 'different bounds' : fields.join(', ')}`;
}

type Shape = Readonly<Record<string, SchemaData>>;

function fieldsInWords(was: Shape, is: Shape): readonly string[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => {
    const [old, now] = [was[name], is[name]];
    if (old === undefined) return [`a new '${name}'`];
    if (now === undefined) return [`no '${name}'`];
    if (same(old, now)) return [];
    const [before, after] = [old, now].map((schema) => absent(schema).verdict === 'yes');
    return [
      before === after
        ? `a different '${name}' (${inWords(old, now)})`
        : `${after ? 'an optional' : 'a required'} '${name}'`,
    ];
  });
}

/** Returns the path of a required field that is missing from the second schema, or undefined if no field is missing. */
export function fieldLost(was: SchemaData, is: SchemaData): readonly string[] | undefined {
  const [old, now] = [bareOf(was), bareOf(is)];
  const within = (step: string, from: SchemaData, to: SchemaData) => {
    const lost = fieldLost(from, to);
    return lost && [step, ...lost];
  };
  if (old.element !== undefined && now.element !== undefined) return within('[]', old.element, now.element);
  for (const [name, field] of Object.entries(old.shape ?? {})) {
    const next = now.shape?.[name];
    const isLost = now.shape !== undefined && next === undefined && absent(field).verdict === 'no';
    const lost = isLost ? [name] : next && within(name, field, next);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function acceptsNull({ type, innerType }: SchemaData): boolean {
  return type === 'nullable' || (innerType !== undefined && acceptsNull(innerType));
}

/** Removes the wrappers of a schema, such as optional, default and nullable. */
export function bareOf(schema: SchemaData): SchemaData {
  return schema.innerType === undefined ? schema : bareOf(schema.innerType);
}

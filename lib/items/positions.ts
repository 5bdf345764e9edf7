import { listForm } from '../blueprint/attributes/lists';
import { schemaAt } from '../blueprint/attributes/schema';
import { isGroup } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition, UpdatePattern, Write } from '../design/pattern';
import { KeyError, shownValue, stepsOf, valueAt } from '../design/template';
import { ItemError } from './item';

/**
 * Inserts the caller's positions into the paths of a write (`lines[<line>].sku`), and adds the condition that each
 * element exists. Otherwise, if the element were missing, DynamoDB would append a value that is set, and would silently
 * ignore a removal.
 */
export function located<S extends Write>(entity: EntityOutline, step: S, values: object): S {
  const at = (path: string) =>
    path.replace(/\[<([^<>]*)>\]/g, (_, name: string) => `[${positionOf(path, name, values)}]`);
  const fields = (byPath: object): Record<string, unknown> => {
    const found = new Map<string, unknown>();
    for (const [given, value] of Object.entries(byPath)) {
      const path = at(given);
      if (found.has(path))
        throw new ItemError(`${entity.name}: ${path} is changed twice; pass different positions, or one change`);
      found.set(path, isGroup(value) ? value.map(fields) : operand(value));
    }
    return Object.fromEntries(found);
  };
  const operand = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(operand);
    const inner = Object.entries(value).map(([name, held]) => [name, name === 'attribute' ? at(held) : operand(held)]);
    return Object.fromEntries(inner);
  };
  const { condition, set, add, subtract, remove } = step as Partial<UpdatePattern>;
  const filled = Object.fromEntries(
    Object.entries({ condition, set, add, subtract }).flatMap(([field, byPath]) =>
      byPath ? [[field, fields(byPath)]] : [],
    ),
  ) as Pick<UpdatePattern, 'condition' | 'set' | 'add' | 'subtract'>;
  const gone = remove?.map(at) ?? [];
  const touched = [filled.set, filled.add, filled.subtract].flatMap((byPath) => Object.keys(byPath ?? {})).concat(gone);
  const must = { ...there(touched), ...filled.condition, ...longEnough(entity, gone, filled.condition?.none) };
  return {
    ...step,
    ...filled,
    ...(remove && { remove: gone }),
    ...(Object.keys(must).length === 0 ? {} : { condition: must }),
  };
}

function positionOf(path: string, name: string, values: object): number {
  const position = valueAt(values, name.split('.'));
  if (Number.isSafeInteger(position) && (position as number) >= 0) return position as number;
  throw new KeyError(name, `${path}: <${name}> is ${shownValue(position)}; a position is a non-negative integer`);
}

function there(paths: readonly string[]): Condition {
  const elements = paths.map((path) => path.slice(0, path.lastIndexOf(']') + 1)).filter((path) => path !== '');
  return Object.fromEntries(elements.map((path) => [path, { exists: true }]));
}

/** Returns the condition that no list becomes shorter than its minimum length. */
function longEnough(entity: EntityOutline, gone: readonly string[], none: Condition[string] | undefined): Condition {
  const removed = new Map<string, number>();
  for (const path of gone.filter((removedPath) => removedPath.endsWith(']'))) {
    const list = path.slice(0, path.lastIndexOf('['));
    removed.set(list, (removed.get(list) ?? 0) + 1);
  }
  const short = Array.from(removed).flatMap(([list, count]): readonly Condition[] => {
    const schema = schemaAt(entity.schema, stepsOf(list));
    const least = (schema && listForm(schema)?.least) || 0;
    return least === 0 ? [] : [{ [list]: { size: { lessThan: least + count } } }];
  });
  return short.length === 0 ? {} : { none: [...(isGroup(none) ? none : []), ...short] };
}

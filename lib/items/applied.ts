import { stepsOf, valueAt } from '../design/template';
import type { Item } from './item';
import type { Change } from './update';

/** Thrown, under the name of DynamoDB's own error, if an update cannot be applied to the stored item. */
export class InapplicableChange extends Error {
  public override readonly name = 'ValidationException';
}

/**
 * The item after an update, as DynamoDB would store it. Every new value is computed from the item as it was before the
 * update.
 */
export function applied(item: Item, { set, copied, computed, added, removed }: Change): Item {
  const values = new Map<string, unknown>(set);
  const emptied: string[] = [];
  for (const [path, from] of copied) {
    const value = at(item, from);
    if (value === undefined) throw new InapplicableChange(`${path}: the item has no '${from}' to copy`);
    values.set(path, value);
  }
  for (const [path, { how, value }] of computed) {
    const current = at(item, path);
    if (how === 'ifMissing') values.set(path, current === undefined ? value : current);
    else if (value instanceof Set) {
      if (current !== undefined && !(current instanceof Set)) throw new InapplicableChange(`${path} is not a set`);
      const kept = [...(current ?? [])].filter((element) => !value.has(element));
      const next = new Set(how === 'add' ? [...kept, ...value] : kept);
      // DynamoDB deletes a set that loses its last element.
      if (next.size > 0) values.set(path, next);
      else emptied.push(path);
    } else {
      const [list, more] = [current ?? [], value];
      if (!Array.isArray(list) || !Array.isArray(more)) throw new InapplicableChange(`${path} is not a list`);
      values.set(path, how === 'append' ? [...list, ...more] : [...more, ...list]);
    }
  }
  for (const [path, amount] of added) {
    const current = at(item, path) ?? 0;
    if (typeof current !== 'number' && typeof current !== 'bigint')
      throw new InapplicableChange(`${path} is not a number`);
    values.set(path, sumOf(current, amount));
  }
  const next = copyOf(item) as Item;
  for (const [path, value] of values) put(next, path, value);
  // Removes list elements from the end, so that removing one does not shift the others that are still to be removed.
  const last = (path: string) => Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0);
  for (const path of [...removed, ...emptied].sort((a, b) => last(b) - last(a))) remove(next, path);
  return next;
}

/** A copy whose maps and lists can be changed. Sets and bytes need no copy, since updates only replace them. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isMap(value) ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, copyOf(own)])) : value;
}

/** The steps of a path, with each list position as a number. */
function stepsIn(path: string): readonly (string | number)[] {
  return stepsOf(path).map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
}

function at(item: Item, path: string): unknown {
  return valueAt(item, stepsIn(path).map(String));
}

function put(item: Item, path: string, value: unknown): void {
  const [holder, last] = holderOf(item, path);
  if (holder === undefined)
    throw new InapplicableChange(`${path}: the item has no map or list that could contain this path`);
  if (Array.isArray(holder)) holder[Math.min(Number(last), holder.length)] = value;
  else Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
}

function remove(item: Item, path: string): void {
  const [holder, last] = holderOf(item, path);
  if (holder === undefined)
    throw new InapplicableChange(`${path}: the item has no map or list that contains this path`);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last as string];
}

/**
 * Returns the map or list that contains the value at a path, and the last step of the path. The map or list is
 * undefined if the item does not contain it.
 */
function holderOf(item: Item, path: string): readonly [Item | unknown[] | undefined, string | number] {
  const steps = [...stepsIn(path)];
  const last = steps.pop() as string | number;
  const holder = steps.length === 0 ? item : valueAt(item, steps.map(String));
  const fits = typeof last === 'number' ? Array.isArray(holder) : isMap(holder);
  return [fits ? (holder as Item) : undefined, last];
}

function isMap(value: unknown): value is Item {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Set) && !(value instanceof Uint8Array);
}

/** The decimal sum, as DynamoDB calculates it: 0.1 + 0.2 is 0.3. */
export function sumOf(a: number | bigint, b: number | bigint): number | bigint {
  const [[x, i], [y, j]] = [decimalOf(a), decimalOf(b)];
  const digits = Math.max(i, j);
  const sum = x * 10n ** BigInt(digits - i) + y * 10n ** BigInt(digits - j);
  const number = Number(`${sum}e${-digits}`);
  return digits === 0 && !Number.isSafeInteger(number) ? sum : number;
}

/** Returns a number's digits as an integer, and how many of them are fractional: 1.25 becomes 125 and 2. */
function decimalOf(value: number | bigint): readonly [bigint, number] {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  const digits = fraction.length - Number(exponent);
  const integer = BigInt(whole + fraction);
  return digits >= 0 ? [integer, digits] : [integer * 10n ** BigInt(-digits), 0];
}

import type { Item } from '../items/item';
import type { Stored } from './attribute-values';

/**
 * Whether a refused put succeeded after all: an earlier attempt got no response, and the stored item equals the put's
 * item. A throttled attempt got a response and wrote nothing, so an equal item must come from another caller, and the
 * put stays refused.
 */
export function wasDoneBefore(input: Item, error: unknown): boolean {
  const { name, unanswered, Item: there } = (error ?? {}) as Refusal;
  if (name !== 'ConditionalCheckFailedException' || unanswered !== true || there === undefined) return false;
  return isStored(input.Item, there);
}

interface Refusal {
  readonly name?: string;
  /** Whether an earlier attempt of the same request got no response; set by `dynamo`. */
  readonly unanswered?: boolean;
  /** The stored item, in DynamoDB's own format. */
  readonly Item?: Readonly<Record<string, Stored>>;
}

/** Whether an item equals the stored item. */
export function isStored(item: unknown, there: Readonly<Record<string, Stored>>): boolean {
  return isEqual(item, { M: there });
}

function isEqual(value: unknown, stored: Stored): boolean {
  const [[type, content] = ['', undefined]] = Object.entries(stored);
  switch (type) {
    case 'NULL':
      return value === null;
    case 'N':
      return (typeof value === 'number' || typeof value === 'bigint') && Number(value) === Number(content);
    case 'S':
    case 'BOOL':
      return value === content;
    case 'L':
      return areEqual(value, content as readonly Stored[]);
    case 'M':
      return areEqual(value, content as Readonly<Record<string, Stored>>);
    case 'B':
      return String(value) === String(content);
    default:
      // Compares sorted elements, because sets have no order.
      return value instanceof Set && String([...value].sort()) === String([...(content as unknown[])].sort());
  }
}

function areEqual(value: unknown, stored: Readonly<Record<string, Stored>> | readonly Stored[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const there = new Map<string, Stored>(Object.entries(stored));
  return given.length === there.size && given.every(([name, inner]) => isEqual(inner, there.get(name) ?? {}));
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { ItemError } from '../../items/item';

/** An item in DynamoDB's own format. */
export type StoredItem = Record<string, AttributeValue>;

/** Converts a value to DynamoDB's own format; the inverse of `plainItem`. */
export function storedValue(name: string, value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'boolean':
      return { BOOL: value };
    case 'bigint':
      return { N: String(value) };
    case 'number':
      if (Number.isFinite(value)) return { N: String(value) };
      break;
    case 'object':
      return value instanceof Uint8Array
        ? { B: value }
        : value instanceof Set
          ? storedSet(name, [...value])
          : Array.isArray(value)
            ? { L: value.map((element) => storedValue(name, element)) }
            : { M: storedItem(value as object, `${name}.`) };
  }
  throw new ItemError(`${name}: ${String(value)} cannot be stored in DynamoDB`);
}

/** Converts an item to DynamoDB's own format; leaves out undefined values. */
export function storedItem(values: object, path = ''): StoredItem {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, storedValue(`${path}${name}`, value)]));
}

function storedSet(name: string, values: readonly unknown[]): AttributeValue {
  const [first] = values;
  if (first === undefined) throw new ItemError(`${name}: an empty set cannot be stored in DynamoDB`);
  if (typeof first === 'string') return { SS: values as string[] };
  return first instanceof Uint8Array ? { BS: values as Uint8Array[] } : { NS: values.map(String) };
}

/** Converts a key to plain JSON that can be stored in a file; the inverse of `keyFrom`. */
export function keptKey(key: StoredItem): unknown {
  return Object.fromEntries(
    Object.entries(key).map(([name, { B: bytes, ...value }]) => [
      name,
      bytes === undefined ? value : { base64: Buffer.from(bytes).toString('base64') },
    ]),
  );
}

export function keyFrom(kept: unknown): StoredItem {
  const entries = Object.entries(kept as Record<string, AttributeValue | { readonly base64: string }>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      'base64' in value ? { B: new Uint8Array(Buffer.from(value.base64, 'base64')) } : value,
    ]),
  );
}

import { DYNAMODB_REQUEST } from '../blueprint/clouds';
import { type Item, showKey } from '../items/item';
import { RequestError } from './errors';
import { keyOfWrite, type PreparedWrite } from './write';

/** Refuses writes that are too large for DynamoDB, before they are sent. */
export function refuseTooLarge(pattern: string, writes: readonly PreparedWrite[]): void {
  let total = 0;
  for (const write of writes) {
    const { Item } = write.input as { Item?: Item };
    // The size of the item that an update produces is unknown in advance.
    if (Item === undefined) continue;
    const bytes = sizeOf(Item);
    total += bytes;
    if (bytes <= DYNAMODB_REQUEST.itemBytes) continue;
    const key = keyOfWrite(write);
    const what = `${write.step.entity} ${showKey(write.table, key)}`;
    throw tooLarge(
      `${write.name}: ${what} takes ${bytes} bytes, but an item is limited to ${DYNAMODB_REQUEST.itemBytes}; keep the largest part elsewhere`,
      [{ name: write.name, kind: 'too-large', entity: write.step.entity, key, tests: [], isEqual: false }],
    );
  }
  if (writes.length > 1 && total > DYNAMODB_REQUEST.transactionBytes)
    throw tooLarge(
      `${pattern}: its items take ${total} bytes, but a transaction is limited to ${DYNAMODB_REQUEST.transactionBytes}; write fewer items`,
      [],
    );
}

function tooLarge(message: string, writes: RequestError['writes']): RequestError {
  return new RequestError('RequestError', 'too-large', message, writes);
}

/** The size of an item in bytes as DynamoDB counts it: names and values, plus a few bytes for every list and map. */
export function sizeOf(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += textSize(name) + valueSize(item[name]);
  return bytes;
}

function valueSize(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'number':
    case 'bigint':
      return Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + 2;
    case 'boolean':
      return 1;
    case 'undefined':
      return 0;
  }
  if (value === null) return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return sum(value);
  if (Array.isArray(value)) return 3 + value.length + sum(value);
  return 3 + Object.keys(value as object).length + sizeOf(value as Item);
}

function sum(values: Iterable<unknown>): number {
  let bytes = 0;
  for (const value of values) bytes += valueSize(value);
  return bytes;
}

/** The UTF-8 length of a string in bytes, without encoding it. */
function textSize(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
    // A surrogate pair takes four bytes: `length` counts two, and the first half of the pair adds two.
    if (unit >= 0xd800 && unit <= 0xdbff) i++;
  }
  return bytes;
}

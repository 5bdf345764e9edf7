import { ItemError } from '../items/item';

const etags = new WeakMap<object, string>();

/** The ETag of an item that a pattern returned; undefined for a copy of the item. */
export function etagOf(item: object | undefined): string | undefined {
  return item === undefined ? undefined : etags.get(item);
}

/** Stores the ETag outside the item, because an item has only the attributes in the design. */
export function keepEtag(item: object, etag: unknown): void {
  if (typeof etag === 'string') etags.set(item, etag);
}

/**
 * The ETag that a write passes to the SDK. Throws if a required ETag is missing, because the SDK treats undefined as
 * "overwrite any version".
 */
export function givenEtag(name: string, etag: string | undefined, isNeeded: boolean): string | undefined {
  if (isNeeded && (etag === undefined || etag === '*')) {
    throw new ItemError(
      `${name}: the pattern writes the item only if it is unchanged; pass the ETag of the item that you read: { etag: etagOf(item) }`,
    );
  }
  if (etag !== undefined && (typeof etag !== 'string' || etag === '')) {
    throw new ItemError(
      `${name}: the ETag must be the string that was read with the item, got: ${JSON.stringify(etag)}`,
    );
  }
  return etag;
}

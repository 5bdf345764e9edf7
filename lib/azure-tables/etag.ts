import { ItemError } from '../items/item';

const etags = new WeakMap<object, string>();

/** The ETag that an item had when it was read; none for a copy of one. */
export function etagOf(item: object | undefined): string | undefined {
  return item === undefined ? undefined : etags.get(item);
}

/** Keeps the ETag beside an item, and not in it: an item holds what the design says and nothing else. */
export function keepEtag(item: object, etag: unknown): void {
  if (typeof etag === 'string') etags.set(item, etag);
}

/** The ETag to write with. The SDK takes undefined for "whatever is there", so that it is never passed on. */
export function givenEtag(name: string, etag: string | undefined, isNeeded: boolean): string | undefined {
  if (isNeeded && (etag === undefined || etag === '*')) {
    throw new ItemError(
      `${name}: it writes only an unchanged item; give the ETag of the item as it was read: { etag: etagOf(item) }`,
    );
  }
  if (etag !== undefined && (typeof etag !== 'string' || etag === '')) {
    throw new ItemError(`${name}: the ETag must be text that came with an item, got: ${JSON.stringify(etag)}`);
  }
  return etag;
}

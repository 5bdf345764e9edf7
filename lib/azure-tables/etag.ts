import { ItemError } from '../items/item';

const etags = new WeakMap<object, string>();

/** The ETag that an item had when it was read; undefined for a copy of the item. */
export function etagOf(item: object | undefined): string | undefined {
  return item === undefined ? undefined : etags.get(item);
}

/** Keeps the ETag beside the item, not in it: an item has only the attributes of the design. */
export function keepEtag(item: object, etag: unknown): void {
  if (typeof etag === 'string') etags.set(item, etag);
}

/** The ETag to write with. Throws if the pattern needs an ETag, because the SDK takes undefined for "overwrite anything". */
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

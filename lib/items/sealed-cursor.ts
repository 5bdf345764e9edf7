import { damaged, fromBase64Url, LONGEST_CURSOR, toBase64Url } from './cursor';

export interface CursorOptions {
  /**
   * Encrypts cursors with a secret of at least 16 characters, so that callers can neither read nor forge them. With
   * several secrets, the first secret seals new cursors, and every secret opens existing cursors, so that secrets can
   * be rotated.
   */
  readonly secret: string | readonly string[];
}

/**
 * Seals and opens cursors. Only a holder of the secret can read a sealed cursor. Each sealed cursor belongs to one
 * table and pattern.
 */
export interface Seal {
  close(place: string, cursor: string): Promise<string>;
  /** @param shards the number of cursors that the sealed cursor contains */
  open(place: string, cursor: unknown, shards?: number): Promise<string>;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const NONCE_BYTES = 12;
const LEAST_SECRET = 16;

export function sealOf({ secret }: CursorOptions): Seal {
  // Spreading turns holes into undefined, because `some` would skip holes.
  const secrets: readonly unknown[] = Array.isArray(secret) ? [...secret] : [secret];
  if (secrets.length === 0 || secrets.some((text) => typeof text !== 'string' || text.length < LEAST_SECRET)) {
    throw new Error(
      `cursors.secret must be a string of at least ${LEAST_SECRET} characters, or a list of such strings`,
    );
  }
  let keys: Promise<readonly Key[]> | undefined;
  const all = () => {
    keys ??= Promise.all((secrets as readonly string[]).map(keyOf));
    return keys;
  };
  return {
    async close(place, cursor) {
      const [key] = (await all()) as readonly [Key];
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const sealed = await crypto.subtle.encrypt(algorithm(iv, place), key, new TextEncoder().encode(cursor));
      return toBase64Url(Uint8Array.from([...iv, ...new Uint8Array(sealed)]));
    },
    async open(place, cursor, shards = 1) {
      // Sealing encodes a cursor a second time, so a sealed cursor is a third longer.
      const bytes = fromBase64Url(cursor, 2 * shards * LONGEST_CURSOR);
      const [iv, sealed] = [bytes.slice(0, NONCE_BYTES), bytes.slice(NONCE_BYTES)];
      for (const key of await all()) {
        try {
          // `ignoreBOM` keeps a byte order mark at the beginning of the sealed text.
          return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
            await crypto.subtle.decrypt(algorithm(iv, place), key, sealed),
          );
        } catch {
          // Another secret may have sealed the cursor.
        }
      }
      throw damaged();
    },
  };
}

function algorithm(iv: Uint8Array<ArrayBuffer>, place: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) };
}

async function keyOf(secret: string): Promise<Key> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`tablewright cursor ${secret}`));
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

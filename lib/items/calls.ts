import { ItemError } from './item';
import { isPage, type UnknownPolicy } from './result';
import type { Seal } from './sealed-cursor';

/** The functions that build and send a pattern's requests. */
export interface Operation<Options, Made> {
  make(values: object, options: Options): Made;
  send(made: Made, options: Options): Promise<unknown>;
}

/** A pattern that a client can call. */
export interface CalledPattern {
  readonly tableName: string;
  readonly name: string;
  /** Seals the cursors of the pattern's pages. @default - the cursors are readable */
  readonly seal?: Seal | undefined;
  /** The number of single-query cursors in a cursor of this pattern. @default 1 */
  readonly shards?: number | undefined;
  /** Rejects a call that was never sent, and reports the rejection to the observer like any other failure. */
  refuse(refusal: unknown): Promise<never>;
}

interface CallOptions {
  readonly cursor?: string | undefined;
  readonly onUnknown?: UnknownPolicy | undefined;
}

/**
 * Returns the function for a pattern. It opens the cursor, builds and sends the requests, and seals the next cursor.
 */
export function callOf<Options extends CallOptions, Made>(
  { tableName, name, seal, shards, refuse }: CalledPattern,
  { make, send }: Operation<Options, Made>,
): (values: object, options?: Options) => Promise<unknown> {
  const place = `${tableName} ${name}`;
  return async (values, given) => {
    let options = given ?? ({} as Options);
    let made: Made;
    try {
      assertPolicy(options.onUnknown);
      const { cursor } = options;
      if (seal !== undefined && cursor !== undefined)
        options = { ...options, cursor: await seal.open(place, cursor, shards) };
      made = make(values ?? {}, options);
    } catch (refusal) {
      return refuse(placed(tableName, name, refusal));
    }
    const result = await send(made, options);
    if (seal === undefined || !isPage(result) || result.cursor === undefined) return result;
    return { ...result, cursor: await seal.close(place, result.cursor) };
  };
}

/** Throws for an invalid policy, which the client would otherwise silently ignore. */
export function assertPolicy(onUnknown: unknown): void {
  if (onUnknown === undefined || onUnknown === 'throw' || typeof onUnknown === 'function') return;
  throw new ItemError(`onUnknown must be 'throw' or a function, got: ${JSON.stringify(onUnknown)}`);
}

/**
 * Adds the table's and the pattern's names to one of this library's errors, unless the message already contains them.
 */
export function placed<E>(tableName: string, pattern: string, error: E): E {
  const { name, message } = Object(error) as Error;
  if (/^(Key|Item|Cursor)Error$/.test(name) && !message.startsWith(`${tableName}: `))
    (error as Error).message = `${tableName}: ${message.startsWith(pattern) ? '' : `${pattern}: `}${message}`;
  return error;
}

/** Runs `work`, and adds the table's and the pattern's names to any error of this library that it throws. */
export function inPattern<T>(tableName: string, pattern: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw placed(tableName, pattern, error);
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../lib/dynamodb/engine/database';
import { through } from '../../lib/dynamodb/engine/stored';
import type { CommandName } from '../../lib/dynamodb/requests';
import type { Item } from '../../lib/items/item';

/** A request, with the pattern that sent it and the procedure that used the pattern. */
export interface Recorded {
  readonly pattern: string;
  readonly procedure?: string;
  readonly command: CommandName;
  readonly input: Item;
}

/** The running pattern and procedure, which stay known even after they have waited for a response. */
const patterns = new AsyncLocalStorage<string>();
const procedures = new AsyncLocalStorage<string>();

/** Wraps a client so that the recorder knows which pattern is sending, even while the caller reads page after page. */
export function announced<C extends object>(client: C): C {
  const runs = Object.entries(client).map(([name, run]) => {
    const methods = Object.entries(run as object).map(([method, own]) => [method, announcing(name, own)]);
    return [name, Object.assign(announcing(name, run), Object.fromEntries(methods))];
  });
  return Object.fromEntries(runs);
}

function announcing<R>(name: string, run: (...args: unknown[]) => R): (...args: unknown[]) => R {
  return (...args) => {
    const result = patterns.run(name, () => run(...args));
    const { [Symbol.asyncIterator]: iterate } = (result ?? {}) as AsyncIterable<unknown>;
    if (iterate === undefined) return result;
    const iterator = iterate.call(result);
    const next = () => patterns.run(name, () => iterator.next());
    return { [Symbol.asyncIterator]: () => ({ next, return: () => iterator.return?.() }) } as R;
  };
}

/**
 * Wraps the exports of a module so that the recorder knows which procedure is running. Exported constants and classes
 * stay unchanged.
 */
export function announcedProcedures<M extends Readonly<Record<string, unknown>>>(module: M): M {
  const exported = Object.entries(module).map(([name, run]) =>
    typeof run !== 'function' || /^[A-Z]/.test(name)
      ? [name, run]
      : [name, (...args: unknown[]) => procedures.run(name, () => run(...args))],
  );
  return Object.fromEntries(exported);
}

/** Returns a database that records the requests of patterns in `recorded`, and all other inputs in `loaded`. */
export function recording(engine: Database, recorded: Recorded[], loaded: Item[]): Database {
  return through(engine, (command, input) => {
    const [pattern, procedure] = [patterns.getStore(), procedures.getStore()];
    if (pattern === undefined) loaded.push(input);
    else recorded.push({ pattern, command, input, ...(procedure === undefined ? {} : { procedure }) });
    return engine.send(command, input);
  });
}

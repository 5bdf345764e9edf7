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

/**
 * The pattern that is sending now. A pattern sends its request before any other code can run, so a single variable is
 * enough.
 */
let pattern: string | undefined;
let procedure: string | undefined;

/** Wraps a client so that the recorder knows which pattern is sending. */
export function announced<C extends object>(client: C): C {
  const runs = Object.entries(client).map(([name, run]) => {
    const announce = (...args: unknown[]) => {
      pattern = name;
      try {
        return run(...args);
      } finally {
        pattern = undefined;
      }
    };
    return [name, announce];
  });
  return Object.fromEntries(runs);
}

/**
 * Wraps the exports of a module so that the recorder knows which procedure is running. Exports that are not procedures
 * are classes.
 */
export function announcedProcedures<M extends Readonly<Record<string, unknown>>>(module: M): M {
  const procedures = Object.entries(module).map(([name, run]) => {
    if (typeof run !== 'function' || /^[A-Z]/.test(name)) return [name, run];
    const announce = async (...args: unknown[]) => {
      procedure = name;
      try {
        return await run(...args);
      } finally {
        procedure = undefined;
      }
    };
    return [name, announce];
  });
  return Object.fromEntries(procedures);
}

/** Returns a database that records the requests of patterns in `recorded`, and all other inputs in `loaded`. */
export function recording(engine: Database, recorded: Recorded[], loaded: Item[]): Database {
  return through(engine, (command, input) => {
    if (pattern === undefined) loaded.push(input);
    else recorded.push({ pattern, command, input, ...(procedure === undefined ? {} : { procedure }) });
    return engine.send(command, input);
  });
}

import type { Database } from '../../lib/dynamodb/engine/database';
import { through } from '../../lib/dynamodb/engine/stored';
import type { CommandName } from '../../lib/dynamodb/requests';
import type { Item } from '../../lib/items/item';

/** A request of a proof: which pattern sent it, and on behalf of which procedure. */
export interface Recorded {
  readonly pattern: string;
  readonly procedure?: string;
  readonly command: CommandName;
  readonly input: Item;
}

/** What is sent at this moment: a pattern sends its request before anything else can happen. */
let pattern: string | undefined;
let procedure: string | undefined;

/** The same client, whose patterns are known to the recorder while they send. */
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

/** The same module, whose procedures are known to the recorder while they run; its other exports are classes. */
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

/** A database that records what patterns send; the rest is what a proof sends by itself. */
export function recording(engine: Database, recorded: Recorded[], loaded: Item[]): Database {
  return through(engine, (command, input) => {
    if (pattern === undefined) loaded.push(input);
    else recorded.push({ pattern, command, input, ...(procedure === undefined ? {} : { procedure }) });
    return engine.send(command, input);
  });
}

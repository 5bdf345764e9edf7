import { unitsOf } from '../../lib/dynamodb/commands';
import type { Database } from '../../lib/dynamodb/engine/database';
import { through } from '../../lib/dynamodb/engine/stored';
import type { Send } from '../../lib/dynamodb/sending';
import type { Item } from '../../lib/items/item';

/** Adds up the capacity that a run's requests consume. */
export class Consumption {
  #units = 0;

  public get units(): number {
    return this.#units;
  }

  /** Wraps a database to add up the capacity of all its requests, including those that fill and clear its tables. */
  public of(database: Database): Database {
    return { ...through(database, this.counting(database.send)), sendExact: this.counting(database.sendExact) };
  }

  public counting(send: Send): Send {
    return async (command, input) => {
      try {
        const output = await send(command, { ReturnConsumedCapacity: 'TOTAL', ...input });
        this.#units += unitsOf(output.ConsumedCapacity);
        return output;
      } catch (error) {
        this.#units += failedUnits(input);
        throw error;
      }
    };
  }
}

/**
 * Estimates the capacity that a failed request consumed, because errors do not report it. A rejected write costs as
 * much as a successful one; every write is assumed to cost two units, as in a transaction.
 */
function failedUnits({ TransactItems = [] }: Item): number {
  return 2 * Math.max(1, (TransactItems as readonly unknown[]).length);
}

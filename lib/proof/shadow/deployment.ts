import { client as azureClient } from '../../azure-tables/client';
import type { AzureDatabase } from '../../azure-tables/engine/database';
import { entityBetween, itemBetween } from '../../azure-tables/migration/items';
import { azureStore } from '../../azure-tables/migration/store';
import { whole } from '../../blueprint/shares';
import { stored } from '../../blueprint/stored';
import type { SystemDesign } from '../../design/system';
import { acrossAll } from '../../dynamodb/across';
import { client } from '../../dynamodb/client';
import { dynamoStore } from '../../dynamodb/migration/store';
import { unique } from '../../dynamodb/unique';
import { written } from '../../dynamodb/written';
import type { Migration } from '../../evolve';
import { evolving as evolvingAzure } from '../../evolve/clients/azure-tables';
import { evolving } from '../../evolve/clients/dynamodb';
import type { EvolvingProps } from '../../evolve/clients/under-way';
import type { Store } from '../../evolve/migration/run/store';
import type { Item } from '../../items/item';
import { deployedName } from '../tables';
import { cloudFormation } from './cloudformation';
import type { Call } from './reach';
import { clock } from './stamps';
import { SECONDS, type StrictDatabase } from './strict';
import { terraform } from './terraform';
import type { Stack } from './update';

/** An item, and the form in which the database stores it. */
export interface Held {
  readonly item: Item;
  readonly stored: Item;
}

/** The database on which a plan is carried out, with the tables deployed so far. */
export class Deployment {
  public readonly stack: Stack<never>;

  public constructor(
    private readonly database: StrictDatabase | AzureDatabase,
    private readonly environment: string,
    private readonly system: SystemDesign,
    private readonly migration: Migration,
  ) {
    this.stack = database.cloud === 'azure' ? terraform(database) : cloudFormation(database);
  }

  /** Lets time pass until the cloud has finished all pending changes. */
  public settle(): void {
    const { database } = this;
    if (database.cloud === 'azure') return;
    for (let waited = 0; database.pending().length > 0 && waited < 4; waited++) database.pass(SECONDS.ttl);
  }

  public isThere(table: string): boolean {
    return this.stack.has(this.nameOf(table));
  }

  /** Describes what is wrong with a table, apart from its items; undefined if nothing is wrong. */
  public faultOf(table: string): string | undefined {
    if (!this.isThere(table)) return `table ${table} does not exist`;
    if (this.database.cloud === 'azure') return undefined;
    const design = this.system.tables[table];
    const [wanted, ttl] = [design?.ttl, this.database.ttlOf(this.nameOf(table))];
    if (ttl !== wanted) return `TTL on ${table} is ${ttl ?? 'off'}, but should be ${wanted ?? 'off'}`;
    const [indexes, there] = [Object.keys(design?.indexes ?? {}), this.database.indexesOf(this.nameOf(table))];
    const extra = there.find((index) => !indexes.includes(index));
    if (extra !== undefined) return `index ${extra} of ${table} still exists`;
    const missing = indexes.find((index) => !there.includes(index));
    return missing === undefined ? undefined : `index ${missing} of ${table} does not exist`;
  }

  public async items(table: string): Promise<readonly Held[]> {
    const held: Held[] = [];
    const { before, after } = this.migration.sides(table);
    for await (const stored of this.database.scan(this.nameOf(table)))
      held.push({ stored, item: this.database.cloud === 'azure' ? itemBetween(before, after, stored) : stored });
    return held;
  }

  /** Returns an item together with the form in which a release stores it. */
  public held(table: string, item: Item): Held {
    const { before, after } = this.migration.sides(table);
    return { item, stored: this.database.cloud === 'azure' ? (entityBetween(before, after, item) as Item) : item };
  }

  /** Replaces the contents of a table with these items. */
  public restore(table: string, wanted: readonly Held[]): Promise<void> {
    return this.database.restore(
      this.nameOf(table),
      wanted.map(({ stored }) => stored),
    );
  }

  public store(tables: readonly string[]): Store {
    const { database, migration } = this;
    const names = Object.fromEntries(tables.map((table) => [table, this.nameOf(table)]));
    return database.cloud === 'azure'
      ? azureStore({ database, migration, names })
      : dynamoStore({ database, migration, names });
  }

  /** Returns a release's patterns as functions. With `step`, the release knows the current step of a plan. */
  public calls(system: SystemDesign, step?: EvolvingProps): Readonly<Record<string, Call>> {
    const { database } = this;
    const onUnknown = 'throw' as const;
    const clients = Object.entries(whole(system).tables).map(
      ([table, design]) =>
        [
          table,
          database.cloud === 'azure'
            ? azureClient(design, table, database.send, { onUnknown, clock, evolving: step && evolvingAzure(step) })
            : client(design, this.nameOf(table), database.send, {
                onUnknown,
                clock,
                unique,
                written,
                stored,
                evolving: step && evolving(step),
              }),
        ] as const,
    );
    return Object.assign({}, ...clients.map(([, own]) => own), acrossAll(system, clients));
  }

  private nameOf(table: string): string {
    return deployedName(this.system, this.environment, table);
  }
}

import { isDeepStrictEqual } from 'node:util';
import { etagOf } from '../../azure-tables/etag';
import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { parametersOf } from '../../blueprint/parameters';
import { awsCalls, azureCalls } from '../../costs/calls';
import { listed, listPrices } from '../../costs/prices';
import type { SystemDesign } from '../../design/system';
import { entityOf, type Item } from '../../items/item';
import { isPage } from '../../items/result';
import type { Look, ProcedureCase, WriteCase } from '../../proof/cases';
import type { AnyDatabase, Etags } from '../../proof/tables';
import { faultsOf } from '../faults';
import { Items, plain } from '../items';
import { type Order, orderOf } from '../order';
import { textOf } from '../rows';
import type { Explored } from '../system';
import type { ChangedItem, ParameterView, ReadView, RunView } from '../view';
import { copied } from './held-rows';
import { type ExploredTables, fillTables, type Sent } from './tables';

type Values = Readonly<Record<string, unknown>>;

/**
 * Runs a system's patterns on a disposable copy of its items, shows what a write changes, and then undoes the write.
 * Items in running tables are copied only on request, because every program on this machine can reach the port of an
 * embedded engine. Without a copy, read-only patterns run on the tables themselves.
 */
export class Copy {
  private tables: Promise<ExploredTables> | undefined;
  private items: ReadonlyMap<string, Items>;
  private turn: Promise<unknown> = Promise.resolve();
  private stops = 0;
  private readonly order: Order;

  public constructor(
    private readonly explored: Explored,
    private readonly start: () => Promise<AnyDatabase>,
    /** How long a run may take, in milliseconds, before the engine is considered lost. */
    private readonly patience = 10_000,
    /** Whether the user has allowed copying the items of running tables. */
    private readonly mayCopy = false,
  ) {
    this.items = explored.items;
    this.order = orderOf(explored.view);
  }

  /** Runs a pattern or a procedure. Only one runs at a time, because all runs share the tables. */
  public run(name: string, values: Values, cursor?: string): Promise<RunView> {
    const { stops } = this;
    const run = this.turn.then(() => this.attempt(name, values, cursor, stops));
    this.turn = run.catch(() => undefined);
    return run;
  }

  /** Creates the tables in advance. If that fails, the first run tries again and reports the error. */
  public prepare(): void {
    const { stops } = this;
    if (this.explored.held === undefined) this.turn = this.turn.then(() => this.ready(stops)).catch(() => undefined);
  }

  /** Makes the next run copy the items again if they come from running tables, where they may have changed. */
  public renew(): void {
    if (this.explored.held !== undefined) this.turn = this.turn.then(() => this.end());
  }

  /** Stops the engine and all requested runs. A later run starts the engine again. */
  public async stop(): Promise<void> {
    this.stops++;
    await this.end();
    await this.turn;
  }

  private async end(): Promise<void> {
    const { tables } = this;
    this.tables = undefined;
    await tables?.then(
      (started) => started.stop(),
      () => undefined,
    );
  }

  /** @param stops the value of `this.stops` when the run was requested */
  private async ready(stops: number): Promise<ExploredTables> {
    if (stops !== this.stops) throw new Error('the engine was stopped before the run ended');
    this.tables ??= this.make().catch((error: Error) => {
      this.tables = undefined;
      throw unmade(this.explored, error);
    });
    return this.tables;
  }

  private async make(): Promise<ExploredTables> {
    const { explored } = this;
    if (explored.held !== undefined && this.isInPlace) return explored.held.reading();
    if (explored.held !== undefined) this.items = await copied(explored, explored.held);
    const stocked = { ...explored, items: this.items };
    const database = await this.start();
    try {
      return await fillTables(stocked, database);
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  /** Runs a pattern or procedure. If the engine is lost, restarts it and repeats the run once. */
  private async attempt(name: string, values: Values, cursor: string | undefined, stops: number): Promise<RunView> {
    const tables = await this.ready(stops);
    try {
      return await this.answered(this.once(tables, name, values, cursor));
    } catch (error) {
      if (!isLost(error)) throw error;
      await this.end();
      return this.answered(this.once(await this.ready(stops), name, values, cursor));
    }
  }

  /** Treats an engine that does not respond in time like an engine that has stopped. */
  private async answered(run: Promise<RunView>): Promise<RunView> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = `${this.patience / 1000} seconds`;
        reject(Object.assign(new Error(`the engine did not respond within ${seconds}`), { code: 'ETIMEDOUT' }));
      }, this.patience);
    });
    run.catch(() => undefined);
    return Promise.race([run, late]).finally(() => clearTimeout(timer));
  }

  private async once(
    tables: ExploredTables,
    name: string,
    values: Values,
    cursor: string | undefined,
  ): Promise<RunView> {
    tables.sent();
    let outcome: Pick<RunView, 'answer' | 'error' | 'faults' | 'cursor'>;
    try {
      outcome = this.answerOf(await this.call(tables, name, values, cursor));
    } catch (error) {
      if (isLost(error)) throw error;
      const { name: kind, message } = error as Error;
      const faults = faultsOf(this.parameters(name), values, error);
      outcome = { error: { name: kind, message }, ...(faults.length === 0 ? {} : { faults }) };
    }
    const sent = tables.sent();
    const changes = await this.changes(tables, sent);
    return {
      values,
      requests: sent.map(({ command, input, units }) => ({
        command,
        input: plain(input),
        ...(units === undefined ? {} : { units }),
      })),
      ...outcome,
      ...this.costs(sent),
      read: this.reads(sent),
      changes,
    };
  }

  private answerOf(answer: unknown): Pick<RunView, 'answer' | 'cursor'> {
    const cursor = isPage(answer) ? answer.cursor : undefined;
    return {
      ...(answer === undefined ? {} : { answer: this.order(plain(answer)) }),
      ...(cursor === undefined ? {} : { cursor }),
    };
  }

  private async call(
    tables: ExploredTables,
    name: string,
    values: Values,
    cursor: string | undefined,
  ): Promise<unknown> {
    const { cases, system } = this.explored;
    const pattern = Object.hasOwn(tables.patterns, name) ? tables.patterns[name] : undefined;
    if (pattern === undefined) {
      const procedure = Object.hasOwn(system.procedures ?? {}, name) ? cases.procedures?.[name] : undefined;
      if (procedure === undefined) throw new Error(`'${name}' is neither a pattern nor a procedure with a case`);
      return (procedure as ProcedureCase).run(tables.patterns as never, values as never);
    }
    const etags = await this.etags(tables, name, values);
    return pattern(this.given(name, values), { ...(cursor === undefined ? {} : { cursor }), ...etags });
  }

  private parameters(name: string): readonly ParameterView[] {
    const patterns = this.explored.view.tables.flatMap((table) => table.patterns);
    return patterns.find((pattern) => pattern.name === name)?.parameters ?? [];
  }

  /** Returns the values to call a pattern with. Bytes arrive as Base64, because JSON cannot represent them. */
  private given(name: string, values: Values): Values {
    const bytes = this.parameters(name).filter(
      (parameter) => parameter.kind === 'binary' && typeof values[parameter.name] === 'string',
    );
    const read = bytes.map((parameter) => [
      parameter.name,
      new Uint8Array(Buffer.from(String(values[parameter.name]), 'base64')),
    ]);
    return { ...values, ...Object.fromEntries(read) };
  }

  /**
   * Reads the ETags that a write needs. Uses the read pattern from the write's case, or else a get for the same item.
   */
  private async etags(tables: ExploredTables, name: string, values: Values): Promise<Etags> {
    const all = Object.values(this.explored.cases.tables).flatMap(({ patterns }) => Object.entries(patterns));
    const found = all.find(([pattern]) => pattern === name)?.[1] as Partial<WriteCase> | undefined;
    const reads = found === undefined ? this.getBefore(name, values) : found.reads;
    const etag = async (one: Pick<Look, 'pattern' | 'values'>, given: Values) =>
      etagOf((await tables.patterns[one.pattern]?.({ ...one.values, ...given })) as Item | undefined);
    if (reads === undefined) return {};
    if (!('steps' in reads)) return { etag: await etag(reads, values) };
    const etags: Record<string, string | undefined> = {};
    for (const [step, one] of Object.entries(reads.steps)) etags[step] = await etag(one, {});
    return { etags };
  }

  /**
   * Finds a get for the item that a write expects to be unchanged. The get may require only values that are passed to
   * the write.
   */
  private getBefore(name: string, values: Values): WriteCase['reads'] {
    for (const design of Object.values(this.explored.system.tables)) {
      const table = outline(design);
      const write = table.patterns.find((pattern) => pattern.name === name)?.design;
      if (write === undefined || !('unchanged' in write) || write.unchanged !== true) continue;
      const get = table.patterns.find(
        (pattern) =>
          pattern.design.op === 'get' &&
          pattern.design.returns.includes(write.entity) &&
          parametersOf(table, pattern).every(
            (parameter) => parameter.optional || Object.hasOwn(values, parameter.name),
          ),
      );
      if (get !== undefined) return { pattern: get.name, values: {} };
    }
    return undefined;
  }

  /**
   * Returns the consumed capacity, and the on-demand cost of a million such calls. If the capacity is unknown, returns
   * the reason.
   */
  private costs(sent: readonly Sent[]): Pick<RunView, 'units' | 'cost' | 'uncounted'> {
    if (sent.length === 0) return {};
    const { cloud } = this.explored.system;
    const priced = (dollars: number) => ({ million: listed(dollars), at: listPrices(cloud) });
    // Azure charges for every request, including refused ones.
    if (cloud === 'azure') return { cost: priced(azureCalls(sent.length)) };
    if (sent.some(({ units }) => units === undefined)) return { uncounted: UNCOUNTED };
    const [reads, writes] = [true, false].map((isRead) => unitsOf(sent.filter((request) => request.isRead === isRead)));
    return { units: unitsOf(sent), cost: priced(awsCalls({ reads: reads ?? 0, writes: writes ?? 0 })) };
  }

  private reads(sent: readonly Sent[]): readonly ReadView[] {
    return sent.flatMap(({ read }) =>
      read.map(({ table, index, items }) => {
        const all = this.isInPlace ? this.itemsRead(table, items) : (this.items.get(table) as Items);
        const lit = items.flatMap((item) => all.like(item)?.id ?? []);
        const partitions = all.around(index, new Set(lit));
        return { table, ...(index === undefined ? {} : { index }), partitions, lit };
      }),
    );
  }

  private get isInPlace(): boolean {
    return this.explored.held !== undefined && !this.mayCopy;
  }

  /** Returns the items that requests have read from a running table. No other items of the table are known. */
  private itemsRead(table: string, items: readonly Item[]): Items {
    const known = outline(this.explored.system.tables[table] as SystemDesign['tables'][string]);
    return new Items(
      known,
      items.map((item) => ({ item })),
    );
  }

  /** Finds what a write changed by comparing the items before and after it, and restores every changed item. */
  private async changes(tables: ExploredTables, sent: readonly Sent[]): Promise<readonly ChangedItem[]> {
    const touched = new Map(
      sent.flatMap((request) => request.touched).map((place) => [textOf([place.table, plain(place.key)]), place]),
    );
    const changes: ChangedItem[] = [];
    for (const { table, key, stored } of touched.values()) {
      const all = this.items.get(table) as Items;
      const id = all.like(key)?.id;
      const before = id === undefined ? undefined : all.stored[id];
      const after = await tables.get(table, stored);
      if (isDeepStrictEqual(plain(before?.item), plain(after))) continue;
      const known = outline(this.explored.system.tables[table] as SystemDesign['tables'][string]);
      const [was, is] = [before?.item, after].map((item) => item && (this.order(plain(item)) as Item));
      changes.push(changeOf({ table: known, name: table, order: this.order }, was, is));
      await tables.undo(table, stored, before);
    }
    return changes;
  }
}

const UNCOUNTED =
  'A refused request is not free: if a condition fails, DynamoDB charges write units, but does not report how many.';

function unitsOf(sent: readonly Sent[]): number {
  return sent.reduce((sum, { units = 0 }) => sum + units, 0);
}

function changeOf(
  { table, name, order }: { readonly table: TableOutline; readonly name: string; readonly order: Order },
  before: Item | undefined,
  after: Item | undefined,
): ChangedItem {
  const found = entityOf(table, (after ?? before) as Item, table.entities);
  const entity = found?.name;
  const [was, is] = [before ?? {}, after ?? {}];
  // Omits keys that are built from attributes, because the entries for the table and its indexes already show them.
  const made = new Set(
    table.keyAttributes.map(({ name: key }) => key).filter((key) => !found?.attributes.includes(key)),
  );
  // Lists an added attribute at its position in the design, not at the end.
  const names = Object.keys(order({ ...was, ...is }) as Item).filter((attribute) => !made.has(attribute));
  return {
    table: name,
    ...(entity === undefined ? {} : { entity }),
    kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    attributes: names
      .filter((attribute) => !isDeepStrictEqual(was[attribute], is[attribute]))
      .map((attribute) => ({ name: attribute, before: was[attribute], after: is[attribute] })),
    entries: [undefined, ...table.indexes].flatMap((index) => {
      const [from, to] = [was, is].map((item) => {
        const values = keyOf(index ?? table.key).map((key) => item[key.name]);
        return values.some((value) => (value ?? null) === null) ? undefined : values.map(textOf).join(' · ');
      });
      if (from === undefined && to === undefined) return [];
      return [
        {
          ...(index === undefined ? {} : { index: index.name }),
          ...(from === undefined ? {} : { before: from }),
          ...(to === undefined ? {} : { after: to }),
        },
      ];
    }),
  };
}

/**
 * Thrown if the tables cannot be created. If the check reports an error, the message is that error: it explains more
 * than the engine's message.
 */
export class NoTables extends Error {
  public override readonly name = 'NoTables';
}

function unmade({ view: { findings } }: Explored, error: Error): NoTables {
  const [first, ...more] = findings.filter(({ severity }) => severity === 'error');
  if (first === undefined)
    return new NoTables(`the tables cannot be created and filled: ${error.message}`, { cause: error });
  const others = more.length === 0 ? '' : `; see the findings for ${more.length} more`;
  return new NoTables(
    `no table can be created from this design until its errors are fixed: ${first.path}: ${first.message}; ${first.fix}${others}`,
    { cause: error },
  );
}

/**
 * The error codes of broken connections, and the error that the embedded engine's front reports if the engine has
 * stopped.
 */
const LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'REQUEST_SEND_ERROR', 'EngineEnded']);

/** Whether the engine failed to respond. An engine that refused the request has responded, so it is not lost. */
function isLost(error: unknown): boolean {
  for (
    let at = error as { code?: string; name?: string; cause?: unknown; errors?: readonly unknown[] } | undefined;
    at;
    at = at.cause as never
  ) {
    if (LOST.has(at.code ?? '') || LOST.has(at.name ?? '') || at.errors?.some(isLost)) return true;
  }
  return false;
}

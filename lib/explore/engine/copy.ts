import { isDeepStrictEqual } from 'node:util';
import type { AzureEngine } from '../../azure-tables/engine/azure-tables';
import { etagOf } from '../../azure-tables/etag';
import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { parametersOf } from '../../blueprint/parameters';
import { awsCalls, azureCalls } from '../../costs/calls';
import { listed, PRICES } from '../../costs/prices';
import type { SystemDesign } from '../../design/system';
import type { Engine } from '../../dynamodb/engine/engine';
import { entityOf, type Item } from '../../items/item';
import { isPage } from '../../items/result';
import type { ProcedureCase, WriteCase } from '../../proof/cases';
import { type Items, plain } from '../items';
import { textOf } from '../rows';
import type { Explored } from '../system';
import type { ChangedItem, ReadView, RunView } from '../view';
import { azureGround } from './azure';
import { dynamoDbGround } from './dynamodb';
import type { Ground, Sent } from './ground';
import { copied } from './held-rows';

type Values = Readonly<Record<string, unknown>>;

/** A throw-away copy of a system's items, to run its patterns on. What a write changes is shown and taken back. */
export class Copy {
  private ground: Promise<Ground> | undefined;
  private items: ReadonlyMap<string, Items>;
  private turn: Promise<unknown> = Promise.resolve();

  public constructor(
    private readonly explored: Explored,
    private readonly start: () => Promise<Engine | AzureEngine>,
  ) {
    this.items = explored.items;
  }

  /** Runs a pattern or a procedure. One after the other: they share the tables. */
  public run(name: string, values: Values, cursor?: string): Promise<RunView> {
    const run = this.turn.then(() => this.attempt(name, values, cursor));
    this.turn = run.catch(() => undefined);
    return run;
  }

  /** Makes it before somebody waits for it; what goes wrong is told by the first run, which tries again. */
  public prepare(): void {
    if (this.explored.held === undefined) this.turn = this.turn.then(() => this.ready()).catch(() => undefined);
  }

  /** The next run takes the items anew, where they are held elsewhere and may have changed. */
  public renew(): void {
    if (this.explored.held !== undefined) this.turn = this.turn.then(() => this.stop());
  }

  /** Ends it; a further run begins anew. */
  public async stop(): Promise<void> {
    const { ground } = this;
    this.ground = undefined;
    await ground?.then(
      (one) => one.stop(),
      () => undefined,
    );
  }

  private ready(): Promise<Ground> {
    this.ground ??= this.make().catch((error: Error) => {
      this.ground = undefined;
      throw new Error(`the tables cannot be made and filled: ${error.message}`, { cause: error });
    });
    return this.ground;
  }

  private async make(): Promise<Ground> {
    const { explored } = this;
    if (explored.held !== undefined) this.items = await copied(explored, explored.held);
    const stocked = { ...explored, items: this.items };
    const engine = await this.start();
    try {
      return await ('cloud' in engine ? azureGround(stocked, engine) : dynamoDbGround(stocked, engine));
    } catch (error) {
      await engine.stop();
      throw error;
    }
  }

  /** An engine that is lost is started again, once. */
  private async attempt(name: string, values: Values, cursor: string | undefined): Promise<RunView> {
    try {
      return await this.once(await this.ready(), name, values, cursor);
    } catch (error) {
      if (!isLost(error)) throw error;
      await this.stop();
      return this.once(await this.ready(), name, values, cursor);
    }
  }

  private async once(ground: Ground, name: string, values: Values, cursor: string | undefined): Promise<RunView> {
    ground.sent();
    let outcome: Pick<RunView, 'answer' | 'error' | 'cursor'>;
    try {
      outcome = answerOf(await this.call(ground, name, values, cursor));
    } catch (error) {
      if (isLost(error)) throw error;
      const { name: kind, message } = error as Error;
      outcome = { error: { name: kind, message } };
    }
    const sent = ground.sent();
    const changes = await this.changes(ground, sent);
    const counted = sent.filter(({ units }) => units !== undefined);
    return {
      values,
      requests: sent.map(({ command, input, units }) => ({
        command,
        input: plain(input),
        ...(units === undefined ? {} : { units }),
      })),
      ...outcome,
      ...(counted.length === 0 ? {} : { units: unitsOf(counted) }),
      ...(sent.length === 0 ? {} : { cost: this.cost(sent) }),
      read: this.reads(sent),
      changes,
    };
  }

  private async call(ground: Ground, name: string, values: Values, cursor: string | undefined): Promise<unknown> {
    const { cases, system } = this.explored;
    const pattern = Object.hasOwn(ground.patterns, name) ? ground.patterns[name] : undefined;
    if (pattern === undefined) {
      const procedure = Object.hasOwn(system.procedures ?? {}, name) ? cases.procedures?.[name] : undefined;
      if (procedure === undefined) throw new Error(`'${name}' is neither a pattern nor a procedure with a case`);
      return (procedure as ProcedureCase).run(ground.patterns as never, values as never);
    }
    const etag = await this.etag(ground, name, values);
    return pattern(this.given(name, values), {
      ...(cursor === undefined ? {} : { cursor }),
      ...(etag === undefined ? {} : { etag }),
    });
  }

  /** Bytes come as Base64: JSON has none. */
  private given(name: string, values: Values): Values {
    const patterns = this.explored.view.tables.flatMap((table) => table.patterns);
    const parameters = patterns.find((pattern) => pattern.name === name)?.parameters ?? [];
    const bytes = parameters.filter((one) => one.kind === 'binary' && typeof values[one.name] === 'string');
    const read = bytes.map((one) => [one.name, new Uint8Array(Buffer.from(String(values[one.name]), 'base64'))]);
    return { ...values, ...Object.fromEntries(read) };
  }

  /** Where a write must know the item as it was read, it is read first: as its case says, or by a get of the same item. */
  private async etag(ground: Ground, name: string, values: Values): Promise<string | undefined> {
    const all = Object.values(this.explored.cases.tables).flatMap(({ patterns }) => Object.entries(patterns));
    const found = all.find(([pattern]) => pattern === name)?.[1] as Partial<WriteCase> | undefined;
    const reads = found === undefined ? this.getBefore(name, values) : found.reads;
    if (reads === undefined) return undefined;
    const read = ground.patterns[reads.pattern];
    return read && etagOf((await read({ ...reads.values, ...values })) as Item | undefined);
  }

  /** A get of what a write wants unchanged, which takes no other values. */
  private getBefore(name: string, values: Values): WriteCase['reads'] {
    for (const design of Object.values(this.explored.system.tables)) {
      const table = outline(design);
      const write = table.patterns.find((pattern) => pattern.name === name)?.design;
      if (write === undefined || !('unchanged' in write) || write.unchanged !== true) continue;
      const get = table.patterns.find(
        (pattern) =>
          pattern.design.op === 'get' &&
          pattern.design.returns.includes(write.entity) &&
          parametersOf(table, pattern).every(({ name: one, optional }) => optional || Object.hasOwn(values, one)),
      );
      if (get !== undefined) return { pattern: get.name, values: {} };
    }
    return undefined;
  }

  /** What a million such calls cost, on demand. */
  private cost(sent: readonly Sent[]): NonNullable<RunView['cost']> {
    const { cloud } = this.explored.system;
    const [reads, writes] = [true, false].map((isRead) => unitsOf(sent.filter((one) => one.isRead === isRead)));
    const dollars = cloud === 'aws' ? awsCalls({ reads: reads ?? 0, writes: writes ?? 0 }) : azureCalls(sent.length);
    return { million: listed(dollars), by: PRICES.of };
  }

  private reads(sent: readonly Sent[]): readonly ReadView[] {
    return sent.flatMap(({ read }) =>
      read.map(({ table, index, items }) => {
        const all = this.items.get(table) as Items;
        const lit = items.flatMap((item) => all.like(item)?.id ?? []);
        const partitions = all.around(index, new Set(lit));
        return { table, ...(index === undefined ? {} : { index }), partitions, lit };
      }),
    );
  }

  /** What was written, told by the items before and after; then all is as it was. */
  private async changes(ground: Ground, sent: readonly Sent[]): Promise<readonly ChangedItem[]> {
    const touched = new Map(
      sent.flatMap((one) => one.touched).map((one) => [textOf([one.table, plain(one.key)]), one]),
    );
    const changes: ChangedItem[] = [];
    for (const { table, key } of touched.values()) {
      const all = this.items.get(table) as Items;
      const id = all.like(key)?.id;
      const before = id === undefined ? undefined : all.stored[id];
      const after = await ground.get(table, key);
      if (isDeepStrictEqual(plain(before?.item), plain(after))) continue;
      const plan = outline(this.explored.system.tables[table] as SystemDesign['tables'][string]);
      changes.push(changeOf(plan, table, before?.item, after));
      await ground.restore(table, key, before);
    }
    return changes;
  }
}

function unitsOf(sent: readonly Sent[]): number {
  return sent.reduce((sum, { units = 0 }) => sum + units, 0);
}

function answerOf(answer: unknown): Pick<RunView, 'answer' | 'cursor'> {
  const cursor = isPage(answer) ? answer.cursor : undefined;
  return { ...(answer === undefined ? {} : { answer: plain(answer) }), ...(cursor === undefined ? {} : { cursor }) };
}

function changeOf(table: TableOutline, name: string, before: Item | undefined, after: Item | undefined): ChangedItem {
  const one = (after ?? before) as Item;
  const found = entityOf(table, one, table.entities);
  const entity = found?.name;
  const [was, is] = [plain(before ?? {}), plain(after ?? {})] as [Item, Item];
  // Keys that are made of attributes are told by the entries.
  const made = new Set(
    table.keyAttributes.map(({ name: key }) => key).filter((key) => !found?.attributes.includes(key)),
  );
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((attribute) => !made.has(attribute));
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

const LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'REQUEST_SEND_ERROR']);

/** Whether nobody answered, as against somebody who said no. */
function isLost(error: unknown): boolean {
  for (
    let at = error as { code?: string; cause?: unknown; errors?: readonly unknown[] } | undefined;
    at;
    at = at.cause as never
  ) {
    if (LOST.has(at.code ?? '') || at.errors?.some(isLost)) return true;
  }
  return false;
}

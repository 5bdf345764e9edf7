import { BATCH_ITEMS, TRANSACTION_ITEMS } from '../blueprint/clouds';
import { patternsAcross, tablesAcross } from '../blueprint/shares';
import type { SystemBatchGet, SystemPattern, SystemTransactGet } from '../design/across';
import type { SystemDesign } from '../design/system';
import { keyText } from '../items/cursor';
import { type Item, ItemError } from '../items/item';
import { inParts } from './batch';
import type { KeysStep, TransactionOptions, WriteStep } from './step';
import { senderOf, transact } from './transact';

/** The clients of a system's tables. Each client contains its own table's share of the system's patterns. */
type TableClients = Readonly<Record<string, Readonly<Record<string, Stepping>>>>;

/** One table's share of a system's pattern, as that table's client provides it. */
interface Stepping {
  step(values: object): unknown;
  /** While a plan moves items to new keys: the keys to read before the keys of `step`. */
  before?(values: object): unknown;
  /**
   * While a plan moves items: looks up where the items are, and then returns the step. If the items move in the
   * meantime, the transaction calls `ready` again.
   */
  ready?(values: object): Promise<unknown>;
}

/** Turns a system's cross-table patterns into functions that use the tables' clients. */
export function acrossAll(
  system: Pick<SystemDesign, 'patterns'>,
  clients: readonly (readonly [string, object])[],
): Readonly<Record<string, ReturnType<typeof acrossTables>>> {
  const tables = Object.fromEntries(clients) as TableClients;
  return Object.fromEntries(patternsAcross(system).map(([name, design]) => [name, acrossTables(name, design, tables)]));
}

/** Turns a cross-table pattern into a function that collects the steps of each table and sends them together. */
function acrossTables(
  name: string,
  design: SystemPattern,
  clients: TableClients,
): (values?: object, options?: TransactionOptions) => Promise<unknown> {
  const shares = () => tablesAcross(design).map((table) => clients[table]?.[name] as Stepping);
  if (design.op === 'transaction')
    return async (values = {}, options = {}) => {
      for (let attempt = 1; ; attempt++) {
        const steps = await Promise.all(shares().map((share) => share.ready?.(values) ?? share.step(values)));
        try {
          return await transact(steps as WriteStep[], options);
        } catch (error) {
          if ((error as Error).name !== 'Elsewhere' || attempt === ATTEMPTS) throw error;
        }
      }
    };
  const got = async (steps: readonly unknown[]) => {
    const asked = (steps as readonly KeysStep[]).flatMap((step) => step.keys.map((key) => ({ step, ...key })));
    if (asked.length === 0) return { asked, found: NONE };
    return { asked, found: await (design.op === 'transactGet' ? gotTogether : gotInBatches)(name, design, asked) };
  };
  return async (values = {}) => {
    const before = await got(shares().flatMap((share) => share.before?.(values) ?? []));
    const { asked, found } = await got(shares().map((share) => share.step(values)));
    return resultOf(design, [...asked, ...before.asked], new Map([...before.found, ...found]));
  };
}

const NONE: Found = new Map();

/** The maximum number of attempts at a transaction while a plan keeps moving its items. */
const ATTEMPTS = 10;

interface Asked {
  readonly step: KeysStep;
  readonly part: string;
  readonly key: Item;
}

/**
 * The items that were found, keyed by table and key. Each item is converted from its stored form by the client of its
 * own table.
 */
type Found = ReadonlyMap<string, Item>;

function textOf({ step, key }: Asked): string {
  return `${step.sender.tableName} ${keyText(key)}`;
}

function once(asked: readonly Asked[]): readonly Asked[] {
  return [...new Map(asked.map((one) => [textOf(one), one])).values()];
}

async function gotTogether(name: string, _: SystemPattern, asked: readonly Asked[]): Promise<Found> {
  const gets = once(asked);
  const most = TRANSACTION_ITEMS;
  if (gets.length > most) throw new ItemError(`${name}: ${gets.length} reads, but at most ${most} are allowed`);
  const { sender, through } = senderOf(
    name,
    gets.map(({ step }) => step),
  );
  const TransactItems = gets.map(({ step, key }) => ({ Get: { TableName: step.sender.tableName, Key: key } }));
  const read = ({ Responses = [] }: Item) =>
    (Responses as readonly { readonly Item?: Item }[]).map(({ Item: item }) => item);
  const tables = gets.map(({ step }) => step.sender.table);
  const items = await sender.sent(name, 'TransactGet', { TransactItems }, read, { through, tables });
  return new Map(gets.flatMap((get, i) => (items[i] === undefined ? [] : [[textOf(get), get.step.read(items[i])]])));
}

async function gotInBatches(name: string, design: SystemPattern, asked: readonly Asked[]): Promise<Found> {
  const { sender, through } = senderOf(
    name,
    asked.map(({ step }) => step),
  );
  const { consistent } = design as SystemBatchGet;
  const found = new Map<string, Item>();
  const { left, ...refused } = await inParts(once(asked), BATCH_ITEMS.batchGet, async (part) => {
    const RequestItems: Record<string, { Keys: Item[]; ConsistentRead?: true }> = {};
    for (const { step, key } of part) {
      RequestItems[step.sender.tableName] ??= { Keys: [], ...(consistent && { ConsistentRead: true }) };
      RequestItems[step.sender.tableName]?.Keys.push(key);
    }
    const tables = [...new Set(part.map(({ step }) => step.sender.table))];
    const output = await sender.sent(name, 'BatchGet', { RequestItems }, (given) => given, { through, tables });
    const responses = (output.Responses ?? {}) as Record<string, Item[]>;
    const unread = (output.UnprocessedKeys ?? {}) as Record<string, { readonly Keys: readonly Item[] }>;
    const names = new Map(part.map(({ step, key }) => [step.sender.tableName, Object.keys(key)]));
    const byText = (tableName: string, items: readonly Item[] = []) =>
      items.map((item) => {
        const key = names.get(tableName)?.map((name) => [name, item[name]]) ?? [];
        return [`${tableName} ${keyText(Object.fromEntries(key))}` as string, item] as const;
      });
    const items = new Map([...names.keys()].flatMap((table) => byText(table, responses[table])));
    const rest = new Map([...names.keys()].flatMap((table) => byText(table, unread[table]?.Keys)));
    for (const one of part) {
      const item = items.get(textOf(one));
      if (item !== undefined) found.set(textOf(one), one.step.read(item));
    }
    return part.filter((one) => rest.has(textOf(one)));
  });
  if ('error' in refused) throw refused.error;
  if (left.length > 0) throw new Error(`${name}: keys not read: ${left.length}; retry the call`);
  return found;
}

/** Returns the found items, keyed by the name of the read: one item or, with `each`, the list of items. */
function resultOf(
  { op, reads, ...rest }: SystemTransactGet | SystemBatchGet,
  asked: readonly Asked[],
  found: Found,
): object {
  const isListed = op === 'batchGet' && 'each' in rest && rest.each !== undefined;
  const results = Object.keys(reads).map((name) => {
    const own = once(asked.filter(({ part }) => part === name)).flatMap((one) => found.get(textOf(one)) ?? []);
    return [name, isListed ? own : own[0]];
  });
  return Object.fromEntries(results);
}

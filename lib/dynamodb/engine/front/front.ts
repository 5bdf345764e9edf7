import { type Table, tableOf, ttlOf } from './catalogue';
import { type Checked, checkRequest } from './check';
import { Lock } from './lock';
import { NO_PARTS } from './parts';
import { projected } from './project';
import { type Ask, projectedOutput, rewrittenQuery, segmentScan, unprojected } from './reads';
import { Refusal } from './refusal';
import { Rendering } from './render';
import { checkProjections, checkReadable, describedTable, updatedTable, updatedTtl } from './rules/tables';
import { cancellation, reasonFor } from './rules/transactions';
import { needsItem, settledUpdate } from './updates';
import type { Answer, Upstream } from './upstream';
import { type Attributes, type Body, isSameValue } from './values';

const API = 'DynamoDB_20120810.';

const WRITES = ['PutItem', 'DeleteItem', 'UpdateItem', 'TransactWriteItems', 'BatchWriteItem'];

/** The maximum number of idempotent transactions that the front remembers. */
const MOST_TOKENS = 1000;

/**
 * Makes the embedded engine as strict as DynamoDB: refuses what DynamoDB refuses, and rewrites what the engine gets
 * wrong.
 */
export class Front {
  private readonly tables = new Map<string, Table>();
  private readonly lock = new Lock();
  private readonly sentBefore = new Map<string, { readonly given: string; readonly sent: Body }>();

  /** @param now the clock, in milliseconds, that decides when an index is filled and when TTL may change again */
  public constructor(
    private readonly upstream: Upstream,
    private readonly now: () => number = Date.now,
  ) {}

  /** The names of the existing tables. */
  public get tableNames(): readonly string[] {
    return [...this.tables.keys()];
  }

  /** Loads the descriptions of the tables that the engine restored from an earlier run. */
  public async learn(): Promise<void> {
    let from: Body = {};
    do {
      const { TableNames, LastEvaluatedTableName: last } = await this.ask('ListTables', from);
      for (const TableName of TableNames as readonly string[]) {
        const { Table } = await this.ask('DescribeTable', { TableName });
        const { TimeToLiveDescription: ttl } = await this.ask('DescribeTimeToLive', { TableName });
        this.tables.set(TableName, { ...tableOf(Table as Body), ...ttlOf((ttl ?? {}) as Body) });
      }
      from = last === undefined ? {} : { ExclusiveStartTableName: last };
    } while (from.ExclusiveStartTableName !== undefined);
  }

  public async answer(target: string, text: string): Promise<Answer> {
    if (target.endsWith('.GetRecords')) return this.records(await this.upstream(target, text));
    if (!target.startsWith(API)) return this.upstream(target, text);
    const operation = target.slice(API.length);
    const input = parsed(text);
    if (/Table$|TimeToLive$/.test(operation)) return this.tableAnswer(operation, input, text);
    const checked = checkRequest(operation, input, (name) => this.tables.get(name));
    if (operation === 'Query' || operation === 'Scan') return this.read(operation, checked[0] as Checked, text);
    if (operation === 'TransactGetItems' && checked.some(({ parts }) => parts.projection !== undefined))
      return this.transactGet(input, checked);
    if (!WRITES.includes(operation)) return this.upstream(target, text);
    const isRead = checked.some(needsRead) || (operation === 'UpdateItem' && /_OLD$/.test(String(input.ReturnValues)));
    if (isRead) return this.lock.alone(() => this.settled(operation, input, checked));
    const sent = checked.some(({ parts }) => parts.isForeign)
      ? JSON.stringify(
          rewritten(
            operation,
            input,
            checked,
            checked.map(({ parts }) => parts),
          ),
        )
      : text;
    return this.lock.shared(() => this.upstream(target, sent));
  }

  private readonly ask: Ask = async (operation, input) => {
    const { status, body } = await this.upstream(API + operation, JSON.stringify(input));
    const output = JSON.parse(body) as Body;
    if (status === 200) return output;
    const { __type, message, Message, ...more } = output;
    throw new Refusal(String(__type).replace(/^.*#/, ''), String(message ?? Message), more);
  };

  private async tableAnswer(operation: string, input: Body, text: string): Promise<Answer> {
    const name = String(input.TableName).replace(/^arn:.*\//, '');
    const table = this.tables.get(name);
    const send = () => this.upstream(API + operation, text);
    if (operation === 'CreateTable') {
      checkProjections([
        ...((input.GlobalSecondaryIndexes ?? []) as never[]),
        ...((input.LocalSecondaryIndexes ?? []) as never[]),
      ]);
      return this.recorded(await send(), () => this.tables.set(name, tableOf(input)));
    }
    if (table === undefined) return send();
    if (operation === 'DeleteTable') return this.recorded(await send(), () => this.tables.delete(name));
    if (operation === 'UpdateTable' || operation === 'UpdateTimeToLive') {
      const next = (operation === 'UpdateTable' ? updatedTable : updatedTtl)(table, input, this.now());
      const answer = this.recorded(await send(), () => this.tables.set(name, next));
      return this.described(answer, 'TableDescription', name);
    }
    return operation === 'DescribeTable' ? this.described(await send(), 'Table', name) : send();
  }

  private recorded(answer: Answer, record: () => void): Answer {
    if (answer.status === 200) record();
    return answer;
  }

  private described(answer: Answer, field: string, name: string): Answer {
    const table = this.tables.get(name);
    if (answer.status !== 200 || table === undefined) return answer;
    const output = JSON.parse(answer.body) as Body;
    if (output[field] === undefined) return answer;
    return ok({ ...output, [field]: describedTable(output[field] as Body, table, this.now()) });
  }

  private async read(operation: 'Query' | 'Scan', checked: Checked, text: string): Promise<Answer> {
    checkReadable(checked.index, this.now());
    const { input } = checked;
    if (typeof input.Segment === 'number' && Number(input.TotalSegments) > input.Segment)
      return ok(await segmentScan(checked, this.ask));
    const query = rewrittenQuery(checked);
    if (query === undefined) return this.upstream(API + operation, text);
    return ok(projectedOutput(checked, await this.ask(operation, query)));
  }

  private async transactGet(input: Body, checked: readonly Checked[]): Promise<Answer> {
    const output = await this.ask('TransactGetItems', {
      ...input,
      TransactItems: checked.map((one) => ({ Get: unprojected(one) })),
    });
    const responses = (output.Responses as readonly { Item?: Attributes }[]).map(({ Item }, i) => {
      const paths = checked[i]?.parts.projection;
      return Item === undefined ? {} : { Item: paths === undefined ? Item : projected(Item, paths) };
    });
    return ok({ ...output, Responses: responses });
  }

  /** Sends a write whose updates depend on the stored items. */
  private async settled(operation: string, input: Body, checked: readonly Checked[]): Promise<Answer> {
    const given = JSON.stringify(input);
    const token = input.ClientRequestToken as string | undefined;
    const before = token === undefined ? undefined : this.sentBefore.get(token);
    if (before !== undefined)
      return this.upstream(API + operation, before.given === given ? JSON.stringify(before.sent) : given);
    const items = await Promise.all(checked.map((one) => (one.parts.update ? this.itemOf(one) : undefined)));
    const problems = new Map<number, Refusal>();
    const parts = checked.map((one, i) => {
      const { update } = one.parts;
      if (update === undefined || !needsRead(one)) return one.parts;
      try {
        return { ...one.parts, update: settledUpdate(update, items[i], one.table as Table) };
      } catch (error) {
        problems.set(i, error as Refusal);
        return one.parts;
      }
    });
    if (problems.size > 0) throw await this.refusalAfterConditions(operation, checked, problems);
    const sent = rewritten(operation, input, checked, parts);
    if (token !== undefined) {
      if (this.sentBefore.size >= MOST_TOKENS) this.sentBefore.clear();
      this.sentBefore.set(token, { given, sent });
    }
    const answer = await this.upstream(API + operation, JSON.stringify(sent));
    const isOld = operation === 'UpdateItem' && items[0] === undefined && /_OLD$/.test(String(input.ReturnValues));
    if (!isOld || answer.status !== 200) return answer;
    const { Attributes: _, ...rest } = parsed(answer.body);
    return ok(rest);
  }

  private async itemOf({ input }: Checked): Promise<Attributes | undefined> {
    const { TableName, Key } = input;
    return (await this.ask('GetItem', { TableName, Key, ConsistentRead: true })).Item as Attributes | undefined;
  }

  /**
   * Chooses the refusal to report for a write. A failed condition takes precedence over an update that does not fit the
   * item.
   */
  private async refusalAfterConditions(
    operation: string,
    checked: readonly Checked[],
    problems: ReadonlyMap<number, Refusal>,
  ): Promise<Refusal> {
    const conditions = checked.flatMap(({ input, parts }, i) => (parts.condition ? [{ input, parts, i }] : []));
    const codes = checked.map((_, i) => reasonFor(problems.get(i)));
    const checks = conditions.map(({ input, parts }) => {
      const { TableName, ReturnValuesOnConditionCheckFailure } = input;
      const Key = input.Key ?? this.keyIn(input);
      const base = {
        TableName,
        Key,
        ...(ReturnValuesOnConditionCheckFailure ? { ReturnValuesOnConditionCheckFailure } : {}),
      };
      return {
        ConditionCheck: Rendering.of(base, {
          ...NO_PARTS,
          condition: parts.condition as never,
          values: parts.values,
        }),
      };
    });
    if (checks.length > 0) {
      const failed = await this.ask('TransactWriteItems', { TransactItems: checks }).then(
        () => undefined,
        (error: Refusal) => error,
      );
      const reasons = (failed?.more.CancellationReasons ?? []) as readonly Body[];
      for (const [at, reason] of reasons.entries())
        if (reason.Code !== 'None') codes[conditions[at]?.i as number] = reason;
    }
    if (operation === 'UpdateItem') {
      const [{ Code, Item } = {} as Body] = codes;
      if (Code !== 'ConditionalCheckFailed') return problems.get(0) as Refusal;
      return new Refusal('ConditionalCheckFailedException', 'The conditional request failed', Item ? { Item } : {});
    }
    return cancellation(codes);
  }

  private keyIn({ TableName, Item }: Body): Attributes {
    const { partition, sort } = (this.tables.get(TableName as string) as Table).key;
    return Object.fromEntries([...partition, ...sort].map(({ name }) => [name, (Item as Attributes)[name] as never]));
  }

  /** Drops the stream records of writes that changed nothing. */
  private records(answer: Answer): Answer {
    if (answer.status !== 200) return answer;
    const output = parsed(answer.body);
    const records = (output.Records ?? []) as readonly { dynamodb?: { NewImage?: unknown; OldImage?: unknown } }[];
    const isChange = ({ dynamodb: { NewImage, OldImage } = {} }: (typeof records)[number]) =>
      NewImage === undefined || OldImage === undefined || !isSameValue(NewImage, OldImage);
    return ok({ ...output, Records: records.filter(isChange) });
  }
}

function needsRead({ parts, table }: Checked): boolean {
  return parts.update !== undefined && table !== undefined && needsItem(parts.update, table);
}

function rewritten(
  operation: string,
  input: Body,
  checked: readonly Checked[],
  parts: readonly Checked['parts'][],
): Body {
  const one = (i: number) => Rendering.of((checked[i] as Checked).input, parts[i] as Checked['parts']);
  if (operation !== 'TransactWriteItems') return one(0);
  return {
    ...input,
    TransactItems: (input.TransactItems as readonly Body[]).map((entry, i) => {
      const [action = ''] = Object.keys(entry);
      return { [action]: one(i) };
    }),
  };
}

function ok(output: Body): Answer {
  return { status: 200, body: JSON.stringify(output) };
}

function parsed(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object') return value as Body;
  } catch {
    // The code below also refuses text that is not JSON.
  }
  throw new Refusal('SerializationException', 'The request is not a JSON object');
}

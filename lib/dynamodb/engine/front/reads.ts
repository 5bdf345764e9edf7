import { createHash } from 'node:crypto';
import { namesOf } from './catalogue';
import type { Checked } from './check';
import { projected } from './project';
import { invalid } from './refusal';
import { lastWith, Rendering } from './render';
import { needsTable } from './rules/projections';
import type { Path } from './syntax';
import { type Attributes, type Body, isSameValue, typeOf, type Value } from './values';

/** Sends an input to the engine and returns the parsed output. */
export type Ask = (operation: string, input: Body) => Promise<Body>;

/** Returns the request without its projection expression. */
export function unprojected({ input, parts }: Checked): Body {
  const { projection: _, ...rest } = parts;
  const { ProjectionExpression: __, ...plain } = input;
  return Rendering.of(plain, rest);
}

/**
 * Rewrites a query so that the engine returns the result that DynamoDB would return. Returns undefined if the query
 * needs no change.
 */
export function rewrittenQuery({ input, parts, index, keyTest }: Checked): Body | undefined {
  if (input.KeyConditions !== undefined) return rewrittenLegacy(input, keyTest);
  if (parts.keyCondition !== undefined && keyTest === undefined) return undefined;
  const isTableNeeded = needsTable(input, parts, index);
  const isOutOfOrder =
    keyTest?.sort?.sign === 'begins_with' || (parts.keyCondition?.kind === 'and' && !isPartitionFirst(parts, keyTest));
  if (!isTableNeeded && !isOutOfOrder && !parts.isForeign) return undefined;
  if (!isTableNeeded) return Rendering.of(input, parts, keyTest);
  const { projection: _, ...rest } = parts;
  const { ProjectionExpression: __, ...plain } = input;
  return Rendering.of({ ...plain, Select: 'ALL_ATTRIBUTES' }, rest, keyTest);
}

/** Replaces a prefix in `KeyConditions` with a range, because the engine ignores case when it compares a prefix. */
function rewrittenLegacy(input: Body, keyTest: Checked['keyTest']): Body | undefined {
  if (keyTest?.sort?.sign !== 'begins_with') return undefined;
  const [first] = keyTest.sort.values as readonly [Value];
  const range = { ComparisonOperator: 'BETWEEN', AttributeValueList: [first, lastWith(first)] };
  return { ...input, KeyConditions: { ...(input.KeyConditions as Body), [keyTest.sort.attribute]: range } };
}

/** After a rewritten query, reduces the engine's response to the attributes that the original query selects. */
export function projectedOutput({ input, parts, index }: Checked, output: Body): Body {
  if (!needsTable(input, parts, index) || output.Items === undefined) return output;
  if (input.Select === 'COUNT') return without(output, 'Items');
  const items = output.Items as readonly Attributes[];
  const paths: readonly Path[] | undefined =
    parts.projection ??
    (input.Select === 'ALL_ATTRIBUTES' ? undefined : [...(index?.projected ?? [])].map((name) => [name]));
  return paths === undefined ? output : { ...output, Items: items.map((item) => projected(item, paths)) };
}

function without(output: Body, name: string): Body {
  const { [name]: _, ...rest } = output;
  return rest;
}

function isPartitionFirst({ keyCondition }: Checked['parts'], keyTest: Checked['keyTest']): boolean {
  if (keyCondition?.kind !== 'and' || keyCondition.left.kind !== 'compare') return false;
  const [first] = keyCondition.left.operands;
  return first.kind === 'path' && first.path[0] === keyTest?.partition.attribute;
}

/** Returns the segment of a parallel scan that contains the items with this partition key value. */
function segmentOf(value: Value, total: number): number {
  const type = typeOf(value);
  return (
    createHash('md5')
      .update(`${type}:${String(value[type])}`)
      .digest()
      .readUInt32BE(0) % total
  );
}

/**
 * Scans one segment. The engine's own scan of a segment loses its place if the item at the start key has been deleted.
 * The front therefore reads the pages of the whole scan and keeps only the items of this segment. Each page that it
 * returns ends at an item of the segment.
 */
export async function segmentScan(checked: Checked, ask: Ask): Promise<Body> {
  const { input, parts, table, index } = checked;
  const {
    Segment: segment,
    TotalSegments: total,
    ExclusiveStartKey,
    ...rest
  } = input as Body & {
    readonly Segment: number;
    readonly TotalSegments: number;
  };
  const key = (index ?? table)?.key.partition[0]?.name as string;
  const isOwn = (item: Attributes) => item[key] !== undefined && segmentOf(item[key], total) === segment;
  let start = ExclusiveStartKey as Attributes | undefined;
  if (start !== undefined && !isOwn(start))
    throw invalid(
      `The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ${total} Segment: ${segment}`,
    );
  // The scan always reads the keys, because they determine which items belong to the segment.
  const keys = [
    ...new Set([...namesOf(table?.key ?? { partition: [], sort: [] }), ...(index ? namesOf(index.key) : [])]),
  ];
  const paths = parts.projection && [...parts.projection, ...keys.map((name): Path => [name])];
  const isCount = input.Select === 'COUNT';
  const plain = isCount ? { ...rest, Select: undefined } : rest;
  const asked = paths ? Rendering.of(plain, { ...parts, projection: unique(paths) }) : plain;
  const limit = Math.min(typeof input.Limit === 'number' ? input.Limit : Number.POSITIVE_INFINITY, 1_000_000);
  const found: Attributes[] = [];
  let [scanned, output]: [number, Body] = [0, {}];
  let end: Attributes | undefined;
  do {
    output = await ask('Scan', { ...asked, ...(start && { ExclusiveStartKey: start }) });
    const items = output.Items as readonly Attributes[];
    start = output.LastEvaluatedKey as Attributes | undefined;
    const own = items.filter(isOwn);
    found.push(...own.slice(0, limit - found.length));
    scanned += parts.filter === undefined ? own.length : Math.ceil(Number(output.ScannedCount) / total);
    if (found.length === limit && (start !== undefined || own.at(-1) !== found.at(-1))) {
      end = Object.fromEntries(keys.map((name) => [name, found.at(-1)?.[name] as Value]));
      break;
    }
    end = start;
  } while (start !== undefined && !isOwn(start));
  const { Items: _, LastEvaluatedKey: __, ...more } = output;
  const shown = parts.projection ? found.map((item) => projected(item, parts.projection as readonly Path[])) : found;
  return {
    ...more,
    Count: found.length,
    ScannedCount: Math.max(scanned, found.length),
    ...(isCount ? {} : { Items: shown }),
    ...(end && { LastEvaluatedKey: end }),
  };
}

/** Removes duplicate paths, and paths that lie inside another path. */
function unique(paths: readonly Path[]): readonly Path[] {
  return paths.filter(
    (path, i) =>
      !paths.some(
        (other, j) =>
          i !== j && isSameValue(path.slice(0, other.length), other) && (other.length < path.length || j < i),
      ),
  );
}

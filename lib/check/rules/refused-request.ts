import { hasKeys, hasSteps, isRead } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { entityNamed, type TableBlueprint } from '../../blueprint/table';
import { fanOf, partsOf, shownPart, textWith } from '../../blueprint/template-parts';
import { nearest } from '../../design/names';
import type { QueryPattern, ReleaseStep, ScanPattern, TransactionPattern, TransactionStep } from '../../design/pattern';
import { type Part, type Template, template } from '../../design/template';
import type { Found, Place, TableRule } from '../findings/finding';
import { type About, atAccess, atPattern, atWhere } from '../findings/place';
import { fieldsOf, textsIn } from '../requests/fields';
import { putBy } from '../requests/put-by';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../table-under-check';

/** The maximum number of values in an `in` test. */
const LISTED = 100;

const causes = {
  'requires-nothing': 'a `require` step has no condition',
  empty: 'a transaction or a batch is empty',
  'consistent-index': 'a query or a scan requests a consistent read of a global index',
  'page-size': 'pageSize is not a whole number of at least 1',
  'list-size': "'in' lists no values, or too many",
  'one-item-twice': 'two steps of a transaction refer to the same item',
  'one-key-twice': 'a batchGet requests the same item twice (a warning)',
  'same-each-time': 'a step runs for each element of a list, but its key does not contain the element',
  'merges-nothing': 'a query has `merge`, but reads only one partition',
  'chunked-step': '`atomic: false` is set on a step of a transaction, not on the transaction itself',
  'chunked-once': 'a transaction is split over a list, but one of its steps runs only once, or over a different list',
  'no-such-group': 'a page has a list for an entity that the query does not return, or a list with a reserved name',
  ungrouped: 'a page splits its items into lists by entity, but has no list for one of the entities (a warning)',
  'no-expiry':
    'a pattern leaves out expired items, but the table has no TTL, or the index does not project the TTL attribute',
  'given-position': 'a filter uses a parameter as a list position, but filters allow only fixed positions',
  'no-such-step':
    'a parameter refers to an attribute of a step that does not exist, but a different step puts an item with that attribute (a warning)',
} as const;

type Cause = keyof typeof causes;

export const refusedRequest: TableRule<'refused-request', Cause> = {
  id: 'refused-request',
  severity: 'error',
  why: 'A request that the cloud always refuses does not fail during the deployment, but only when the application first sends it.',
  causes,
  *check(table) {
    const together = new Map<string, PatternAccess[]>();
    for (const access of table.accesses) {
      const { pattern, design } = access;
      const { step } = access;
      if (design.op === 'query' || design.op === 'scan') yield* inQuery(table, access, design);
      else if (hasSteps(design) || hasKeys(design)) {
        together.set(pattern, [...(together.get(pattern) ?? []), access]);
      }
      yield* inEach(access, step);
      if (step.op === 'query' && step.group !== undefined) yield* inGroups(access, step.group, step.returns);
      if (step.op === 'query' && step.merge && fanOf(step) === undefined) {
        const message = 'the query reads one partition, so there is nothing to merge';
        const fix = "remove 'merge', or name the list parameter: each: '…'";
        yield { ...atAccess(access, 'merge'), cause: 'merges-nothing', message, fix };
      }
      if (isRead(design) && design.unexpired) yield* inExpiry(table, access);
      if (step.op === 'require' && Object.keys(step.condition ?? {}).length === 0) {
        const message = "a 'require' step without a condition is refused";
        yield {
          ...atAccess(access, 'condition'),
          cause: 'requires-nothing',
          message,
          fix: `write a condition, such as { ${access.key.partitionBy[0].name}: { exists: true } }`,
        };
      }
      for (const [field, attribute, value, place] of fieldsOf(step)) {
        if (field === 'filter') yield* inPath(access, attribute, place);
        yield* inList((about) => atAccess(access, field, place, { attribute, ...about }), value);
      }
    }
    for (const { name, design: pattern } of table.patterns) {
      if (!hasSteps(pattern) && !hasKeys(pattern)) continue;
      const [place, what] = hasSteps(pattern) ? (['steps', 'writes'] as const) : (['keys', 'keys'] as const);
      const accesses = together.get(name) ?? [];
      if (accesses.length === 0) {
        const fix = `add ${what}, or remove the pattern`;
        const message = `the pattern has no ${what}, so every request is refused`;
        yield { ...atPattern({ name }, place), cause: 'empty', message, fix };
      }
      yield* oneItemTwice(table, accesses);
      if (pattern.op !== 'transaction') continue;
      yield* lostSteps(table, accesses, pattern);
      yield* inChunks(table, accesses, pattern);
    }
  },
};

/** Checks the lists of a page: each needs an entity that the query returns, and a name that is not reserved. */
function* inGroups(
  access: PatternAccess,
  group: NonNullable<QueryPattern['group']>,
  returns: readonly string[],
): Iterable<Found<Cause>> {
  const taken = ['items', 'cursor', 'unknown'];
  for (const [name, entity] of Object.entries(group)) {
    if (!returns.includes(entity)) {
      const message = `the query does not return ${entity}, so a list of ${entity} items is always empty`;
      const fix = `write ${name}: '${nearest(entity, returns) ?? returns[0]}', or add '${entity}' to 'returns'`;
      yield { ...atAccess(access, 'group', name, { value: entity }), cause: 'no-such-group', message, fix };
    }
    if (taken.includes(name)) {
      const message = `every page already has a field '${name}'`;
      const fix = `rename the list: ${entity.charAt(0).toLowerCase()}${entity.slice(1)}s: '${entity}'`;
      yield { ...atAccess(access, 'group', name, { value: name }), cause: 'no-such-group', message, fix };
    }
  }
  const left = returns.filter((one) => !Object.values(group).includes(one));
  if (left.length > 0) {
    const lines = left.map((entity) => `${entity.charAt(0).toLowerCase()}${entity.slice(1)}s: '${entity}'`);
    yield {
      severity: 'warning',
      ...atAccess(access, 'group', undefined, { value: left[0] }),
      cause: 'ungrouped',
      message: `the page has no list for ${left.join(' or ')} items`,
      fix: `add ${lines.join(', ')}`,
    };
  }
}

/** Reports a step that runs for each element of a list, but uses the same item each time. */
function* inEach(access: PatternAccess, step: PatternAccess['step']): Iterable<Found<Cause>> {
  const { each } = step as { readonly each?: string };
  if (each === undefined || (step.op === 'put' && step.item === undefined)) return;
  // A query must read a different partition for each element.
  const bounds =
    step.op === 'put'
      ? textsIn(step.item).map((text) => template(text))
      : step.op === 'query'
        ? (access.partition ?? []).map(({ at }) => at)
        : boundsOf(access).map(([, at]) => at);
  if (bounds.some((bound) => partsOf(bound).some(({ path }) => path[0] === each))) return;
  const message =
    step.op === 'query'
      ? `the partition key does not contain <${each}>, so the query reads the same partition for each element`
      : `the key does not contain <${each}>, so every element of the list refers to the same item`;
  const fix = `put <${each}> into the key, or <${each}.id> for a list of objects, or remove 'each'`;
  yield { ...atAccess(access, 'each', undefined, { value: each }), cause: 'same-each-time', message, fix };
}

function* inExpiry(table: TableUnderCheck, access: PatternAccess): Iterable<Found<Cause>> {
  const { ttl } = table;
  const index = table.indexes.find(({ name }) => name === access.index);
  const isVisible =
    index === undefined ||
    index.projection === 'all' ||
    // If a local index lacks an attribute, DynamoDB fetches it from the table.
    index.local ||
    (typeof index.projection === 'object' && index.projection.includes(ttl ?? ''));
  if (ttl !== undefined && isVisible) return;
  const [message, fix] =
    ttl === undefined
      ? [
          'the table has no TTL attribute, so no item expires',
          "give the table a TTL attribute, such as ttl: 'expires', or remove 'unexpired'",
        ]
      : [
          `index ${index?.name} does not project '${ttl}', so the query cannot tell which items have expired`,
          `add '${ttl}' to the projection of ${index?.name}`,
        ];
  yield { ...atAccess(access, 'unexpired', undefined, { index: access.index }), cause: 'no-expiry', message, fix };
}

function* inQuery(
  table: TableUnderCheck,
  access: PatternAccess,
  { index, consistent, pageSize }: QueryPattern | ScanPattern,
): Iterable<Found<Cause>> {
  if (consistent && table.indexes.some(({ name, local }) => name === index && !local)) {
    const message = `DynamoDB does not support consistent reads of global indexes such as ${index}, so every request is refused`;
    const fix = "remove 'consistent', or read the table itself";
    const place = atAccess(access, 'consistent', undefined, { index });
    yield { ...place, cause: 'consistent-index', message, fix, edits: [{ path: place.path }] };
  }
  if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && pageSize > 0)) {
    const message = `pageSize is ${pageSize}, but must be a whole number of at least 1`;
    const fix = 'write a whole number of at least 1, or remove pageSize';
    yield { ...atAccess(access, 'pageSize', undefined, { count: pageSize }), cause: 'page-size', message, fix };
  }
}

/** Reports filters that use a parameter as a list position. */
function* inPath(access: PatternAccess, attribute: string, place: string): Iterable<Found<Cause>> {
  if (!attribute.includes('[<')) return;
  const message = `'${attribute}': a filter needs a fixed list position, not a parameter`;
  const fix = `write a number: ${attribute.replace(/\[<[^<>]*>\]/g, '[0]')}, or test the returned items in your own code`;
  yield { ...atAccess(access, 'filter', place, { attribute }), cause: 'given-position', message, fix };
}

function* inList(place: (about: About) => Place, test: unknown): Iterable<Found<Cause>> {
  const { in: listed } = (typeof test === 'object' && test !== null ? test : {}) as { readonly in?: unknown };
  if (!Array.isArray(listed) || (listed.length > 0 && listed.length <= LISTED)) return;
  const message = `'in' lists ${listed.length} values, but DynamoDB allows 1 to ${LISTED}`;
  const fix = listed.length === 0 ? 'list at least one value' : 'split the list across several requests';
  yield { ...place({ count: listed.length }), cause: 'list-size', message, fix };
}

/**
 * Reports steps that prevent a transaction from running in parts. Only a whole transaction can have `atomic: false`,
 * and then each of its writes must run over the list.
 */
function* inChunks(
  table: TableUnderCheck,
  accesses: readonly PatternAccess[],
  { atomic, across }: TransactionPattern,
): Iterable<Found<Cause>> {
  const [list] = accesses.flatMap(({ step }) => ('each' in step && step.each) || []);
  const chunked = accesses.find(({ step }) => (step as TransactionStep).atomic === false);
  if (chunked !== undefined) {
    const message = 'only a whole transaction can have atomic: false, not one of its steps';
    const apart = `in a pattern ${across === undefined ? '' : `of ${table.name} `}that contains only the steps that run over ${list ?? 'the list'}`;
    const fix = `move atomic: false from the step to the transaction itself, ${apart}`;
    yield { ...atAccess(chunked, 'atomic'), cause: 'chunked-step', message, fix };
    return;
  }
  if (atomic === false && list === undefined && accesses.length > 0) {
    const message = 'no step runs over a list, so atomic: false cannot split the transaction';
    const fix = "remove atomic: false, or name the list parameter in each step: each: '…'";
    yield { ...atPattern({ name: accesses[0]?.pattern ?? '' }, 'atomic'), cause: 'chunked-once', message, fix };
    return;
  }
  for (const access of accesses) {
    const step = access.step as TransactionStep;
    if (atomic === false && step.each !== list && (step.op !== 'require' || step.each !== undefined)) {
      const message = `the step runs ${step.each === undefined ? 'once' : `over ${step.each}`}, but atomic: false splits the transaction by the elements of ${list ?? 'a list'}`;
      const fix = `move the step to a separate pattern${step.each === undefined ? ", or write op: 'require' to test its condition in every part" : ''}, or remove atomic: false`;
      yield { ...atAccess(access, 'each'), cause: 'chunked-once', message, fix };
    }
  }
}

/**
 * Reports two steps or two keys that refer to the same item. DynamoDB refuses such steps; a batchGet requests the item
 * only once.
 */
function* oneItemTwice(table: TableUnderCheck, accesses: readonly PatternAccess[]): Iterable<Found<Cause>> {
  const seen = new Map<string, string>();
  for (const access of accesses) {
    const { part = '', action } = access;
    const item = itemOf(table, access);
    if (item === undefined) continue;
    const before = seen.get(item);
    seen.set(item, before ?? part);
    if (before === undefined) continue;
    yield action !== 'batchGet'
      ? {
          ...atAccess(access, undefined, undefined, { value: before }),
          cause: 'one-item-twice',
          message: `the step uses the same item as '${before}', but a transaction allows only one step per item`,
          fix: `combine '${before}' and '${part}' into one step`,
        }
      : {
          severity: 'warning',
          ...atWhere(access, undefined, { value: before }),
          cause: 'one-key-twice',
          message: `the key identifies the same item as '${before}', but a batch may request an item only once`,
          fix: `remove '${part}', or give '${part}' a different parameter`,
        };
  }
}

function keyTexts(access: PatternAccess): string | undefined {
  const { partition, sort, range } = access;
  if (partition === undefined || (sort !== undefined && range.kind !== 'equals')) return undefined;
  return boundsOf(access)
    .map(([, { text }]) => text)
    .join('\n');
}

/** Returns the key of the item that a step uses. The key of a put refers to the step itself, as in `<trip.userId>`. */
function itemOf({ key }: TableBlueprint, access: PatternAccess): string | undefined {
  const { step } = access;
  if (step.op !== 'put') return keyTexts(access);
  const { partition, range, part } = access;
  if (step.item !== undefined || partition === undefined || (key.sort !== undefined && range.kind !== 'equals'))
    return undefined;
  const [{ at }] = partition;
  const own = (template: Template) => textWith(template, (ours) => shownPart(ours, `${part}.${ours.name}`));
  return range.kind === 'equals' ? `${own(at)}\n${own(range.at)}` : own(at);
}

/**
 * Reports references to a step that does not exist. `<trip.userId>` may come from the item that the step `trip` puts,
 * from a map, or from the caller. If there is no such step or map, but a different step puts an item with a `userId`,
 * the author probably meant that step.
 */
function* lostSteps(
  table: TableUnderCheck,
  accesses: readonly PatternAccess[],
  pattern: TransactionPattern,
): Iterable<Found<Cause>> {
  const { steps, across = {} } = pattern;
  const has = (step: TransactionStep | ReleaseStep, path: readonly string[]) => {
    const schema = entityNamed(table, step.entity)?.design.attributes;
    return schema !== undefined && attributeAt(schema, path) !== undefined;
  };
  const whole = [...Object.keys(steps).filter((name) => !('item' in (steps[name] as object))), ...Object.keys(across)];
  const all = Object.values(steps);
  const isOfTheirs = (name: string) => all.some((step) => step.each === name || has(step, [name]));
  const meant = (access: PatternAccess, { path: [first = '', ...path] }: Part) => {
    if (path.length === 0 || Object.hasOwn(steps, first) || Object.hasOwn(across, first) || isOfTheirs(first))
      return undefined;
    return whole.find((name) => {
      const put = putBy(table, access, pattern, name);
      return put !== undefined && attributeAt(put.design.attributes, path) !== undefined;
    });
  };
  for (const access of accesses) {
    const places = [
      ...boundsOf(access).map(([attribute, bound]) => ['where', attribute, bound, attribute] as const),
      ...fieldsOf(access.step).flatMap(([field, attribute, value, place]) =>
        textsIn(value).map((text) => [field, attribute, template(text), place] as const),
      ),
    ];
    for (const [field, attribute, given, place] of places) {
      const lost = partsOf(given).find((part) => meant(access, part) !== undefined);
      if (lost === undefined) continue;
      const proposed = [meant(access, lost), ...lost.path.slice(1)].join('.');
      yield {
        severity: 'warning',
        ...atAccess(access, field, place, { attribute, part: lost.name, proposed }),
        cause: 'no-such-step',
        message: `<${lost.name}> refers to a step '${lost.path[0]}' that does not exist, so the caller must pass the value`,
        fix: `write <${proposed}>, or <${lost.path.at(-1)}> for a value from the caller`,
      };
    }
  }
}

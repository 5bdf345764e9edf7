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

/** The maximum number of values in an `in`. */
const LISTED = 100;

const causes = {
  'requires-nothing': 'a require step has no condition',
  empty: 'a transaction or a batch is empty',
  'consistent-index': 'a query or a scan asks for a consistent read of an index that is not local',
  'page-size': 'a page has no items, or not a whole number of them',
  'list-size': "'in' lists no values, or too many",
  'one-item-twice': 'two steps of a transaction concern the same item',
  'one-key-twice': 'a batchGet asks for the same item twice (a warning)',
  'same-each-time': 'something is done for each element of a list, but its key does not come from the list',
  'merges-nothing': 'a query merges partitions, but reads only one',
  'chunked-step': 'a step of a transaction is to be done in parts, but a transaction is all or nothing',
  'chunked-once': 'a transaction is done in parts, but one of its steps runs once, or over another list',
  'no-such-group':
    'a page has a list of something that the query does not return, or under a name that a page already uses',
  ungrouped: 'a page has lists by entity, but none for one of the entities (a warning)',
  'no-expiry': 'a pattern leaves out expired items, but nothing in the table expires, or the index does not show it',
  'given-position': 'a filter uses a list position that the caller gives, which only a write can do',
  'no-such-step': 'a parameter refers to a step that does not exist, but another step has what it names (a warning)',
} as const;

type Cause = keyof typeof causes;

export const refusedRequest: TableRule<'refused-request', Cause> = {
  id: 'refused-request',
  severity: 'error',
  why: 'A request that the cloud never accepts fails when it is first sent, not when the table is created.',
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
        const message = 'there is one partition, so there is nothing to merge';
        const fix = "remove merge, or name the parameter that is a list: each: '…'";
        yield { ...atAccess(access, 'merge'), cause: 'merges-nothing', message, fix };
      }
      if (isRead(design) && design.unexpired) yield* inExpiry(table, access);
      if (step.op === 'require' && Object.keys(step.condition ?? {}).length === 0) {
        const message = 'a step that requires nothing is refused';
        yield {
          ...atAccess(access, 'condition'),
          cause: 'requires-nothing',
          message,
          fix: `write what must be true, such as { ${access.key.partitionBy[0].name}: { exists: true } }`,
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
        const fix = `add the ${what} that belong together, or remove the pattern`;
        const message = 'it is empty, so it is refused';
        yield { ...atPattern({ name }, place), cause: 'empty', message, fix };
      }
      yield* oneItemTwice(table, accesses);
      if (pattern.op !== 'transaction') continue;
      yield* lostSteps(table, accesses, pattern);
      yield* inChunks(table, accesses, pattern);
    }
  },
};

/**
 * The lists of a page: each must have an entity that the query returns, and a name that a page does not already use.
 */
function* inGroups(
  access: PatternAccess,
  group: NonNullable<QueryPattern['group']>,
  returns: readonly string[],
): Iterable<Found<Cause>> {
  const taken = ['items', 'cursor', 'unknown'];
  for (const [name, entity] of Object.entries(group)) {
    if (!returns.includes(entity)) {
      const message = `the query does not return ${entity}, so the list is always empty`;
      const fix = `write ${name}: '${nearest(entity, returns) ?? returns[0]}', or add '${entity}' to returns`;
      yield { ...atAccess(access, 'group', name, { value: entity }), cause: 'no-such-group', message, fix };
    }
    if (taken.includes(name)) {
      const message = `a page has ${name} already`;
      const fix = `give the list another name: ${entity.charAt(0).toLowerCase()}${entity.slice(1)}s: '${entity}'`;
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
      message: `no list has the items of ${left.join(' and ')}`,
      fix: `add ${lines.join(', ')}`,
    };
  }
}

/** A step for each element of a list that writes the same item each time. */
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
  const message = `its ${step.op === 'query' ? 'partition' : 'key'} does not name <${each}>, so it concerns the same ${step.op === 'query' ? 'partition' : 'item'} each time`;
  const fix = `take part of the key from the list: <${each}>, or <${each}.id> of a list of objects; or leave 'each' out`;
  yield { ...atAccess(access, 'each', undefined, { value: each }), cause: 'same-each-time', message, fix };
}

function* inExpiry(table: TableUnderCheck, access: PatternAccess): Iterable<Found<Cause>> {
  const { ttl } = table;
  const index = table.indexes.find(({ name }) => name === access.index);
  const isVisible =
    index === undefined ||
    index.projection === 'all' ||
    // DynamoDB fetches what a local index lacks.
    index.local ||
    (typeof index.projection === 'object' && index.projection.includes(ttl ?? ''));
  if (ttl !== undefined && isVisible) return;
  const [message, fix] =
    ttl === undefined
      ? ['nothing expires: the table has no ttl', "give the table a ttl, such as ttl: 'expires', or remove unexpired"]
      : [
          `index ${index?.name} does not project ${ttl}, so it does not show what has expired`,
          `add ${ttl} to its projection`,
        ];
  yield { ...atAccess(access, 'unexpired', undefined, { index: access.index }), cause: 'no-expiry', message, fix };
}

function* inQuery(
  table: TableUnderCheck,
  access: PatternAccess,
  { index, consistent, pageSize }: QueryPattern | ScanPattern,
): Iterable<Found<Cause>> {
  if (consistent && table.indexes.some(({ name, local }) => name === index && !local)) {
    const message = `index ${index} lags behind the table, so no read of it is consistent: every request is refused`;
    const fix = 'remove consistent, or read the table itself';
    const place = atAccess(access, 'consistent', undefined, { index });
    yield { ...place, cause: 'consistent-index', message, fix, edits: [{ path: place.path }] };
  }
  if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && pageSize > 0)) {
    const message = `a page has a whole number of items, at least one, not ${pageSize}`;
    const fix = 'write a whole number from 1 up, or remove pageSize';
    yield { ...atAccess(access, 'pageSize', undefined, { count: pageSize }), cause: 'page-size', message, fix };
  }
}

/** The path of a filter is fixed before the caller gives values. */
function* inPath(access: PatternAccess, attribute: string, place: string): Iterable<Found<Cause>> {
  if (!attribute.includes('[<')) return;
  const message = `'${attribute}': the position in a list must be a number here, and cannot be given by the caller`;
  const fix = `write the number: ${attribute.replace(/\[<[^<>]*>\]/g, '[0]')}, or test the returned items`;
  yield { ...atAccess(access, 'filter', place, { attribute }), cause: 'given-position', message, fix };
}

function* inList(place: (about: About) => Place, test: unknown): Iterable<Found<Cause>> {
  const { in: listed } = (typeof test === 'object' && test !== null ? test : {}) as { readonly in?: unknown };
  if (!Array.isArray(listed) || (listed.length > 0 && listed.length <= LISTED)) return;
  const message = `'in' lists ${listed.length} values, but takes 1 to ${LISTED}`;
  const fix = listed.length === 0 ? 'list the values you mean' : 'split the request';
  yield { ...place({ count: listed.length }), cause: 'list-size', message, fix };
}

/**
 * Steps that cannot be split into parts: all steps of an ordinary transaction, and in a transaction sent in parts the
 * steps without a list.
 */
function* inChunks(
  table: TableUnderCheck,
  accesses: readonly PatternAccess[],
  { atomic, across }: TransactionPattern,
): Iterable<Found<Cause>> {
  const [list] = accesses.flatMap(({ step }) => ('each' in step && step.each) || []);
  const chunked = accesses.find(({ step }) => (step as TransactionStep).atomic === false);
  if (chunked !== undefined) {
    const message = 'a transaction happens as a whole, so none of its steps can be done in parts';
    const apart = `in a pattern ${across === undefined ? '' : `of ${table.name} `}that has only the steps over ${list ?? 'the list'}`;
    const fix = `move atomic: false from the step to beside op: 'transaction', ${apart}`;
    yield { ...atAccess(chunked, 'atomic'), cause: 'chunked-step', message, fix };
    return;
  }
  if (atomic === false && list === undefined && accesses.length > 0) {
    const message = 'no step runs over a list, so there is nothing to do in parts';
    const fix = "leave out atomic: false, or name the parameter that is a list in each step: each: '…'";
    yield { ...atPattern({ name: accesses[0]?.pattern ?? '' }, 'atomic'), cause: 'chunked-once', message, fix };
    return;
  }
  for (const access of accesses) {
    const step = access.step as TransactionStep;
    if (atomic === false && step.each !== list && (step.op !== 'require' || step.each !== undefined)) {
      const message = `it ${step.each === undefined ? 'runs once' : `runs over ${step.each}`}, but the parts of the transaction are those of ${list ?? 'a list'}`;
      const fix = `put it into a pattern of its own${step.each === undefined ? ", or make it a step with op: 'require', which every part tests" : ''}; or leave out atomic: false`;
      yield { ...atAccess(access, 'each'), cause: 'chunked-once', message, fix };
    }
  }
}

/** Two steps on one item are refused; a batchGet with the same key twice requests the item once. */
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
          message: `it concerns the same item as ${before}, but a transaction allows one step for each item`,
          fix: `combine ${before} and ${part} into one step`,
        }
      : {
          severity: 'warning',
          ...atWhere(access, undefined, { value: before }),
          cause: 'one-key-twice',
          message: `it is the key of ${before} again, but a batch may name an item only once`,
          fix: `leave ${part} out, or give it a parameter of its own`,
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

/** The key of the item that a step writes, in the notation that other steps use to refer to it. */
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
 * `<trip.userId>` comes from what the step `trip` puts, or from a map, or else from the caller. If a different step
 * puts an item with such an attribute, that step was probably meant.
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
        message: `<${lost.name}>: there is no step '${lost.path[0]}' to take it from, so the caller must give it`,
        fix: `write <${proposed}>, or <${lost.path.at(-1)}> for what the caller gives`,
      };
    }
  }
}

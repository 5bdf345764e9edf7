import { boundsOfRange, hasKeys } from '../../blueprint/accesses';
import { entityNamed, keyOf } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import type { KeyCondition } from '../../design/pattern';
import { template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atWhere } from '../findings/place';
import { whereOf } from '../requests/fields';
import { heldAttributes, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  'not-given': 'a key attribute that the request needs is not given',
  'left-open': 'a key attribute that must be one value is given as a range',
  'optional-part': 'a part of the key may be left out',
  gap: 'an attribute of a sort key is given without the one before it',
  'after-range': 'an attribute of a sort key is given after one that has a range',
} as const;

type Cause = keyof typeof causes;

export const partitionIncomplete: TableRule<'partition-incomplete', Cause> = {
  id: 'partition-incomplete',
  severity: 'error',
  why: 'DynamoDB reads one partition, given in full; an item is read and written by its whole key.',
  causes,
  check: (table) =>
    table.accesses
      .filter(({ step }) => step.op !== 'put' && step.op !== 'scan' && step.op !== 'find')
      .flatMap((access) => {
        const where = whereOf(access);
        const given = access.action === 'query' ? heldAttributes(access) : keyOf(access.key);
        const incompletes = given
          .map(({ name }) => [name, Object.hasOwn(where, name) ? where[name] : undefined] as const)
          .filter(([, condition]) => typeof condition !== 'string' || condition.includes('?'))
          .flatMap(([name, condition]) => [...incomplete(table, access, name, condition)]);
        return [...incompletes, ...leftOut(access), ...skipped(access, where)];
      }),
};

const ACTIONS = {
  get: 'a get',
  query: 'a query',
  scan: 'a scan',
  batchGet: 'a batchGet',
  put: 'a put',
  update: 'an update',
  delete: 'a delete',
  require: 'a require',
  batchWrite: 'a batchWrite',
} as const;

function* incomplete(
  table: TableUnderCheck,
  access: PatternAccess,
  name: string,
  condition: KeyCondition | undefined,
): Iterable<Found<Cause>> {
  const kept = entityNamed(table, access.entities[0] ?? '')?.keys.get(name)?.template.text;
  const proposed = kept === undefined ? undefined : `'${kept}'`;
  const isSort = access.key.sortBy.some((attribute) => attribute.name === name);
  const what = access.action !== 'query' ? 'the whole key' : isSort ? `one ${name}` : 'the whole partition key';
  if (condition === undefined) {
    yield {
      ...atWhere(access, undefined, { attribute: name }),
      cause: 'not-given',
      message: `${name} is not given, but ${ACTIONS[access.action]} needs ${what}: every request is refused`,
      fix: `add ${name}: ${proposed ?? `'…'`}${access.action === 'query' ? ', or query an index whose partition key is given' : ''}`,
      ...(proposed && { edits: [{ path: atWhere(access, name).path, code: proposed }] }),
    };
  } else if (typeof condition !== 'string') {
    const [kind] = Object.keys(condition);
    yield {
      ...atWhere(access, name, { value: kind }),
      cause: 'left-open',
      message: `${kind} leaves ${name} open, but ${ACTIONS[access.action]} needs ${what}`,
      fix: `give ${name} one value: ${proposed ?? `'…'`}`,
      ...(proposed && { edits: [{ path: atWhere(access, name).path, code: proposed }] }),
    };
  } else if (!hasKeys(access.design) && access.design.op !== 'transaction') {
    for (const part of partsOf(template(condition)).filter(({ optional }) => optional)) {
      yield {
        ...atWhere(access, name, { part: part.name, proposed: `<${part.name}>` }),
        cause: 'optional-part',
        message: `<${part.name}?> may be left out, but ${ACTIONS[access.action]} needs ${what}`,
        fix: `write <${part.name}>`,
        edits: [{ path: atWhere(access, name).path, replace: [`<${part.name}?>`, `<${part.name}>`] }],
      };
    }
  }
}

/** In a query, parts of the sort key may be left out only from a prefix, and only from the right. */
function* leftOut(access: PatternAccess): Iterable<Found<Cause>> {
  const { action, range, sort } = access;
  if (action !== 'query') return;
  for (const bound of boundsOfRange(range)) {
    const { text } = bound;
    const parts = partsOf(bound);
    const first = parts.findIndex(({ optional }) => optional);
    const part = parts[first];
    if (part === undefined) continue;
    const after = parts.slice(first).find(({ optional }) => !optional);
    const fault = (): readonly [message: string, fix: string] | undefined => {
      const { name } = part;
      if (range.kind !== 'beginsWith')
        return [`<${name}?> may be left out, but only beginsWith allows that`, `write <${name}>`];
      if (first === 0 && text.startsWith('<'))
        return [`without <${name}?>, nothing is left to begin with`, `write <${name}>, or begin with literal text`];
      if (after === undefined) return undefined;
      const message = `<${name}?> may be left out, but <${after.name}> comes after it`;
      return [message, `write <${after.name}?>: parts are left out from the right`];
    };
    const [message, fix] = fault() ?? [];
    if (message === undefined || fix === undefined) continue;
    const about = { part: part.name, value: text };
    yield { ...atWhere(access, sort?.name, about), cause: 'optional-part', message, fix };
  }
}

/** A query gives a sort key of several attributes from left to right, with one value for each except the last. */
function* skipped(access: PatternAccess, where: Readonly<Record<string, KeyCondition>>): Iterable<Found<Cause>> {
  const { key, sort, range } = access;
  if (access.action !== 'query' || sort === undefined) return;
  for (const { name } of key.sortBy.slice(key.sortBy.indexOf(sort) + 1)) {
    if (!Object.hasOwn(where, name)) continue;
    const isOpen = range.kind !== 'all';
    yield {
      ...atWhere(access, name, { attribute: sort.name }),
      cause: isOpen ? 'after-range' : 'gap',
      message: isOpen
        ? `${name} is given, but ${sort.name} before it is a range: nothing after a range can be asked for`
        : `${name} is given, but not ${sort.name}, which comes before it in the sort key`,
      fix: isOpen
        ? `give ${sort.name} one value, or test ${name} in a filter of an index without it`
        : `add ${sort.name}: '…', or leave ${name} out`,
    };
  }
}

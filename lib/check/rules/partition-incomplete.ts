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
  'not-given': 'a pattern omits a key attribute that the request needs',
  'left-open': 'a pattern has a range for a key attribute that needs a single value',
  'optional-part': 'a part of the key is optional, but the request needs it',
  gap: 'a pattern specifies an attribute of a sort key, but not the one before it',
  'after-range': 'a pattern specifies an attribute of a sort key after an attribute with a range',
} as const;

type Cause = keyof typeof causes;

export const partitionIncomplete: TableRule<'partition-incomplete', Cause> = {
  id: 'partition-incomplete',
  severity: 'error',
  why: "A query needs the whole partition key, and a request for one item needs the item's whole key.",
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
  const what =
    access.action !== 'query' ? 'the whole key' : isSort ? `a single value for '${name}'` : 'the whole partition key';
  if (condition === undefined) {
    yield {
      ...atWhere(access, undefined, { attribute: name }),
      cause: 'not-given',
      message: `'${name}' is missing, but ${ACTIONS[access.action]} needs ${what}, so every request is refused`,
      fix: `add ${name}: ${proposed ?? `'…'`}${access.action === 'query' ? ', or query an index whose partition key the pattern contains' : ''}`,
      ...(proposed && { edits: [{ path: atWhere(access, name).path, code: proposed }] }),
    };
  } else if (typeof condition !== 'string') {
    const [kind] = Object.keys(condition);
    yield {
      ...atWhere(access, name, { value: kind }),
      cause: 'left-open',
      message: `${kind} makes '${name}' a range, but ${ACTIONS[access.action]} needs ${what}`,
      fix: `give '${name}' a single value: ${proposed ?? `'…'`}`,
      ...(proposed && { edits: [{ path: atWhere(access, name).path, code: proposed }] }),
    };
  } else if (!hasKeys(access.design) && access.design.op !== 'transaction') {
    for (const part of partsOf(template(condition)).filter(({ optional }) => optional)) {
      yield {
        ...atWhere(access, name, { part: part.name, proposed: `<${part.name}>` }),
        cause: 'optional-part',
        message: `<${part.name}?> is optional, but ${ACTIONS[access.action]} needs ${what}`,
        fix: `write <${part.name}>`,
        edits: [{ path: atWhere(access, name).path, replace: [`<${part.name}?>`, `<${part.name}>`] }],
      };
    }
  }
}

/** Reports optional sort key parts in a query, except at the end of a prefix. */
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
        return [`<${name}?> is optional, but only beginsWith allows optional parts`, `write <${name}>`];
      if (first === 0 && text.startsWith('<'))
        return [`without <${name}?>, the prefix is empty`, `write <${name}>, or begin with literal text`];
      if (after === undefined) return undefined;
      const message = `<${name}?> is optional, but the required <${after.name}> comes after it`;
      return [message, `write <${after.name}?>, because only the last parts of a prefix can be optional`];
    };
    const [message, fix] = fault() ?? [];
    if (message === undefined || fix === undefined) continue;
    const about = { part: part.name, value: text };
    yield { ...atWhere(access, sort?.name, about), cause: 'optional-part', message, fix };
  }
}

/**
 * Reports gaps: a query must specify the attributes of a sort key from left to right, and only the last specified
 * attribute may have a range.
 */
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
        ? `the pattern has '${name}' after a range for '${sort.name}', but a range must be the last condition on a key`
        : `the pattern has '${name}', but not '${sort.name}', which comes before '${name}' in the sort key`,
      fix: isOpen
        ? `give '${sort.name}' a single value; or query an index without '${name}', and test '${name}' in a filter`
        : `add ${sort.name}: '…', or remove '${name}'`,
    };
  }
}

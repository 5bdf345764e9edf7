import { attributeAt } from '../../blueprint/attributes/facts';
import { testsIn } from '../../blueprint/conditions';
import { counterpartOf } from '../../blueprint/keys';
import {
  type EntityBlueprint,
  entitiesNamed,
  entityNamed,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
} from '../../blueprint/table';
import { partsOf, partsOfKey } from '../../blueprint/template-parts';
import type { Test } from '../../design/pattern';
import { holdsWhole, type Part, stepsOf } from '../../design/template';
import type { Fault, TableRule } from '../findings/finding';
import { type About, atAccess } from '../findings/place';
import { heldAttributes, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  key: 'a filter tests a key attribute of the table or index that the query reads, which DynamoDB refuses (an error)',
  'this-key': "a filter tests an attribute that the query's key condition could test",
  page: 'pageSize counts items before the filter drops some of them, so a page may be short or empty (a note if pageSize is more than 1)',
  'other-key':
    'a filter tests an attribute that a different key contains, so the pattern could query by that key instead',
} as const;

type Cause = keyof typeof causes;

export const filteredRead: TableRule<'filtered-read', Cause> = {
  id: 'filtered-read',
  severity: 'warning',
  why: 'A filter drops items after DynamoDB has read them: you pay for every item read, and a page can be empty.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      if (access.design.op !== 'query') continue;
      const { pageSize, filter = {} } = access.design;
      if (pageSize !== undefined && Object.keys(filter).length > 0) {
        yield {
          severity: pageSize === 1 ? 'warning' : 'note',
          ...atAccess(access, 'pageSize', undefined, { count: pageSize }),
          cause: 'page',
          message: `pageSize ${pageSize} counts items before the filter drops some of them, so a page can be ${pageSize === 1 ? 'empty' : 'short or empty'} although more items match`,
          fix: `put the filtered attributes into the key, or keep reading while the result has a cursor`,
        };
      }
      for (const { path, test, place, isDecisive } of testsIn(filter)) {
        // A key condition can replace a test that always applies, but not a test that is one of several alternatives.
        const found = refused(table, access, path) ?? (isDecisive ? served(table, access, path, test) : undefined);
        if (found === undefined) continue;
        const { proposed, proposedIndex, ...fault } = found;
        yield { ...atAccess(access, 'filter', place, { attribute: path, proposed, proposedIndex }), ...fault };
      }
    }
  },
};

interface Filtered extends Fault<Cause>, Pick<About, 'proposed' | 'proposedIndex'> {}

function refused({ cloud }: TableUnderCheck, { key }: PatternAccess, path: string): Filtered | undefined {
  if (cloud !== 'aws' || !keyOf(key).some(({ name }) => name === path)) return undefined;
  const message = `'${path}' is a key attribute of the queried table or index, so DynamoDB refuses to filter by it`;
  return { severity: 'error', cause: 'key', message, fix: `move '${path}' from 'filter' to 'where'` };
}

function served(table: TableUnderCheck, access: PatternAccess, path: string, test: Test): Filtered | undefined {
  const reach = reachOf(test);
  const serving = reach && keyThatServes(table, access, path, reach);
  if (serving === undefined) return undefined;
  const better = serving.name;
  const message = `'${path}' is part of a key, but with a filter you pay for every item that the filter drops`;
  if (better === access.index) {
    const { attribute, text } = keyFor(table, access, path);
    return {
      cause: 'this-key',
      proposed: text,
      message,
      fix: `replace the filter with ${attribute}: '${text}' in 'where'`,
    };
  }
  return {
    cause: 'other-key',
    proposedIndex: better ?? null,
    message,
    fix: `query ${better === undefined ? 'the table itself' : `index ${better}`}, whose key contains '${path}'`,
  };
}

/**
 * What a test accepts: a single value, or a range of values. A key condition can replace no other test, and no
 * comparison between two attributes of the item.
 */
type Reach = 'value' | 'stretch';

const STRETCHES = ['beginsWith', 'between', 'atLeast', 'atMost', 'greaterThan', 'lessThan'];

function reachOf(test: Test): Reach | undefined {
  if (typeof test !== 'object') return 'value';
  const [[kind, operand] = []] = Object.entries(test ?? {});
  const isGiven = [operand].flat().every((value) => typeof value !== 'object');
  return kind !== undefined && STRETCHES.includes(kind) && isGiven ? 'stretch' : undefined;
}

/**
 * Finds a key of the table or of an index that could replace the filter. The pattern must have values for everything
 * else that a query by this key needs.
 */
function keyThatServes(table: TableUnderCheck, access: PatternAccess, path: string, reach: Reach) {
  const entities = entitiesNamed(table, access.entities);
  if (entities.length === 0) return undefined;
  const targets: (KeyBlueprint & { name?: string })[] = [table.key, ...table.indexes];
  // The table or index that the pattern already queries comes first, because there, the pattern only needs a narrower
  // condition.
  const byNearness = [...targets].sort((a, b) => Number(b.name === access.index) - Number(a.name === access.index));
  return byNearness.find((key) => entities.every((entity) => serves(entity, key, path, reach, access)));
}

/** Returns the key attribute that contains the filtered attribute, with its template. */
function keyFor(table: TableUnderCheck, { key, entities }: PatternAccess, path: string) {
  const [entity] = entities.map((name) => entityNamed(table, name));
  const isIn = (name: string) => partsOfKey(entity, name).some((part) => partOf(part) === path);
  const attribute = keyOf(key).find(({ name }) => isIn(name))?.name ?? key.sortBy[0]?.name;
  return { attribute, text: entity?.keys.get(attribute ?? '')?.template.text };
}

function serves(entity: EntityBlueprint, key: KeyBlueprint, path: string, reach: Reach, access: PatternAccess) {
  const known = knownTo(access, entity);
  const partsIn = (by: readonly KeyAttribute[]) => by.flatMap(({ name }) => partsOfKey(entity, name));
  const [partition, sort] = [partsIn(key.partitionBy), partsIn(key.sortBy)];
  if (key.partitionBy.some(({ name }) => !entity.keys.has(name)) || known.has(path)) return false;
  const isGiven = (part: Part) => known.has(part.name) || known.has(partOf(part));
  const isFiltered = (part: Part) => partOf(part) === path;
  const inPartition = reach === 'value' && partition.some(isFiltered);
  if (!partition.every((part) => isGiven(part) || (inPartition && isFiltered(part)))) return false;
  const firstOpen = sort.findIndex((part) => !isGiven(part) && !(inPartition && isFiltered(part)));
  const inSort = !inPartition && firstOpen !== -1 && isFiltered(sort[firstOpen] as Part);
  if (!inPartition && !inSort) return false;
  const used = new Set([...partition, ...(firstOpen === -1 ? sort : sort.slice(0, firstOpen))].map(partOf));
  return [...known].every((part) => used.has(part)) || isSelective(entity, path);
}

/** Whether only a few items share each value of this attribute, so that a query by the attribute alone pays off. */
function isSelective({ design }: EntityBlueprint, path: string): boolean {
  const facts = attributeAt(design.attributes, stepsOf(path));
  const shared = facts?.values !== undefined || facts?.kind === 'boolean' || /^date/.test(facts?.format ?? '');
  return !shared;
}

/** Returns the key parts that the pattern has values for, including every part of the partition key. */
function knownTo(access: PatternAccess, entity: EntityBlueprint): ReadonlySet<string> {
  const { range } = access;
  const partition = heldAttributes(access).flatMap(({ name }) => partsOfKey(entity, name));
  const sort = access.sort && entity.keys.get(access.sort.name)?.template;
  if (sort === undefined || (range.kind !== 'equals' && range.kind !== 'beginsWith'))
    return new Set(partition.map(partOf));
  const given = partsOf(range.at)
    .map((part) => counterpartOf(range.at, part, sort))
    .filter((part) => part !== undefined);
  return new Set([...partition, ...given].map(partOf));
}

/**
 * Returns the name of a part. For a piece of a time, appends the format, so that the piece never matches the whole
 * time.
 */
function partOf(part: Part): string {
  return holdsWhole(part) ? part.name : `${part.name}:${part.format}`;
}

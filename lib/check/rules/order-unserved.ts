import type { SortRange } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import { type EntityBlueprint, entityNamed, type KeySource } from '../../blueprint/table';
import {
  isBucket,
  isPieceOfTime,
  lastPart,
  partsOf,
  partsOfKey,
  placesOf,
  shownPart,
  textWith,
} from '../../blueprint/template-parts';
import { isSameName } from '../../blueprint/words';
import { shardsOf } from '../../design/formats';
import type { QueryPattern } from '../../design/pattern';
import { withArticle } from '../../design/show';
import type { Part, Template } from '../../design/template';
import type { Fault, Severity, TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { atAccess } from '../findings/place';
import { isPaddable, widthFor } from '../keys/padding';
import { commonBeginning } from '../reach/by-beginning';
import { heldAttributes, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  'no-sort-key': 'the queried table or index has no sort key',
  'one-value': 'a pattern reads only one sort key value, so there is nothing to order',
  'by-nothing': 'the sort key of an entity is the same for all items',
  'by-another': 'the sort key of an entity begins with an attribute other than the one in orderBy',
  'one-after-another':
    "a query returns each entity's items in order, but all items of one entity before those of the next",
  'random-id': 'a pattern requests an order, but the sort key begins with a random id (a warning)',
} as const;

type Cause = keyof typeof causes;

export const orderUnserved: TableRule<'order-unserved', Cause> = {
  id: 'order-unserved',
  severity: 'error',
  why: 'A query can return items only in sort key order.',
  causes,
  *check(table) {
    for (const access of table.accesses.filter(isOrdered)) {
      const { orderBy } = access.design as QueryPattern;
      const fault = unserved(table, access, orderBy);
      if (fault === undefined) continue;
      const { entities, part, ...found } = fault;
      const field = orderBy === undefined ? 'order' : 'orderBy';
      yield { ...atAccess(access, field, undefined, { attribute: orderBy, part, entities }), ...found };
    }
  },
};

function isOrdered({ design }: PatternAccess): boolean {
  return design.op === 'query' && (design.order !== undefined || design.orderBy !== undefined);
}

interface Unserved extends Fault<Cause> {
  readonly entities?: readonly string[];
  /** The part that determines the order of the items. */
  readonly part?: string;
}

function unserved(table: TableUnderCheck, access: PatternAccess, orderBy: string | undefined): Unserved | undefined {
  const { sort } = access;
  const target = access.index === undefined ? 'the table' : `index ${access.index}`;
  if (sort === undefined) {
    return {
      cause: 'no-sort-key',
      message: `${target} has no sort key, so its items have no order`,
      fix: `give ${target} a sort key, or remove the order`,
    };
  }
  if (access.range.kind === 'equals') {
    const message = `the pattern reads only one value of '${sort.name}', so there is nothing to order`;
    return { cause: 'one-value', message, fix: `remove the order, or write ${sort.name}: { beginsWith: '…' }` };
  }
  const returned = access.entities.flatMap((name) => sortedOf(table, name, access));
  if (orderBy !== undefined) return notBy(table, access, orderBy, returned);
  // A query for several entities may request descending order merely to get the last item, such as a parent, first.
  return returned.length === 1 ? random(returned[0] as Sorted) : undefined;
}

/** The order in which a query returns the items of an entity. */
export interface Sorted {
  readonly entity: EntityBlueprint;
  readonly attribute: string;
  readonly template: Template;
  /** The first part that differs between the requested items. */
  readonly by?: Part;
  /** The text before the part `by`. */
  readonly lead: string;
}

export function sortedOf(table: TableUnderCheck, name: string, access: PatternAccess): readonly Sorted[] {
  const entity = entityNamed(table, name);
  const { key, sort, range } = access;
  const [attribute, ...more] = sort === undefined ? [] : key.sortBy.slice(key.sortBy.indexOf(sort));
  const template = entity?.keys.get(attribute?.name ?? '')?.template;
  if (entity === undefined || attribute === undefined || template === undefined) return [];
  // Parts that the partition key also contains have the same value in all items of the partition.
  const shared = new Set(
    heldAttributes(access).flatMap((held) =>
      partsOfKey(entity, held.name)
        .filter(sortsWhole)
        .map((part) => part.name),
    ),
  );
  const fixed = separatorsFixed(range, table.separator, template);
  let before = '';
  let last: Sorted = { entity, attribute: attribute.name, template, lead: '' };
  for (const [i, { name: at }] of [attribute, ...more].entries()) {
    const current = entity.keys.get(at)?.template;
    if (current === undefined) return [];
    const by = placesOf(current).find(
      ({ part, lead }) => !shared.has(part.name) && (i > 0 || count(lead, table.separator) >= fixed),
    );
    if (by !== undefined)
      return [{ entity, attribute: at, template: current, by: by.part, lead: `${before}${by.lead}` }];
    // If this attribute is the same for all items, the next attribute determines the order.
    before += `${textWith(current, () => '<>')}\n`;
    last = { entity, attribute: at, template: current, lead: before };
  }
  return [last];
}

/** Turns a finding about the order of a part into an error if a pattern orders by that part. */
export function inAskedOrder<F extends { readonly message: string }>(
  table: TableUnderCheck,
  { entity, attribute }: KeySource,
  part: Part,
  found: F,
): F & { readonly severity?: Severity } {
  const asking = table.accesses.find(
    (access) =>
      access.design.op === 'query' &&
      access.design.orderBy === part.name &&
      access.entities.includes(entity) &&
      sortedOf(table, entity, access).some((sorted) => sorted.attribute === attribute && sorted.by?.name === part.name),
  );
  if (asking === undefined) return found;
  return {
    ...found,
    severity: 'error',
    message: `${found.message}, but the pattern ${asking.pattern} orders by '${part.name}'`,
  };
}

/**
 * Whether a part sorts keys by its complete values, unlike a piece of a time, a shard, or a part converted to one case.
 */
function sortsWhole({ format }: Part): boolean {
  if (isPieceOfTime(format) || isBucket(format) || format === 'lower' || format === 'upper') return false;
  return shardsOf({ format }) === undefined;
}

/**
 * Counts the leading sort key parts that a range fixes: parts followed by a separator, and a complete part at the end
 * of a prefix.
 */
function separatorsFixed(range: SortRange, separator: string, kept: Template): number {
  if (range.kind === 'beginsWith') return count(range.at.text, separator) + (endsWhole(range.at, kept) ? 1 : 0);
  if (range.kind !== 'between') return 0;
  return count(commonBeginning(range.from.text, range.to.text), separator);
}

/**
 * Whether a prefix ends with a complete part of the key. A parameter that is not named after this part may be only the
 * start of a value.
 */
function endsWhole(at: Template, kept: Template): boolean {
  const last = lastPart(at);
  if (last === undefined || !at.text.endsWith('>')) return false;
  const there = counterpartOf(at, last, kept);
  return there === undefined || isSameName(there.name, last.name);
}

function count(text: string, separator: string): number {
  let found = 0;
  for (let at = text.indexOf(separator); at !== -1 && separator !== ''; at = text.indexOf(separator, at + 1)) found++;
  return found;
}

function notBy(
  table: TableUnderCheck,
  { index }: PatternAccess,
  orderBy: string,
  returned: readonly Sorted[],
): Unserved | undefined {
  // A single item that a query reads along with a list, such as the parent of the listed items, has no place in the
  // order.
  const ordered = returned.filter(
    ({ entity, by }) =>
      returned.length === 1 ||
      (by !== undefined && attributeAt(entity.design.attributes, orderBy.split('.')) !== undefined),
  );
  const other = ordered.find(({ by }) => by?.name !== orderBy);
  if (other !== undefined) {
    const { entity, attribute, template, by } = other;
    const found = {
      entities: [entity.name],
      part: by?.name,
      cause: by === undefined ? 'by-nothing' : 'by-another',
      message: `the sort key of ${entity.name} ('${template.text}') ${by === undefined ? 'is the same for all items' : `sorts by <${by.name}>`}, so the query does not return items ordered by '${orderBy}'`,
    } as const;
    if (entity.keys.get(attribute)?.natural) {
      const { name: partition } = table.key.partition;
      const own = `by${orderBy.slice(0, 1).toUpperCase()}${orderBy.slice(1)}`;
      const fix =
        index === undefined
          ? `add indexes: { ${own}: { partition: '${partition}', sort: '${orderBy}' } }, and query index: '${own}'`
          : `make '${orderBy}' the sort key of ${index}: sort: '${orderBy}'`;
      return { ...found, fix: `${fix}, or choose a different order` };
    }
    const facts = attributeAt(entity.design.attributes, [orderBy]);
    const shown = facts?.kind === 'number' ? `<${orderBy}:${widthFor(facts)}>` : `<${orderBy}>`;
    const proposed =
      by === undefined
        ? `${template.text}${table.separator}${shown}`
        : textWith(template, (part) => (part === by ? `${shown}${table.separator}` : '') + shownPart(part));
    const isOwn =
      facts !== undefined &&
      (facts.kind === 'string' || isPaddable(facts)) &&
      !partsOf(template).some(({ name }) => name === orderBy);
    const fix = `write ${attribute}: '${proposed}' in ${entity.name}, or choose a different order`;
    return {
      ...found,
      fix,
      ...(isOwn && keyEdits(table, entity.keys.get(attribute) as KeySource, template.text, proposed)),
    };
  }
  const [one, ...more] = ordered;
  const apart = more.find(({ lead }) => lead !== one?.lead);
  if (one === undefined || apart === undefined) return undefined;
  return {
    entities: [one.entity.name, apart.entity.name],
    cause: 'one-after-another',
    message: `${one.entity.name} ('${one.template.text}') and ${apart.entity.name} ('${apart.template.text}') are each sorted by '${orderBy}', but the query returns all items of one entity before those of the other`,
    fix: `begin '${one.attribute}' with the same text in both entities, or sort the results in your own code`,
  };
}

/** The formats of random ids. */
const RANDOM: ReadonlySet<string> = new Set(['uuid', 'guid', 'nanoid', 'cuid2']);

function random({ entity, attribute, template, by }: Sorted): Unserved | undefined {
  if (by === undefined || by.format !== undefined) return undefined;
  const { format = '', version = '' } = attributeAt(entity.design.attributes, by.path) ?? {};
  // UUIDs of versions 6 and 7 increase over time.
  if (!RANDOM.has(format) || ['v6', 'v7'].includes(version)) return undefined;
  return {
    entities: [entity.name],
    part: by.name,
    severity: 'warning',
    cause: 'random-id',
    message: `${entity.name} is sorted by <${by.name}> ('${template.text}'), but ${withArticle(format)} is random, so the query returns items in random order`,
    fix: `use an id that increases over time (${by.path.at(-1)}: z.uuidv7()), or put a time before <${by.name}> in '${attribute}'`,
  };
}

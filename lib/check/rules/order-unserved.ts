import type { SortRange } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import type { QueryPattern } from '../../design/pattern';
import type { Hole, Template } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { PatternAccess, TableUnderCheck } from '../subject';

export const orderUnserved: Rule = {
  id: 'order-unserved',
  severity: 'error',
  why: 'A query returns items in the order of the sort key, and in no other.',
  *check(table) {
    for (const access of table.accesses.filter(isOrdered)) {
      const { orderBy } = access.design as QueryPattern;
      const fault = unserved(table, access, orderBy);
      if (fault !== undefined)
        yield { path: `${access.path}.${orderBy === undefined ? 'order' : 'orderBy'}`, ...fault };
    }
  },
};

function isOrdered({ design }: PatternAccess): boolean {
  return design.op === 'query' && (design.order !== undefined || design.orderBy !== undefined);
}

type Fault = Pick<Found, 'message' | 'fix'>;

function unserved(table: TableUnderCheck, access: PatternAccess, orderBy: string | undefined): Fault | undefined {
  const { sort } = access.key;
  const target = access.index === undefined ? 'the table' : `index ${access.index}`;
  if (sort === undefined) {
    return {
      message: `${target} has no sort key, and so no order`,
      fix: `give ${target} a sort key, or drop the order`,
    };
  }
  if (access.range.kind === 'equals') {
    const message = `the pattern asks for one ${sort.name}, so that there is nothing to order`;
    return { message, fix: `drop the order, or ask for { beginsWith: '…' }` };
  }
  const returned = access.entities.flatMap((name) => sortedOf(table, name, sort.name, access.range));
  if (orderBy !== undefined) return notBy(orderBy, returned);
  return returned.map(random).find((fault) => fault !== undefined);
}

/** How the items of an entity are sorted. */
export interface Sorted {
  readonly entity: EntityBlueprint;
  readonly attribute: string;
  readonly template: Template;
  /** The first part that differs between the items that are asked for. */
  readonly by?: Hole;
  /** What comes before it. */
  readonly lead: string;
}

export function sortedOf(
  { plan }: TableUnderCheck,
  name: string,
  attribute: string,
  range: SortRange,
): readonly Sorted[] {
  const entity = entityNamed(plan, name);
  const template = entity?.keys.get(attribute)?.template;
  if (entity === undefined || template === undefined) return [];
  const fixed = separatorsFixed(range, plan.separator);
  let lead = '';
  for (const part of template.parts) {
    if (typeof part === 'object' && count(lead, plan.separator) >= fixed) {
      return [{ entity, attribute, template, by: part, lead }];
    }
    lead += typeof part === 'string' ? part : '<>';
  }
  return [{ entity, attribute, template, lead }];
}

/** How many parts of the sort key a range fixes: a part ends with the separator, or is asked for as a whole. */
function separatorsFixed(range: SortRange, separator: string): number {
  if (range.kind === 'beginsWith') return count(range.at.text, separator) + (range.at.text.endsWith('>') ? 1 : 0);
  if (range.kind !== 'between') return 0;
  const [from, to] = [range.from.text, range.to.text];
  let length = 0;
  while (length < from.length && from[length] === to[length]) length++;
  return count(from.slice(0, length), separator);
}

function count(text: string, separator: string): number {
  let found = 0;
  for (let at = text.indexOf(separator); at !== -1 && separator !== ''; at = text.indexOf(separator, at + 1)) found++;
  return found;
}

function notBy(orderBy: string, returned: readonly Sorted[]): Fault | undefined {
  // What comes with the items to be ordered, such as the one that heads them, has no place in their order.
  const ordered = returned.filter(
    ({ entity, by }) =>
      returned.length === 1 ||
      (by !== undefined && attributeAt(entity.design.attributes, orderBy.split('.')) !== undefined),
  );
  const other = ordered.find(({ by }) => by?.name !== orderBy);
  if (other !== undefined) {
    const { entity, attribute, template, by } = other;
    return {
      message: `${entity.name} is sorted by ${by === undefined ? 'nothing' : `<${by.name}>`} ('${template.text}'), not by ${orderBy}`,
      fix: `put <${orderBy}> first in ${attribute} of ${entity.name}, or ask for another order`,
    };
  }
  const [one, ...more] = ordered;
  const apart = more.find(({ lead }) => lead !== one?.lead);
  if (one === undefined || apart === undefined) return undefined;
  return {
    message: `${one.entity.name} ('${one.template.text}') and ${apart.entity.name} ('${apart.template.text}') are each sorted by ${orderBy}, one kind after the other`,
    fix: `begin ${one.attribute} of both with the same text, or order what comes back`,
  };
}

/** Identifiers that are drawn at random. */
const RANDOM: ReadonlySet<string> = new Set(['uuid', 'guid', 'nanoid', 'cuid2']);

function random({ entity, attribute, template, by }: Sorted): Fault | undefined {
  if (by === undefined || by.format !== undefined) return undefined;
  const { format = '', version = '' } = attributeAt(entity.design.attributes, by.path) ?? {};
  // UUIDs of versions 6 and 7 grow with time.
  if (!RANDOM.has(format) || ['v6', 'v7'].includes(version)) return undefined;
  return {
    message: `${entity.name} is sorted by <${by.name}> ('${template.text}'), and a ${format} has no order of its own`,
    fix: `put <createdAt> first in ${attribute} of ${entity.name}, or an id that grows with time: z.uuidv7(), z.ulid()`,
  };
}

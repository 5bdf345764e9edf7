import { partitionText, type SortRange } from '../../blueprint/accesses';
import { type EntityBlueprint, entitiesNamed } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import { headOf, template } from '../../design/template';
import type { TableRule } from '../finding';
import { canFit } from '../fit';
import { strangersIn } from '../occupants';
import { atWhere } from '../places';
import { shortList } from '../short-list';
import { describeRange, type PatternAccess, type TableUnderCheck } from '../subject';

const causes = {
  'whole-partition': 'the pattern reads a whole partition, which holds other entities too',
  'same-range': 'other entities have keys in the range the pattern reads',
} as const;

type Cause = keyof typeof causes;

export const patternPollution: TableRule<'pattern-pollution', Cause> = {
  id: 'pattern-pollution',
  severity: 'error',
  why: 'Items of other kinds come back among those you asked for, and you pay for them.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      if (access.action !== 'query' || access.partition === undefined) continue;
      const foreign = strangersIn(table, access).filter(({ type }) => !isFilteredOut(table, access, type));
      if (foreign.length === 0) continue;
      const entities = foreign.map(({ name }) => name);
      const proposed = narrow(table, access);
      yield {
        ...atWhere(access, undefined, { entities, proposed }),
        cause: access.range.kind === 'all' ? 'whole-partition' : 'same-range',
        message: message(access, foreign),
        fix: fix(access, foreign, proposed),
      };
    }
  },
};

/** Whether a filter of the pattern drops items of this type. */
function isFilteredOut(
  { design: { typeAttribute } }: TableUnderCheck,
  { design }: PatternAccess,
  type: string,
): boolean {
  const filter = (design.op === 'query' && design.filter) || {};
  const test = typeAttribute !== undefined && Object.hasOwn(filter, typeAttribute) ? filter[typeAttribute] : undefined;
  if (typeof test === 'object' && test !== null && 'not' in test) return test.not === type;
  const listed = typeof test === 'object' && test !== null && 'in' in test ? test.in : [test];
  return listed.every((value) => typeof value === 'string' && !value.includes('<') && value !== type);
}

function named(foreign: readonly EntityBlueprint[]): string {
  return shortList(
    foreign.map(({ name }) => name),
    12,
  );
}

function message({ partition, range, index }: PatternAccess, foreign: readonly EntityBlueprint[]): string {
  const names = named(foreign);
  const asked = partitionText(partition ?? []);
  const where = range.kind === 'all' ? `partition '${asked}'` : `'${asked}', ${describeRange(range)}`;
  return `${where}${index === undefined ? '' : ` of ${index}`} also holds ${names}, which the pattern does not return`;
}

function fix(access: PatternAccess, foreign: readonly EntityBlueprint[], narrower: string | undefined): string {
  const names = named(foreign);
  const sort = access.sort?.name;
  if (narrower !== undefined) return `narrow it with ${sort}: ${narrower}, or return ${names} too`;
  const apart = sort ?? access.key.partitionBy[0].name;
  // Only a template can have a prefix: a natural key keeps its value, but may get another name.
  const natural = foreign.some(({ keys }) => keys.get(apart)?.natural === true);
  if (access.index !== undefined && natural) {
    return `return ${names} too, or keep them out of ${access.index}: rename their ${apart}, or give ${apart} a template in all entities`;
  }
  return `return ${names} too, or keep them apart by ${natural ? 'a template for' : 'another prefix of'} ${apart}`;
}

/** A narrower condition on the sort key that finds exactly the returned entities, if literal texts can make one. */
function narrow(table: TableUnderCheck, access: PatternAccess): string | undefined {
  const sort = access.sort?.name;
  if (sort === undefined) return undefined;
  const wanted = entitiesNamed(table.plan, access.entities);
  const kept = wanted.map(({ keys }) => keys.get(sort)?.template).filter((key) => key !== undefined);
  const leads = [...new Set(kept.map(headOf))].sort();
  const [first = '', last = ''] = [leads[0], leads.at(-1)];
  if (first === '') return undefined;
  const end = (lead: string) =>
    kept.some((template) => template.text === lead && !hasParts(template)) ? lead : `${lead}~`;
  const conditions = leads.length > 1 ? [between(first, end(last))] : sameKind(access.range, first);
  return conditions.find(({ range }) => {
    const narrower = { ...access, range };
    return wanted.every((entity) => canFit(table, narrower, entity)) && strangersIn(table, narrower).length === 0;
  })?.text;
}

interface Condition {
  readonly text: string;
  readonly range: SortRange;
}

/** Keeps a bound that the pattern has, and closes only the open end. */
function sameKind(range: SortRange, lead: string): readonly Condition[] {
  if (range.kind === 'atLeast') return [between(range.at.text, `${lead}~`)];
  if (range.kind === 'atMost') return [between(lead, range.at.text)];
  return [{ text: `{ beginsWith: '${lead}' }`, range: { kind: 'beginsWith', at: template(lead) } }];
}

function between(from: string, to: string): Condition {
  return {
    text: `{ between: ['${from}', '${to}'] }`,
    range: { kind: 'between', from: template(from), to: template(to) },
  };
}

import { partitionText, type SortRange } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { decisiveTests } from '../../blueprint/conditions';
import { type EntityBlueprint, entitiesNamed } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import type { Test } from '../../design/pattern';
import { shortList } from '../../design/show';
import { headOf, stepsOf, template } from '../../design/template';
import type { TableRule } from '../findings/finding';
import { atWhere } from '../findings/place';
import { canFit } from '../reach/entities-reached';
import { strangersIn } from '../reach/strangers';
import { boundsOf, describeRange, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  'whole-partition': 'a pattern reads a whole partition, which also contains other entities',
  'same-range': 'other entities have keys in the range that a pattern reads',
} as const;

type Cause = keyof typeof causes;

export const patternPollution: TableRule<'pattern-pollution', Cause> = {
  id: 'pattern-pollution',
  severity: 'error',
  why: 'If a query also reaches items of other entities, it returns these items, too, and you pay for reading them.',
  causes,
  *check(table) {
    const polluted = new Map<string, Polluted[]>();
    for (const access of table.accesses) {
      if (access.action !== 'query' || access.partition === undefined) continue;
      const foreign = strangersIn(table, access).filter((entity) => !isFilteredOut(table, access, entity));
      if (foreign.length === 0) continue;
      const proposed = narrow(table, access);
      // Patterns that read the same foreign entities share one finding.
      const names = foreign.map(({ name }) => name);
      const cause = proposed === undefined ? names : [...names, boundsOf(access).map(([, { text }]) => text)];
      const same = JSON.stringify([access.index, cause]);
      polluted.set(same, [...(polluted.get(same) ?? []), { access, foreign, proposed }]);
    }
    for (const [first, ...more] of polluted.values()) {
      const { access, foreign, proposed } = first as Polluted;
      const others = [...new Set(more.map((one) => one.access.pattern))].filter((name) => name !== access.pattern);
      const entities = foreign.map(({ name }) => name);
      const also =
        others.length === 0
          ? ''
          : `; the ${others.length === 1 ? 'pattern' : 'patterns'} ${shortList(others, 5)} also ${others.length === 1 ? 'reads' : 'read'} these entities`;
      const edit = proposed && access.sort && { path: atWhere(access, access.sort.name).path, code: proposed };
      yield {
        ...atWhere(access, undefined, { entities, proposed }),
        cause: access.range.kind === 'all' ? 'whole-partition' : 'same-range',
        message: `${message(access, foreign)}${also}`,
        fix: fix(access, foreign, proposed),
        ...(edit && others.length === 0 ? { edits: [edit] } : {}),
      };
    }
  },
};

interface Polluted {
  readonly access: PatternAccess;
  readonly foreign: readonly EntityBlueprint[];
  readonly proposed: string | undefined;
}

/**
 * Whether a pattern's filter drops all items of an entity, because of their type, or because they lack an attribute or
 * a value.
 */
function isFilteredOut(
  { design: { typeAttribute } }: TableUnderCheck,
  { design }: PatternAccess,
  { type, design: { attributes }, keys }: EntityBlueprint,
): boolean {
  return decisiveTests((design.op === 'query' && design.filter) || {}).some(([path, test]) => {
    const isType = path === typeAttribute;
    const facts = isType ? undefined : attributeAt(attributes, stepsOf(path));
    const values = isType ? [type] : facts?.values;
    const constants = constantsOf(test);
    if (typeof test === 'object' && test !== null && 'not' in test) return values?.every((value) => value === test.not);
    if (values !== undefined && constants !== undefined) return !constants.some((value) => values.includes(value));
    return facts === undefined && !isType && !keys.has(path) && needsValue(test);
  });
}

/** The values that a test accepts, if the test lists all of them as constants. */
function constantsOf(test: Test): readonly (string | number)[] | undefined {
  const listed = typeof test === 'object' && test !== null && 'in' in test ? test.in : [test];
  const isFixed = (value: unknown): value is string | number =>
    typeof value === 'number' || (typeof value === 'string' && !value.includes('<'));
  return Array.isArray(listed) && listed.every(isFixed) ? listed : undefined;
}

/**
 * Whether a test fails for an item without the attribute. Returns false for a test with an optional parameter, because
 * the test might be skipped.
 */
function needsValue(test: Test): boolean {
  if (test === null || JSON.stringify(test).includes('?>')) return false;
  return typeof test !== 'object' || !('not' in test || ('exists' in test && test.exists === false));
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
  const partitionName = `partition '${asked}'${index === undefined ? '' : ` of ${index}`}`;
  const where = range.kind === 'all' ? partitionName : `the range ${describeRange(range)} in ${partitionName}`;
  return `${where} also contains ${names}, which the pattern does not return`;
}

function fix(access: PatternAccess, foreign: readonly EntityBlueprint[], narrower: string | undefined): string {
  const names = named(foreign);
  const sort = access.sort?.name;
  if (narrower !== undefined) return `narrow the query with ${sort}: ${narrower}, or add ${names} to 'returns'`;
  const apart = sort ?? access.key.partitionBy[0].name;
  const guard = foreign.find(({ guards }) => guards !== undefined);
  if (guard?.keys.get(apart)?.natural)
    return `find the item by its unique value (op: 'find', unique: '${guard.guards?.unique}'), or give the index a separate key attribute with a template`;
  if (guard !== undefined) return `give '${apart}' a distinct prefix in the keys of the unique value`;
  // Only a template can have a prefix. A natural key keeps its value, but can be renamed.
  const natural = foreign.some(({ keys }) => keys.get(apart)?.natural === true);
  if (access.index !== undefined && natural) {
    return `add ${names} to 'returns', or keep these entities out of ${access.index}: rename their '${apart}', or give '${apart}' a template in all entities`;
  }
  return `add ${names} to 'returns', or distinguish these entities by ${natural ? 'a template for' : 'a different prefix in'} '${apart}'`;
}

/**
 * Returns a narrower sort key condition that finds only the returned entities, if the literal text in the keys allows
 * one.
 */
function narrow(table: TableUnderCheck, access: PatternAccess): string | undefined {
  const sort = access.sort?.name;
  if (sort === undefined) return undefined;
  const wanted = entitiesNamed(table, access.entities);
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

/** Keeps the pattern's bound, and closes only the open end of the range. */
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

import { type EntityBlueprint, entityNamed, type KeySource } from '../../blueprint/table';
import { languageOf, text } from '../../matching/language';
import { canBeWithin } from '../../matching/relation';
import type { Rule } from '../finding';
import { headOf } from '../heads';
import { strangersIn } from '../occupants';
import { describeRange, entityLanguage, type PatternAccess, type TableUnderCheck } from '../subject';

export const patternPollution: Rule = {
  id: 'pattern-pollution',
  severity: 'error',
  why: 'Items of another kind come back among those that were asked for, and are paid for.',
  *check(table) {
    for (const access of table.accesses) {
      if (access.action !== 'query' || access.partition === undefined) continue;
      const foreign = strangersIn(table, access).filter(({ type }) => !isFilteredOut(table, access, type));
      if (foreign.length > 0)
        yield { path: access.wherePath, message: message(access, foreign), fix: fix(table, access, foreign) };
    }
  },
};

/** Whether the pattern keeps to the types it wants by a filter. */
function isFilteredOut(
  { design: { typeAttribute } }: TableUnderCheck,
  { design }: PatternAccess,
  type: string,
): boolean {
  const filter = (design.op === 'query' && design.filter) || {};
  const test = typeAttribute !== undefined && Object.hasOwn(filter, typeAttribute) ? filter[typeAttribute] : undefined;
  if (typeof test === 'object' && test !== null && 'not' in test) return test.not === type;
  const listed = typeof test === 'object' && test !== null && 'in' in test ? test.in : [test];
  return listed.every((one) => typeof one === 'string' && !one.includes('<') && one !== type);
}

function message({ partition, range, index }: PatternAccess, foreign: readonly EntityBlueprint[]): string {
  const names = foreign.map(({ name }) => name).join(', ');
  const where =
    range.kind === 'all' ? `partition '${partition?.text}'` : `'${partition?.text}', ${describeRange(range)}`;
  return `${where}${index === undefined ? '' : ` of ${index}`} also holds ${names}, which the pattern does not return`;
}

function fix(table: TableUnderCheck, access: PatternAccess, foreign: readonly EntityBlueprint[]): string {
  const names = foreign.map(({ name }) => name).join(', ');
  const sort = access.key.sort?.name;
  const prefix = access.range.kind === 'all' && sort !== undefined ? prefixApart(table, access, sort, foreign) : '';
  if (prefix !== '') return `narrow it with ${sort}: { beginsWith: '${prefix}' }, or return ${names} too`;
  return `return ${names} too, or keep them apart by another prefix of ${sort ?? access.key.partition.name}`;
}

/** What all wanted keys begin with and the foreign ones never do, if there is such text. */
function prefixApart(
  table: TableUnderCheck,
  access: PatternAccess,
  sort: string,
  foreign: readonly EntityBlueprint[],
): string {
  const sourceOf = ({ keys }: EntityBlueprint) => keys.get(sort);
  const wanted = access.entities.map((name) => entityNamed(table.plan, name)).filter((entity) => entity !== undefined);
  const heads = new Set(wanted.map(sourceOf).map((source) => (source === undefined ? '' : headOf(source.template))));
  const [prefix = ''] = heads.size === 1 ? heads : [];
  const at = languageOf([text(prefix)]);
  const isApart = (entity: EntityBlueprint) =>
    !canBeWithin(entityLanguage(table, entity, sourceOf(entity) as KeySource), { kind: 'beginsWith', at });
  return foreign.every(isApart) ? prefix : '';
}

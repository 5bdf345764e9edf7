import { hasKeys, type SortRange } from '../../blueprint/accesses';
import {
  type EntityBlueprint,
  entityNamed,
  isMultiAttribute,
  type KeyBlueprint,
  knownParts,
  membershipIn,
} from '../../blueprint/table';
import { hasParts, leadAskedFor, partsOf, shownPart } from '../../blueprint/template-parts';
import { isSameName } from '../../blueprint/words';
import { shortList } from '../../design/show';
import { headOf, type Part, type Template, template } from '../../design/template';
import type { Edit } from '../findings/finding';
import { type About, atWhere } from '../findings/place';
import { incompleteIndexKey } from '../keys/incomplete-index-key';
import { hasRoom } from '../keys/padding';
import { boundsOf, describeRange, oncePerTable, type PatternAccess, type TableUnderCheck } from '../table-under-check';
import { type Fit, fitOf } from './entities-reached';
import { strangersIn } from './strangers';

/** An entity that a pattern refers to but cannot reach, and the reason. */
export interface MissedEntity {
  readonly entity: EntityBlueprint;
  readonly fit: Exclude<Fit, { kind: 'fits' }>;
}

export interface Missed {
  readonly access: PatternAccess;
  readonly missed: readonly MissedEntity[];
  readonly fitting: number;
}

/** Finds, for each access, the entities that the access refers to but cannot reach. */
export const missedEntities = oncePerTable((table): readonly Missed[] => [...findMissed(table)]);

/** Each key of a batchGet needs to fit only one of the pattern's entities. */
function* findMissed(table: TableUnderCheck): Iterable<Missed> {
  const batches = new Map<string, PatternAccess[]>();
  for (const access of table.accesses) {
    if ((access.partition === undefined && access.action !== 'scan') || access.step.op === 'put') continue;
    if (!hasKeys(access.step)) yield judge(table, access);
    else batches.set(access.pattern, [...(batches.get(access.pattern) ?? []), access]);
  }
  for (const accesses of batches.values()) {
    const judged = accesses.map((access) => judge(table, access));
    yield* judged.filter(({ fitting }) => fitting === 0);
    const [first] = judged as [Missed];
    const lost = first.missed.filter(({ entity }) =>
      judged.every(({ missed }) => missed.some((one) => one.entity === entity)),
    );
    // If one key fits no entity, the finding about this key suffices: the key was probably meant for the entities that
    // every key misses.
    if (judged.every(({ fitting }) => fitting > 0) && lost.length > 0) yield { ...first, missed: lost };
  }
}

function judge(table: TableUnderCheck, access: PatternAccess): Missed {
  const missed: MissedEntity[] = [];
  let fitting = 0;
  for (const name of access.entities) {
    const entity = entityNamed(table, name);
    if (entity === undefined) continue;
    const fit = fitOf(table, access, entity);
    if (fit.kind === 'fits' || isReportedElsewhere(table, access, entity, fit)) fitting++;
    else missed.push({ entity, fit });
  }
  return { access, missed, fitting };
}

/**
 * Whether a separate finding already reports the missing or unreadable key, so that the findings about patterns need
 * not repeat it.
 */
function isReportedElsewhere(
  table: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  fit: MissedEntity['fit'],
) {
  const { index, key } = access;
  if (fit.kind === 'never') {
    const { source } = fit;
    const asked = rangeOf(access, fit.attribute);
    // If a request uses exactly the template of the entity's key but cannot reach the entity, no values can form that
    // key, so the fault is in the key itself.
    if (asked.kind === 'equals' && asked.at.text === source.template.text) return true;
    return source.template.faults.length > 0 || knownParts(source).some(({ part, facts }) => !hasRoom(part, facts));
  }
  if (index === undefined || incompleteIndexKey(entity, key, table) !== undefined) return true;
  return !table.sources.some(({ attribute }) => attribute === fit.attribute);
}

/** Why a pattern does not reach an entity. */
export const causes = {
  'not-in-index': 'a returned entity is not in the index that the pattern reads',
  'other-partition': 'a returned entity can never have the partition key in the pattern',
  'other-sort': 'a returned entity can never have the sort key in the pattern',
  'empty-range': 'a range ends before it begins',
} as const;

export type Cause = keyof typeof causes;

/** Returns the range that an access requests for a key attribute. */
function rangeOf({ partition, range }: PatternAccess, attribute: string): SortRange {
  const held = partition?.find((candidate) => candidate.attribute.name === attribute);
  return held === undefined ? range : { kind: 'equals', at: held.at };
}

export function causeOf(access: PatternAccess, { fit }: MissedEntity): Cause {
  if (fit.kind === 'absent') return 'not-in-index';
  if (fit.role === 'partition') return 'other-partition';
  const range = rangeOf(access, fit.attribute);
  return range.kind === 'between' && isReversed(range) ? 'empty-range' : 'other-sort';
}

/** Explains why a pattern does not reach the given entities. Entities with the same reason share one clause. */
export function reasons(access: PatternAccess, missed: readonly MissedEntity[]): string {
  const together = new Map<string, string[]>();
  for (const one of missed) {
    const why = reason(access, one, '\0');
    together.set(why, [...(together.get(why) ?? []), one.entity.name]);
  }
  return Array.from(together, ([why, names]) => why.replaceAll('\0', shortList(names, 5))).join('; ');
}

export function reason(access: PatternAccess, { entity, fit }: MissedEntity, name = entity.name): string {
  const { index } = access;
  if (fit.kind === 'absent') {
    return `${name} is not in ${index === undefined ? 'the table' : `index ${index}`}, because it has no '${fit.attribute}'`;
  }
  const range = rangeOf(access, fit.attribute);
  const key = fit.source.natural ? `the attribute '${fit.attribute}'` : `'${fit.source.template.text}'`;
  if (fit.role === 'sort' && range.kind === 'between' && isReversed(range)) {
    return `'${range.from.text}' sorts after '${range.to.text}', so the range between them is empty`;
  }
  return `the ${fit.role} key of ${name} is ${key}, never ${describeRange(range)}${membershipInWords(entity, index)}, so the request finds no ${name}`;
}

/** Describes which values put an item into an index, because these values may explain why a key never fits. */
function membershipInWords(entity: EntityBlueprint, index: string | undefined): string {
  const membership = membershipIn(entity, { name: index });
  const tests = membership.map(
    ({ name, values }) => `'${name}' is ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
  );
  return tests.length === 0 ? '' : ` (an item is in ${index} only while ${tests.join(' and ')})`;
}

/** How to reach an entity: in words, and as the index to query or the value to write. */
export interface Remedy extends Pick<About, 'proposed' | 'proposedIndex'> {
  readonly fix: string;
}

export function remedy(table: TableUnderCheck, access: PatternAccess, { entity, fit }: MissedEntity): Remedy {
  const elsewhere = otherKeys(table, access)
    // A key without literal text fits every request, even a misspelled one, so it does not show that a different index
    // was meant.
    .filter(({ key }) => sameHead(access.partition?.[0].at, entity.keys.get(key.partitionBy[0].name)?.template))
    .find(({ name, key }) => fitOf(table, redirected(access, name, key), entity).kind === 'fits');
  if (elsewhere !== undefined) {
    const { name } = elsewhere;
    return name === undefined
      ? { fix: 'query the table itself', proposedIndex: null }
      : { fix: `query index ${name}`, proposedIndex: name };
  }
  if (fit.kind === 'absent') return { fix: `give ${entity.name} the key ${fit.attribute}` };
  if (access.action === 'query' && access.range.kind === 'equals' && isAtRange(access, fit)) {
    const asked = access.range.at;
    const { template: kept } = fit.source;
    const lead = leadOf(table, asked, kept);
    const at = lead === leadAskedFor(kept, asked) ? asked : template(lead);
    const beginning: PatternAccess = { ...access, range: { kind: 'beginsWith', at } };
    const proposed = `{ beginsWith: '${at.text}' }`;
    if (at.text !== '' && fitOf(table, beginning, entity).kind === 'fits')
      return { fix: `write ${fit.attribute}: ${proposed}`, proposed };
  }
  const correction = isAtRange(access, fit) ? corrected(table, access, entity, fit.source.template) : undefined;
  const proposed = correction ?? `'${fit.source.template.text}'`;
  return { fix: `write ${fit.attribute}: ${proposed}, or change the key of ${entity.name}`, proposed };
}

/**
 * Returns the entities that a read finds, if it finds none of the entities that it returns. Literal text in the key has
 * to show that these entities were meant, and more than a few entities show nothing.
 */
export function foundInstead(table: TableUnderCheck, access: PatternAccess, { fit }: MissedEntity): readonly string[] {
  const [first] = access.partition ?? [];
  if (first === undefined || 'entity' in access.step) return [];
  const attribute = fit.kind === 'never' ? fit.attribute : first.attribute.name;
  const isLiteral = (text: Template | undefined) => text !== undefined && headOf(text) !== '';
  if (!boundsOf(access).some(([name, bound]) => name === attribute && isLiteral(bound))) return [];
  // The missed entities say nothing about the parameters of a request that finds other entities.
  const others = strangersIn(table, { ...access, entities: [] })
    .filter(({ name, keys, guards }) => {
      return guards === undefined && !access.entities.includes(name) && isLiteral(keys.get(attribute)?.template);
    })
    .map(({ name }) => name);
  return others.length > 3 ? [] : others;
}

/**
 * Returns the remedy as edits, if the remedy changes a single key attribute of the request, and keeps the request's
 * parameters. Any other remedy needs a decision.
 */
export function editsOf(
  access: PatternAccess,
  attribute: string | undefined,
  { proposed, proposedIndex }: Omit<Remedy, 'fix'>,
): { readonly edits?: readonly Edit[] } {
  // A step may take its key from a different step, so the template of the entity's key may be wrong here.
  if (
    access.design.op === 'transaction' ||
    attribute === undefined ||
    proposed === undefined ||
    proposedIndex !== undefined ||
    !keepsMeaning(access, attribute, proposed)
  )
    return {};
  return { edits: [{ path: atWhere(access, attribute).path, code: proposed }] };
}

/** Whether a proposed condition has the same parameters as a request's condition, and does not replace a range. */
function keepsMeaning(access: PatternAccess, attribute: string, proposed: string): boolean {
  const range = rangeOf(access, attribute);
  if (range.kind === 'between' && !isReversed(range)) return false;
  const asked = boundsOf(access).flatMap(([name, bound]) => (name === attribute ? partsOf(bound) : []));
  const shown = (parts: readonly Part[]) => parts.map((part) => shownPart(part)).join();
  return shown(asked) === shown(partsOf(template(proposed)));
}

/** Returns the keys of the table and of its indexes that a query could use instead. */
function otherKeys(table: TableUnderCheck, access: PatternAccess) {
  // The remedy cannot split or join the conditions of a multi-attribute key.
  if (access.action !== 'query' || isMultiAttribute(access.key)) return [];
  const keys = [{ name: undefined, key: table.key }, ...table.indexes.map((key) => ({ name: key.name, key }))];
  return keys.filter(({ name, key }) => name !== access.index && !isMultiAttribute(key));
}

/** Whether the range applies to the attribute that never fits. */
function isAtRange({ sort }: PatternAccess, { attribute }: { readonly attribute: string }): boolean {
  return attribute === sort?.name;
}

type Between = Extract<SortRange, { readonly kind: 'between' }>;

/** Whether literal text alone shows that a range ends before it begins. */
function isReversed(range: Between): boolean {
  const [from, to] = [headOf(range.from), headOf(range.to)];
  const isWhole = !hasParts(range.from) && !hasParts(range.to);
  return from > to && (isWhole || !from.startsWith(to));
}

/**
 * Corrects a request's condition. Keeps the condition's operator if possible, and takes the text from the entity's key.
 */
function corrected(table: TableUnderCheck, access: PatternAccess, entity: EntityBlueprint, kept: Template) {
  const { range } = access;
  if (range.kind === 'all' || range.kind === 'equals') return undefined;
  if (range.kind === 'between' && isReversed(range)) return `{ between: ['${range.to.text}', '${range.from.text}'] }`;
  // A key that has only literal text or begins with a part has no prefix to query by.
  if (!hasParts(kept) || headOf(kept) === '') return undefined;
  const [kind, lead] =
    range.kind === 'between' ? ['beginsWith' as const, headOf(kept)] : [range.kind, leadOf(table, range.at, kept)];
  const right: PatternAccess = { ...access, range: { kind, at: template(lead) } };
  return fitOf(table, right, entity).kind === 'fits' ? `{ ${kind}: '${lead}' }` : undefined;
}

/**
 * Returns the beginning of a key, with the parameters of a request. Ends before a parameter that is named after a
 * different attribute than the one in its place, because its values would not match.
 */
function leadOf({ entities }: TableUnderCheck, asked: Template, kept: Template): string {
  const isNamed = ({ path }: Part) =>
    entities.some(({ attributes }) => attributes.some((name) => isSameName(name, path[0] as string)));
  return leadAskedFor(kept, asked, (ours, there) => !isSameName(ours.name, there.name) && isNamed(ours));
}

function sameHead(asked: Template | undefined, kept: Template | undefined): boolean {
  return asked !== undefined && kept !== undefined && headOf(asked) === headOf(kept);
}

/** Moves a request to a different index or to the table, and renames the request's key attributes. */
function redirected(access: PatternAccess, index: string | undefined, key: KeyBlueprint): PatternAccess {
  const { index: _, ...rest } = access;
  const partition = access.partition && ([{ attribute: key.partitionBy[0], at: access.partition[0].at }] as const);
  return { ...rest, ...(index === undefined ? {} : { index }), key, partition, sort: key.sortBy[0] };
}

import { type Access, boundsOfRange } from '../blueprint/accesses';
import { type AttributeFacts, isAnyText } from '../blueprint/attributes/facts';
import { isPlainAndShort, isUntested } from '../blueprint/attributes/plain';
import { isOpen, isPlainObject, type Schema, shapeOf } from '../blueprint/attributes/schema';
import { DYNAMODB, hasAzureKeys } from '../blueprint/clouds';
import {
  type EntityBlueprint,
  entityNamed,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  type TableBlueprint,
} from '../blueprint/table';
import { hasOpenPart, hasParts, partsOf } from '../blueprint/template-parts';
import { type Hole, KEY_BYTES, type Template } from '../design/template';
import { repeatedIn } from './repeated';
import type { PatternAccess, TableUnderCheck } from './subject';
import { meaningOf } from './telling-names';
import { wordBefore } from './things';

/**
 * What a table may have that rules are about. Each rule lists traits (`rules/index.ts`), and finds nothing in a table with
 * none of them, so most rules are neither run nor loaded for most tables. A needless trait costs time; a missing one would
 * cost findings, which `test/lib/check/traits.slow.test.ts` rules out.
 */
export type Trait =
  // The table itself.
  | 'ttl'
  | 'separator'
  | 'type-attribute'
  | 'projection'
  | 'local-index'
  | 'several-entities'
  | 'tenant'
  | 'azure'
  /** A name that a cloud may refuse, too many indexes, or one attribute as both keys. */
  | 'odd-name'
  /** An index that no pattern reads. */
  | 'unread-index'
  /** Two keys of an entity, in the table and in indexes, whose partitions are the same. */
  | 'twin-partitions'
  // Its entities.
  | 'key-only'
  | 'membership'
  /** An attribute that is not just a plain, short value. */
  | 'elaborate-attribute'
  /** An attribute whose schema refuses some values of its type. */
  | 'tested-attribute'
  /** A key attribute that an entity does not have. */
  | 'absent-key'
  /** A template for something that is not a key attribute, or that is an attribute of the entity. */
  | 'stray-key'
  // Its keys, and their parts.
  | 'natural-key'
  | 'optional-key'
  | 'constant-key'
  /** A template that cannot be read, is long, or has a dollar and braces in it, in a key or in a pattern. */
  | 'odd-template'
  /** A part that may not be an attribute, or a name in a pattern that may not exist. */
  | 'unknown-name'
  | 'number-part'
  | 'listed-part'
  /** A part of a form, such as a UUID, or a time whose values do not all sort as text. */
  | 'formed-part'
  /** A time of any form in the primary key. */
  | 'time-in-key'
  /** A part that is anything but a plain string. */
  | 'special-part'
  /** A part with a format, as `<at:date>`. */
  | 'part-format'
  /** A part that does not end at a separator. */
  | 'open-part'
  | 'time-name'
  | 'free-text-name'
  /** An id after the word for something else. */
  | 'strange-id'
  /** A partition of several parts. */
  | 'compound-partition'
  // Its patterns.
  | 'scan'
  | 'update'
  /** A transaction or a batch. */
  | 'several-items'
  /** Fields of a request about attributes outside its key. */
  | 'fields'
  /** `pageSize`, `consistent`, `unexpired`, `unchanged`. */
  | 'options'
  /** An order by a named attribute, or of something that has no order. */
  | 'order'
  /** A key that is not given in full. */
  | 'incomplete-where'
  /** A range with bounds, or a beginning that may end within a value. */
  | 'range'
  /** A pattern with parameters whose template differs from the key's. */
  | 'other-words'
  /** A request that may not reach every entity it returns, as far as literal texts show. */
  | 'unlike-key';

type Add = (trait: Trait) => void;

/** The traits of a table, found in one pass. */
export function traitsOf(table: TableUnderCheck): ReadonlySet<Trait> {
  const traits = new Set<Trait>();
  const add: Add = (trait) => traits.add(trait);
  ofTable(table, add);
  for (const entity of table.plan.entities) ofEntity(table.plan, entity, add);
  for (const source of table.plan.sources) ofKey(table.plan, source, add);
  for (const { design, accesses } of table.plan.patterns) {
    if (design.op === 'transaction' || design.op === 'batchWrite' || design.op === 'batchGet') add('several-items');
    for (const access of accesses) ofNames(table.plan, access, add);
  }
  for (const access of table.accesses) ofAccess(table.plan, access, add);
  return traits;
}

function ofTable({ design, plan, system, cloud, portability, accesses }: TableUnderCheck, add: Add): void {
  const { form } = DYNAMODB.name;
  const { key, indexes } = plan;
  if (design.ttl !== undefined) add('ttl');
  if (design.separator !== undefined) add('separator');
  if (design.typeAttribute !== undefined) add('type-attribute');
  if (plan.entities.length > 1) add('several-entities');
  if (plan.entities.length === 0) add('absent-key');
  if (system?.tenant !== undefined) add('tenant');
  if (hasAzureKeys(design) || cloud === 'azure' || portability === 'azure') add('azure');
  if (!form.test(design.name) || indexes.length > DYNAMODB.indexes || isOddKey(key)) add('odd-name');
  for (const [i, index] of indexes.entries()) {
    if (index.projection !== 'all') add('projection');
    if (index.local) add('local-index');
    if (isOddKey(index) || !form.test(index.name)) add('odd-name');
    if (!accesses.some((access) => access.index === index.name)) add('unread-index');
    for (let other = -1; other < i; other++) {
      if (isTwin(plan, index, indexes[other] ?? key)) add('twin-partitions');
    }
  }
}

function isOddKey(key: KeyBlueprint): boolean {
  const isLong = [key.partitionBy, key.sortBy].some(({ length }) => length > DYNAMODB.keyAttributes);
  return isLong || repeatedIn(key) !== undefined || keyOf(key).some(({ name }) => isOddName(name));
}

/** A UTF-16 unit takes at most three bytes, so this errs on the long side. */
function isOddName(name: string): boolean {
  return name === '' || name.length * 3 > DYNAMODB.attributeNameBytes;
}

function isTwin({ entities }: TableBlueprint, index: KeyBlueprint, other: KeyBlueprint): boolean {
  const text = ({ keys }: EntityBlueprint, { partitionBy: [first] }: KeyBlueprint) =>
    keys.get(first.name)?.template.text;
  return entities.some((entity) => text(entity, index) === text(entity, other));
}

function ofEntity({ keyAttributes }: TableBlueprint, entity: EntityBlueprint, add: Add): void {
  const { design, schema, keys, membership, attributes } = entity;
  if (design.keyOnly !== undefined) add('key-only');
  if (membership.size > 0) add('membership');
  if (isOpen(schema)) add('unknown-name');
  if (!isPlainObject(schema)) add('tested-attribute');
  for (const { name } of keyAttributes) if (!keys.has(name)) add('absent-key');
  const templates = design.keys ?? {};
  for (const name of Object.keys(templates)) if (!keys.has(name)) add('stray-key');
  const shape = shapeOf(schema);
  for (const name of attributes) {
    if (name === '' || Object.hasOwn(templates, name)) add('stray-key');
    if (!isPlainAndShort(shape[name] as Schema)) add('elaborate-attribute');
    if (!isUntested(shape[name] as Schema)) add('tested-attribute');
  }
}

function ofKey(plan: TableBlueprint, source: KeySource, add: Add): void {
  const { template, facts, natural, optional, attribute } = source;
  if (natural) add('natural-key');
  if (optional) add('optional-key');
  ofText(template, add);
  if (!hasParts(template)) {
    add('constant-key');
    return;
  }
  const parts = partsOf(template);
  if (hasOpenPart(template, plan.separator)) add('open-part');
  if (parts.length > 1 && isPartition(plan, attribute)) add('compound-partition');
  const isPrimary = attribute === plan.key.partition.name || attribute === plan.key.sort?.name;
  for (let i = 0; i < parts.length; i++) {
    if (isPrimary && facts[i]?.format === 'datetime') add('time-in-key');
    ofPart(template, parts[i] as Hole, facts[i], add);
  }
}

function ofText({ text, faults }: Template, add: Add): void {
  if (faults.length > 0 || text.length * 3 > KEY_BYTES.sort || text.includes('${')) add('odd-template');
}

function isPartition({ key, indexes }: TableBlueprint, attribute: string): boolean {
  return [key, ...indexes].some(({ partitionBy }) => partitionBy.some(({ name }) => name === attribute));
}

function ofPart(template: Template, part: Hole, facts: AttributeFacts | undefined, add: Add): void {
  const { path, format } = part;
  const name = path[path.length - 1] as string;
  if (format !== undefined) add('part-format');
  if (facts === undefined || path.length > 1) add('unknown-name');
  const isSorted = facts !== undefined && isSortedTime(facts);
  if (facts !== undefined && !isSorted && !isAnyText(facts)) ofFacts(facts, add);
  const { isTime, isFreeText, thing } = meaningOf(name);
  if (isTime && !isSorted) add('time-name');
  if (isFreeText) add('free-text-name');
  if (thing === undefined) return;
  const word = wordBefore(template, part);
  if (word !== undefined && word !== thing) add('strange-id');
}

/** Whether it is a time in UTC with a fixed number of digits: such times sort as text, and most keys with a time have one. */
function isSortedTime({ format, zoned, precision, values, optional }: AttributeFacts): boolean {
  return format === 'datetime' && zoned === false && precision !== undefined && values === undefined && !optional;
}

function ofFacts({ kind, values, format }: AttributeFacts, add: Add): void {
  if (kind === 'number') add('number-part');
  if (values !== undefined) add('listed-part');
  if (format !== undefined) add('formed-part');
  add('special-part');
}

/** Applies to every request, even one whose index does not exist. */
function ofNames(plan: TableBlueprint, { key, entities }: Access, add: Add): void {
  const isKnown = (name: string) => entityNamed(plan, name) !== undefined;
  if (key === undefined || entities.length === 0 || !entities.every(isKnown)) add('unknown-name');
}

function ofAccess(plan: TableBlueprint, access: PatternAccess, add: Add): void {
  const { step, action, partition, key, sort, range } = access;
  ofStep(step, add);
  if (action === 'scan') add('unlike-key');
  if (step.op === 'query' && (step.orderBy !== undefined || (step.order !== undefined && isUnordered(access))))
    add('order');
  // A put asks for nothing, and a scan for everything.
  if (step.op === 'put' || step.op === 'scan') return;
  const where = step.op === 'batchGet' ? (step.keys[access.part ?? ''] ?? {}) : step.where;
  const names = keyOf(key).map(({ name }) => name);
  for (const name of Object.keys(where)) {
    if (!names.includes(name)) add('unknown-name');
  }
  if (partition === undefined || (action !== 'query' && sort !== undefined && range.kind !== 'equals'))
    add('incomplete-where');
  for (const { attribute, at } of partition ?? []) ofBound(plan, access, attribute.name, at, false, add);
  ofRange(plan, access, sort?.name ?? '', add);
  // Attributes after the range are asked for only by mistake.
  for (const name of names.slice(names.indexOf(sort?.name ?? '') + 1)) {
    if (sort !== undefined && Object.hasOwn(where, name)) add('incomplete-where');
    if (access.entities.some((entity) => entityNamed(plan, entity)?.keys.has(name) !== true)) add('unlike-key');
  }
}

function ofRange(plan: TableBlueprint, access: PatternAccess, sort: string, add: Add): void {
  const { range, entities } = access;
  if (range.kind === 'all') {
    const isAbsent = (name: string) => entityNamed(plan, name)?.keys.has(sort) !== true;
    if (access.sort !== undefined && entities.some(isAbsent)) add('unlike-key');
  } else if (range.kind === 'equals' || range.kind === 'beginsWith') {
    const isBeginning = range.kind === 'beginsWith';
    if (isBeginning && isOpenBeginning(range.at, plan.separator)) add('range');
    ofBound(plan, access, sort, range.at, isBeginning, add);
  } else {
    add('range');
    add('unlike-key');
    for (const bound of boundsOfRange(range)) ofBound(plan, access, sort, bound, false, add);
  }
}

/** The fields that any kind of step may have. */
interface AnyStep {
  readonly filter?: unknown;
  readonly condition?: unknown;
  readonly set?: unknown;
  readonly add?: unknown;
  readonly subtract?: unknown;
  readonly item?: unknown;
  readonly select?: unknown;
  readonly pageSize?: unknown;
  readonly consistent?: unknown;
  readonly unexpired?: unknown;
  readonly unchanged?: unknown;
}

function ofStep(step: PatternAccess['step'], add: Add): void {
  const said: AnyStep = step;
  if (step.op === 'scan') add('scan');
  if (step.op === 'update') add('update');
  if (
    said.filter !== undefined ||
    said.condition !== undefined ||
    said.set !== undefined ||
    said.add !== undefined ||
    said.subtract !== undefined ||
    said.item !== undefined ||
    said.select !== undefined
  )
    add('fields');
  if (
    said.pageSize !== undefined ||
    said.consistent !== undefined ||
    said.unexpired !== undefined ||
    said.unchanged !== undefined
  )
    add('options');
}

function isUnordered({ sort, range }: PatternAccess): boolean {
  return sort === undefined || range.kind === 'equals';
}

function isOpenBeginning({ text }: Template, separator: string): boolean {
  return text.endsWith('>') || !text.endsWith(separator);
}

/** Compares a template of the pattern with the keys of the entities that it returns, by their texts alone. */
function ofBound(
  plan: TableBlueprint,
  { entities }: PatternAccess,
  attribute: string,
  bound: Template,
  isBeginning: boolean,
  add: Add,
): void {
  ofText(bound, add);
  const { text } = bound;
  if (text.includes('?')) add('incomplete-where');
  for (const name of entities) {
    const key = entityNamed(plan, name)?.keys.get(attribute)?.template.text;
    if (key === text) continue;
    if (hasParts(bound)) add('other-words');
    if (!isBeginning || key === undefined || !key.startsWith(text)) add('unlike-key');
  }
}

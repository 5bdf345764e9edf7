import { type AttributeFacts, attributeAt, intakeAt } from '../../blueprint/attributes/facts';
import { entityNamed, type TableBlueprint } from '../../blueprint/table';
import { isOneHole } from '../../blueprint/template-parts';
import type { EntityDesign } from '../../design/table';
import { template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atAccess, atWhere } from '../places';
import { type Field, fieldsOf, isTest, stepOf } from '../step';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../subject';

const causes = {
  'never-found': 'a filter or a condition looks for a value that the attribute never has',
  'never-taken': 'an update or a put writes a value that the attribute never has',
  'never-holds': 'a test is one that never holds for an attribute of this kind',
  'text-for-number': 'a key that is a number is compared with text',
} as const;

type Cause = keyof typeof causes;

export const impossibleValue: TableRule<'impossible-value', Cause> = {
  id: 'impossible-value',
  severity: 'error',
  why: 'A value that an attribute never has is refused where it is written, and found nowhere where it is looked for.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      yield* inKey(access);
      const fields = fieldsOf(stepOf(access));
      for (const [field, attribute, value] of fields) yield* inField(table, access, field, attribute, value);
    }
  },
};

/** A key that is a number is compared with numbers. */
function* inKey(access: PatternAccess): Iterable<Found<Cause>> {
  const { key, range } = access;
  if (key.sort?.type !== 'number' || range.kind === 'all' || range.kind === 'equals' || range.kind === 'beginsWith')
    return;
  for (const [attribute, bound] of boundsOf(access)) {
    const { text } = bound;
    const isText = bound.holes.length === 0 ? !isNumeric(text) : !isOneHole(bound);
    if (attribute !== key.sort.name || !isText) continue;
    const message = `${attribute} is a number, and '${text}' is a string: the request is refused`;
    const fix = `write a number, or a parameter alone: '<${attribute}>'`;
    yield { ...atWhere(access, attribute, { value: text }), cause: 'text-for-number', message, fix };
  }
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

type Constant = string | number | boolean | null;

function* inField(
  { plan }: TableUnderCheck,
  access: PatternAccess,
  field: Field,
  attribute: string,
  value: unknown,
): Iterable<Found<Cause>> {
  const { entities } = access;
  const isTested = isTest(field);
  if (isTested) yield* unlikeTest(plan, access, field, attribute, value);
  const constants = isTested
    ? comparedWith(value)
    : field === 'add' || field === 'subtract'
      ? []
      : [value].filter(isConstant);
  if (constants.length === 0) return;
  const designs = entities.flatMap((name) => entityNamed(plan, name)?.design ?? []);
  const known = designs.filter((design) => attributeAt(design.attributes, attribute.split('.')) !== undefined);
  const isRefused = isTested ? isNeverFound : isNeverTaken;
  for (const constant of constants) {
    if (known.length === 0 || !known.every((design) => isRefused(design, attribute, constant))) continue;
    const facts = attributeAt((known[0] as EntityDesign).attributes, attribute.split('.')) as AttributeFacts;
    yield {
      ...atAccess(access, field, attribute, { value: constant }),
      cause: isTested ? 'never-found' : 'never-taken',
      message: `${attribute} is never ${JSON.stringify(constant)}: it is ${what(facts)}`,
      fix: `give one of its values, or allow ${JSON.stringify(constant)} in the schema`,
    };
  }
}

/** Only a text has a beginning, and only a text or a list has something in it. */
function* unlikeTest(
  plan: TableBlueprint,
  access: PatternAccess,
  field: Field,
  attribute: string,
  test: unknown,
): Iterable<Found<Cause>> {
  if (typeof test !== 'object' || test === null) return;
  const word = 'beginsWith' in test ? 'beginsWith' : 'contains' in test ? 'contains' : undefined;
  if (word === undefined) return;
  const kinds = access.entities.flatMap((name) => {
    const schema = entityNamed(plan, name)?.design.attributes;
    return (schema && attributeAt(schema, attribute.split('.'))?.kind) ?? [];
  });
  const isUnlike = (kind: string) =>
    kind === 'number' || kind === 'boolean' || (word === 'beginsWith' && kind === 'list');
  if (kinds.length === 0 || !kinds.every(isUnlike)) return;
  const message = `${attribute} is a ${kinds[0]}, for which ${word} never holds`;
  const proposed = kinds[0] === 'list' ? 'contains' : undefined;
  const fix = proposed === undefined ? 'compare it with a value, or with a range' : `write ${proposed}`;
  yield { ...atAccess(access, field, attribute, { proposed }), cause: 'never-holds', message, fix };
}

/** The constants that a test is about, if it can only hold for what is among them. */
function comparedWith(test: unknown): readonly Constant[] {
  if (isConstant(test)) return [test];
  if (typeof test !== 'object' || test === null) return [];
  const { in: listed } = test as { readonly in?: unknown };
  return Array.isArray(listed) ? listed.filter(isConstant) : [];
}

/** A text with parameters in it may become anything. */
function isConstant(value: unknown): value is Constant {
  if (typeof value === 'string') return !value.includes('<') || template(value).holes.length === 0;
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}

function isNeverTaken({ attributes }: EntityDesign, attribute: string, constant: Constant): boolean {
  const path = attribute.split('.');
  const facts = attributeAt(attributes, path);
  return facts !== undefined && intakeAt(attributes, path)?.exact === true && !canBe(facts, constant);
}

/** Whoever looks for null, or for nothing at all, may mean what is not there. */
function isNeverFound({ attributes }: EntityDesign, attribute: string, constant: Constant): boolean {
  const facts = attributeAt(attributes, attribute.split('.'));
  return facts !== undefined && constant !== null && !canBe(facts, constant);
}

function canBe({ kind, values, optional, minimum, maximum, integer }: AttributeFacts, constant: Constant): boolean {
  if (kind === 'other' || kind === 'binary') return values === undefined || values.includes(constant as string);
  if (constant === null) return optional;
  if (values !== undefined) return values.includes(constant as string);
  if (kind !== typeof constant) return false;
  if (typeof constant !== 'number') return true;
  const isWithin = constant >= (minimum ?? -Infinity) && constant <= (maximum ?? Infinity);
  return isWithin && (integer !== true || Number.isInteger(constant));
}

function what({ kind, values, minimum, maximum, integer }: AttributeFacts): string {
  if (values !== undefined) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (kind !== 'number') return `a ${kind}`;
  const bounds = [minimum === undefined ? '' : ` from ${minimum}`, maximum === undefined ? '' : ` to ${maximum}`];
  return `a ${integer ? 'whole ' : ''}number${bounds.join('')}`;
}

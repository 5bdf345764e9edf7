import { type AttributeFacts, attributeAt, intakeAt } from '../../blueprint/attributes/facts';
import { listForm } from '../../blueprint/attributes/lists';
import { samplesOf } from '../../blueprint/attributes/samples';
import { schemaAt, takes } from '../../blueprint/attributes/schema';
import { canBeText } from '../../blueprint/attributes/texts';
import { counterpartOf } from '../../blueprint/keys';
import { entitiesNamed, factsIn, type TableBlueprint } from '../../blueprint/table';
import { hasParts, isOnePart, partsOf } from '../../blueprint/template-parts';
import type { EntityDesign } from '../../design/table';
import { stepsOf, template } from '../../design/template';
import type { Found, Place, TableRule } from '../findings/finding';
import { type About, atAccess, atWhere } from '../findings/place';
import { valueMeant } from '../findings/values';
import { type Field, fieldsOf, isTest, textsIn } from '../requests/fields';
import { boundsOf, type PatternAccess, type TableUnderCheck } from '../table-under-check';

const causes = {
  'never-found': 'a filter or a condition compares an attribute with a value that the attribute can never have',
  'never-taken': 'an update or a put sets an attribute to a value that the attribute can never have',
  'never-holds': 'a test can never be true for an attribute of this type',
  'out-of-range': 'a comparison has a bound that no value can reach, or a range that ends before it begins',
  'text-for-number': 'a request compares a number key with a string',
  'two-kinds':
    'a parameter must be a number in one place, but a string such as a UUID in the key, and no value can be both',
  'past-numbers': 'a number is larger or smaller than DynamoDB can store',
} as const;

type Cause = keyof typeof causes;

export const impossibleValue: TableRule<'impossible-value', Cause> = {
  id: 'impossible-value',
  severity: 'error',
  why: 'If you write a value that the attribute does not allow, the write is refused. If you look for such a value, you find nothing.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      yield* inKey(access);
      const fields = fieldsOf(access.step);
      for (const field of fields) yield* inField(table, access, field);
      yield* twoKinds(table, access, fields);
    }
  },
};

/** Reports comparisons of a number key with a string, and empty ranges of a number key. */
function* inKey(access: PatternAccess): Iterable<Found<Cause>> {
  const { sort, range } = access;
  if (sort?.type === 'number' && range.kind === 'between') {
    const [from, to] = [range.from.text, range.to.text];
    if (isNumeric(from) && isNumeric(to) && Number(from) > Number(to)) {
      const message = `${from} is greater than ${to}, so the range is empty`;
      yield {
        ...atWhere(access, sort.name),
        cause: 'out-of-range',
        message,
        fix: `write { between: ['${to}', '${from}'] }`,
      };
    }
  }
  if (sort?.type !== 'number' || range.kind === 'all' || range.kind === 'equals' || range.kind === 'beginsWith') return;
  for (const [attribute, bound] of boundsOf(access)) {
    const { text } = bound;
    const isText = hasParts(bound) ? !isOnePart(bound) : !isNumeric(text);
    if (attribute !== sort.name || !isText) continue;
    const message = `'${attribute}' is a number, but '${text}' is a string: the request is refused`;
    const fix = `write a number, or a parameter without other text: '<${attribute}>'`;
    yield { ...atWhere(access, attribute, { value: text }), cause: 'text-for-number', message, fix };
  }
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

type Constant = string | number | boolean | null;

function* inField(
  table: TableUnderCheck,
  access: PatternAccess,
  [field, attribute, value, place]: readonly [Field, string, unknown, string],
): Iterable<Found<Cause>> {
  const at = (about?: About) => atAccess(access, field, place, { attribute, ...about });
  const isTested = isTest(field);
  if (isTested) {
    yield* wrongTest(table, access, at, attribute, value);
    yield* outOfRange(table, access, at, attribute, value);
    yield* wrongKind(table, access, at, attribute, value);
  }
  yield* hugeNumbers(at, value);
  if (Array.isArray(value)) yield* inSet(table, access, at, attribute, value);
  const constants = isTested
    ? comparedWith(value)
    : field === 'add' || field === 'subtract'
      ? []
      : [value].filter(isFixedValue);
  if (constants.length === 0) return;
  const designs = entitiesNamed(table, access.entities).map(({ design }) => design);
  const known = designs.filter((design) => attributeAt(design.attributes, stepsOf(attribute)) !== undefined);
  const isRefused = isTested ? isNeverFound : isNeverTaken;
  for (const constant of constants) {
    if (known.length === 0 || !known.every((design) => isRefused(design, attribute, constant))) continue;
    const facts = attributeAt((known[0] as EntityDesign).attributes, stepsOf(attribute)) as AttributeFacts;
    const found = at({ value: constant });
    yield {
      ...found,
      cause: isTested ? 'never-found' : 'never-taken',
      message: `'${attribute}' is ${what(facts)}, never ${JSON.stringify(constant)}, so ${isTested ? 'no item passes' : 'every request is refused'}`,
      ...valueMeant(found.path, constant, facts.values ?? []),
    };
  }
}

/** String formats whose values never look like a number. */
const NO_NUMBERS: ReadonlySet<string> = new Set('uuid guid ulid cuid cuid2 email url date datetime time'.split(' '));

function* twoKinds(
  table: TableUnderCheck,
  access: PatternAccess,
  fields: ReturnType<typeof fieldsOf>,
): Iterable<Found<Cause>> {
  const forms = new Map<string, string>();
  for (const [attribute, bound] of fields.length === 0 ? [] : boundsOf(access)) {
    for (const source of entitiesNamed(table, access.entities).flatMap(({ keys }) => keys.get(attribute) ?? [])) {
      for (const part of partsOf(bound)) {
        const there = counterpartOf(bound, part, source.template);
        const { format = '' } = (there && factsIn(source, there)) ?? {};
        if (NO_NUMBERS.has(format)) forms.set(part.name, format);
      }
    }
  }
  for (const [field, attribute, value, place] of forms.size === 0 ? [] : fields) {
    const facts = factsOf(table, access, attribute);
    const name = textsIn(value).flatMap((text) => (isOnePart(template(text)) ? [text.slice(1, -1)] : []))[0] ?? '';
    const form = forms.get(name);
    if (form === undefined || facts.length === 0 || facts.some(({ kind }) => kind !== 'number')) continue;
    yield {
      ...atAccess(access, field, place, { attribute, part: name }),
      cause: 'two-kinds',
      message: `<${name}> is a ${form} in the key, but '${attribute}' is a number: no value can be both, so every request is refused`,
      fix: `use a separate parameter for '${attribute}': '<${attribute}>'`,
    };
  }
}

/** Reports set elements that the schema refuses, and lists with more elements than the set allows. */
function* inSet(
  table: TableUnderCheck,
  access: PatternAccess,
  at: (about?: About) => Place,
  attribute: string,
  elements: readonly unknown[],
): Iterable<Found<Cause>> {
  const [schema] = entitiesNamed(table, access.entities).flatMap(
    (entity) => schemaAt(entity.schema, [attribute]) ?? [],
  );
  const form = schema && listForm(schema, 'set');
  if (form === undefined) return;
  const refused = elements.find((element) => isFixedValue(element) && !takes(form.element, element));
  if (refused !== undefined) {
    const [kind] = samplesOf(form.element).map(({ given }) => JSON.stringify(given));
    yield {
      ...at({ value: refused as Constant }),
      cause: 'never-taken',
      message: `the schema of the set '${attribute}' does not allow ${JSON.stringify(refused)}, so every request is refused`,
      fix: `write an element that the schema accepts${kind === undefined ? '' : `, such as ${kind}`}`,
    };
  } else if (elements.length > form.most && elements.every(isFixedValue)) {
    const message = `the set '${attribute}' has at most ${form.most} elements, but the pattern lists ${elements.length}, so every request is refused`;
    yield {
      ...at({ count: elements.length }),
      cause: 'never-taken',
      message,
      fix: `list at most ${form.most} elements`,
    };
  }
}

/** Reports numbers that DynamoDB refuses because the exponent is below -130 or above 125. */
function* hugeNumbers(at: (about?: About) => Place, value: unknown): Iterable<Found<Cause>> {
  const numbers = [typeof value === 'object' && value !== null ? Object.values(value).flat() : value].flat();
  const size = (number: unknown) => (typeof number === 'number' ? Math.abs(number) : 0);
  const past = numbers.find((number) => size(number) >= 1e126 || (size(number) > 0 && size(number) < 1e-130));
  if (typeof past !== 'number') return;
  const message = `DynamoDB cannot store ${past}, because it stores only numbers from 1e-130 to 9.99e125: every request is refused`;
  yield {
    ...at({ value: past }),
    cause: 'past-numbers',
    message,
    fix: 'write a number in this range, or store the value as a string',
  };
}

/** Returns the facts about an attribute in each of the access's entities that have it. */
function factsOf(table: TableBlueprint, access: PatternAccess, attribute: string): readonly AttributeFacts[] {
  const path = stepsOf(attribute);
  return entitiesNamed(table, access.entities).flatMap(({ design }) => attributeAt(design.attributes, path) ?? []);
}

/** Reports a `beginsWith`, `contains` or `size` that is never true because of the attribute's type or listed values. */
function* wrongTest(
  table: TableBlueprint,
  access: PatternAccess,
  at: (about?: About) => Place,
  attribute: string,
  test: unknown,
): Iterable<Found<Cause>> {
  if (typeof test !== 'object' || test === null) return;
  const word = (['beginsWith', 'contains', 'size'] as const).find((operator) => operator in test);
  if (word === undefined) return;
  const operand = (test as Readonly<Record<string, unknown>>)[word];
  const all = factsOf(table, access, attribute);
  const kinds = all.map(({ kind }) => kind);
  const isUnlike = (kind: string) =>
    kind === 'number' || kind === 'boolean' || (word === 'beginsWith' && kind === 'list');
  if (kinds.length === 0) return;
  if (kinds.every(isUnlike)) {
    const message = `'${attribute}' is a ${kinds[0]}, so '${word}' is never true`;
    const proposed = kinds[0] === 'list' ? 'contains' : undefined;
    const fix = proposed === undefined ? `compare '${attribute}' with a value, or with a range` : `write ${proposed}`;
    yield { ...at({ proposed }), cause: 'never-holds', message, fix };
    return;
  }
  if (word === 'size' || !isFixedValue(operand)) return;
  // In a string, `contains` looks for a substring. In a list, it looks for an element.
  const within = kinds.every((kind) => kind === 'list')
    ? factsOf(table, access, `${attribute}[0]`).map(({ kind }) => kind)
    : kinds;
  if (within.length > 0 && within.every((kind) => isPlainKind(kind) && kind !== typeof operand)) {
    const message = `'${attribute}' has only ${within[0]} values, so '${word}: ${JSON.stringify(operand)}' is never true`;
    yield { ...at({ value: operand }), cause: 'never-holds', message, fix: `write a ${within[0]}` };
    return;
  }
  const listed = all.flatMap(({ values }) => values ?? []).map(String);
  const isIn = (value: string) => (word === 'contains' ? value.includes(`${operand}`) : value.startsWith(`${operand}`));
  if (all.some(({ values }) => values === undefined) || listed.some(isIn)) return;
  const message = `'${attribute}' is ${what(all[0] as AttributeFacts)}, and no value ${word === 'contains' ? 'contains' : 'begins with'} ${JSON.stringify(operand)}, so no item passes`;
  const fix = `write a string that a value of '${attribute}' ${word === 'contains' ? 'contains' : 'begins with'}`;
  yield { ...at({ value: operand }), cause: 'never-found', message, fix };
}

function isPlainKind(kind: string): boolean {
  return kind === 'number' || kind === 'string' || kind === 'boolean';
}

/** Reports a numeric comparison that is never true. */
function* outOfRange(
  table: TableBlueprint,
  access: PatternAccess,
  at: (about?: About) => Place,
  attribute: string,
  test: unknown,
): Iterable<Found<Cause>> {
  const bounds = boundsIn(test);
  if (bounds === undefined) return;
  const all = factsOf(table, access, attribute);
  const isEmpty = bounds.from > bounds.to;
  const isOut = all.length > 0 && all.every((facts) => facts.kind === 'number' && !isReached(facts, bounds));
  if (!isEmpty && !isOut) return;
  const message = isEmpty
    ? `${bounds.from} is greater than ${bounds.to}, so the range is empty`
    : `'${attribute}' is ${what(all[0] as AttributeFacts)}, never ${JSON.stringify(test)}`;
  const fix = isEmpty
    ? `write { between: [${bounds.to}, ${bounds.from}] }`
    : `compare '${attribute}' with a value that it can have`;
  yield { ...at(), cause: 'out-of-range', message, fix };
}

/** Reports a comparison of a number with a string, if the operand is a constant or another attribute. */
function* wrongKind(
  table: TableBlueprint,
  access: PatternAccess,
  at: (about?: About) => Place,
  attribute: string,
  test: unknown,
): Iterable<Found<Cause>> {
  const [[word, bound] = ['', undefined]] = typeof test === 'object' && test !== null ? Object.entries(test) : [];
  const operands = [word === 'attribute' ? { attribute: bound } : COMPARISONS.has(word) ? bound : undefined].flat();
  const kinds = factsOf(table, access, attribute).map(({ kind }) => kind);
  for (const operand of operands) {
    const other = isAttribute(operand) ? operand.attribute : undefined;
    const against = other === undefined ? [] : factsOf(table, access, other).map(({ kind }) => kind);
    const constant = isFixedValue(operand) && operand !== null ? operand : undefined;
    const theirs = constant === undefined ? against : [typeof constant];
    const isApart = (kind: string) =>
      (kind === 'number' || kind === 'string') && theirs.every((one) => isPlainKind(one) && one !== kind);
    if (kinds.length === 0 || theirs.length === 0 || !kinds.every(isApart)) continue;
    yield {
      ...at({ value: constant }),
      cause: 'never-holds',
      message: `'${attribute}' is a ${kinds[0]}, but ${other === undefined ? JSON.stringify(constant) : `'${other}'`} is a ${theirs[0]}, so no item passes the comparison`,
      fix: `compare '${attribute}' with a ${kinds[0]}${other === undefined ? `, or with a parameter without other text: '<${attribute}>'` : ''}`,
    };
    return;
  }
}

function isAttribute(operand: unknown): operand is { readonly attribute: string } {
  return (
    typeof operand === 'object' && operand !== null && 'attribute' in operand && typeof operand.attribute === 'string'
  );
}

const COMPARISONS: ReadonlySet<string> = new Set(['atLeast', 'atMost', 'greaterThan', 'lessThan', 'between']);

interface Bounds {
  readonly from: number;
  readonly to: number;
  readonly open?: boolean;
}

function boundsIn(test: unknown): Bounds | undefined {
  const [[word, bound] = ['', undefined]] = typeof test === 'object' && test !== null ? Object.entries(test) : [];
  if (word === 'between' && Array.isArray(bound) && bound.every((end) => typeof end === 'number'))
    return { from: Number(bound[0]), to: Number(bound[1]) };
  if (typeof bound !== 'number') return undefined;
  if (word === 'atLeast' || word === 'greaterThan') return { from: bound, to: Infinity, open: word === 'greaterThan' };
  return word === 'atMost' || word === 'lessThan'
    ? { from: -Infinity, to: bound, open: word === 'lessThan' }
    : undefined;
}

function isReached(
  { minimum = -Infinity, maximum = Infinity, values }: AttributeFacts,
  { from, to, open }: Bounds,
): boolean {
  const within = (value: number) => (open ? value > from && value < to : value >= from && value <= to);
  if (values !== undefined) return values.some((value) => within(Number(value)));
  return open ? maximum > from && minimum < to : maximum >= from && minimum <= to;
}

/** Returns the constants that a test compares with: the constant itself, or the constants in `in`. */
function comparedWith(test: unknown): readonly Constant[] {
  if (isFixedValue(test)) return [test];
  if (typeof test !== 'object' || test === null) return [];
  const { in: listed } = test as { readonly in?: unknown };
  return Array.isArray(listed) ? listed.filter(isFixedValue) : [];
}

/** Whether the design fixes a value, unlike a string with parameters. */
function isFixedValue(value: unknown): value is Constant {
  if (typeof value === 'string') return !value.includes('<') || !hasParts(template(value));
  return typeof value === 'number' || typeof value === 'boolean' || value === null;
}

function isNeverTaken({ attributes }: EntityDesign, attribute: string, constant: Constant): boolean {
  const path = stepsOf(attribute);
  const facts = attributeAt(attributes, path);
  return facts !== undefined && intakeAt(attributes, path)?.exact === true && !canBe(facts, constant);
}

/**
 * Whether no item can have the given value. Returns false for null, because a test for null may mean a missing
 * attribute.
 */
function isNeverFound({ attributes }: EntityDesign, attribute: string, constant: Constant): boolean {
  const path = stepsOf(attribute);
  const facts = attributeAt(attributes, path);
  if (facts === undefined || constant === null) return false;
  // A string that the schema refuses or rewrites is never stored.
  if (typeof constant === 'string' && facts.kind === 'string' && canBeText(attributes, path, constant) === false)
    return true;
  return !canBe(facts, constant);
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

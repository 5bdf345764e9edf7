import { invalid, invalidParameter } from '../refusal';
import { type Attributes, decimalOf, hasDuplicates, typeOf, type Value } from '../values';

const LONGEST_NAME = 65_535;
const DEEPEST = 32;

const LONG: Readonly<Record<string, string>> = { SS: 'string', NS: 'number', BS: 'binary' };

/** Refuses an item with names or values that DynamoDB cannot store, at any depth. */
export function checkAttributes(attributes: Attributes, depth = 0): void {
  for (const name in attributes) {
    if (name === '') throw invalid('Empty attribute name');
    if (Buffer.byteLength(name) > LONGEST_NAME)
      throw invalidParameter(`The attribute name is over the limit of ${LONGEST_NAME} bytes`);
    checkValue(attributes[name] as Value, depth);
  }
}

export function checkValue(value: Value, depth = 0): void {
  const count = Object.keys(value).length;
  if (count !== 1)
    throw invalid(
      `Supplied AttributeValue ${count === 0 ? 'is empty' : 'has more than one datatypes set'}, must contain exactly one of the supported datatypes`,
    );
  if (depth > DEEPEST)
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  const type = typeOf(value);
  const content = value[type];
  if (type === 'N') checkNumber(content);
  else if (type === 'NULL' && content !== true)
    throw invalidParameter('Null attribute value types must have the value of true');
  else if (type === 'M') checkAttributes(content as Attributes, depth + 1);
  else if (type === 'L') for (const inner of content as readonly Value[]) checkValue(inner, depth + 1);
  else if (type in LONG) checkSet(type, content as readonly string[]);
}

function checkSet(type: string, members: readonly string[]): void {
  if (members.length === 0) throw invalidParameter(`An ${LONG[type]} set  may not be empty`);
  if (type === 'NS') {
    for (const member of members) checkNumber(member);
    const numbers = members.map((member) => JSON.stringify(decimalOf(member)));
    if (hasDuplicates(numbers)) throw invalid('Input collection contains duplicates');
  } else if (hasDuplicates(members)) {
    throw invalidParameter(
      type === 'BS'
        ? 'Input collection of type BS contains duplicates.'
        : `Input collection [${members.join(', ')}] contains duplicates`,
    );
  }
}

function checkNumber(content: unknown): void {
  if (content === '') throw invalid('The parameter cannot be converted to a numeric value');
  const number = typeof content === 'string' ? decimalOf(content) : undefined;
  if (number === undefined) throw invalid(`The parameter cannot be converted to a numeric value: ${String(content)}`);
  if (number.digits.length > 38) throw invalid('Attempting to store more than 38 significant digits in a Number');
  if (number.exponent > 126)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (number.digits !== '' && number.exponent < -129)
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range');
}

import { nearest } from '../design/names';
import { isObject } from '../design/show';
import { byName, isText, type Misshape, otherKind, type Shape, text, that } from './shape';

/** One operator and its operand: of two, one would be ignored. */
function operators(operands: Readonly<Record<string, Shape>>, bare: (value: unknown) => boolean, what: string): Shape {
  const known = Object.keys(operands);
  const example = `{ ${known[0]}: '…' }`;
  return (value, path, found) => {
    if (bare(value)) return;
    if (!isObject(value)) {
      found.push(otherKind(what, `'…' or ${example}`, value, path));
      return;
    }
    const names = Object.keys(value);
    for (const name of names.filter((name) => !Object.hasOwn(operands, name))) {
      const meant = name === 'startsWith' ? 'beginsWith' : nearest(name, known);
      const fix = meant === undefined ? `use one of ${known.join(', ')}` : `write ${meant}`;
      const message = `'${name}' is not an operator`;
      found.push({ path: `${path}.${name}`, cause: 'operator', proposed: meant, message, fix });
    }
    if (names.length !== 1) {
      const got = names.length === 0 ? 'none' : `${names.join(' and ')}, of which only one would count`;
      const fix = known.includes('between') ? `write one, such as { between: ['…', '…'] }` : `write ${example}`;
      found.push({ path, cause: 'one-operator', message: `must have one operator, got: ${got}`, fix });
    }
    for (const name of names) operands[name]?.(value[name], `${path}.${name}`, found);
  };
}

export const template = text('POST#<postId>');
const pair = (value: unknown) => Array.isArray(value) && value.length === 2;

export const keyCondition = operators(
  {
    beginsWith: template,
    between: that('a pair of strings', "['…', '…']", (value) => pair(value) && (value as unknown[]).every(isText)),
    atLeast: template,
    atMost: template,
    greaterThan: template,
    lessThan: template,
  },
  isText,
  'a string or one operator',
);

export const operand = that("a string, a number, a boolean, null or { attribute: '…' }", "'<name>'", isOperand);

function isOperand(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return isText((value as { attribute?: unknown }).attribute);
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** What an update sets an attribute to. */
export const assignment = that(
  "a text, a number, a boolean, null, { attribute: '…' }, { ifMissing: … }, { append: '<…>' } or { prepend: '<…>' }",
  "'<name>'",
  (value) => {
    if (isOperand(value) || !isObject(value)) return isOperand(value);
    const [[how, given] = ['', undefined], ...more] = Object.entries(value);
    if (more.length > 0) return false;
    return how === 'ifMissing'
      ? isOperand(given) && typeof given !== 'object'
      : /^(ap|pre)pend$/.test(how) && isText(given);
  },
);

const operandsOf: Shape = (value, path, found) => {
  if (!Array.isArray(value)) found.push(otherKind('a list', "['…']", value, path));
  else for (const element of value) operand(element, path, found);
};

const isAmount = (value: unknown) =>
  typeof value === 'string' ? /<.+>/.test(value) : Number.isSafeInteger(value) && (value as number) >= 0;
const amount = that('a whole number from 0, or a parameter', "'<count>'", isAmount);

const size = operators(
  {
    ...{ not: amount, atLeast: amount, atMost: amount, greaterThan: amount, lessThan: amount },
    between: (value, path, found) => {
      if (pair(value)) for (const element of value as unknown[]) amount(element, path, found);
      else found.push(otherKind('a pair', '[1, 10]', value, path));
    },
  },
  isAmount,
  'a whole number from 0, a parameter or one operator',
);

const test = operators(
  {
    not: operand,
    atLeast: operand,
    atMost: operand,
    greaterThan: operand,
    lessThan: operand,
    between: (value, path, found) => {
      if (pair(value)) operandsOf(value, path, found);
      else found.push(otherKind('a pair', "['…', '…']", value, path));
    },
    beginsWith: text('POST#'),
    contains: operand,
    in: operandsOf,
    exists: that('true or false', 'true', (value) => typeof value === 'boolean'),
    size,
  },
  isOperand,
  'a value or one operator',
);

const TESTS = "{ status: 'open' }";

/** Tests by path; a list is a group of conditions. */
export const tests: Shape = (value, path, found) => {
  byName((member, at, faults) => {
    if (!Array.isArray(member)) test(member, at, faults);
  }, TESTS)(value, path, found);
  if (!isObject(value)) return;
  for (const [name, group] of Object.entries(value)) {
    const at = `${path}.${name}`;
    if (!Array.isArray(group)) continue;
    if (!GROUPS.includes(name)) found.push(otherKind('a value or one operator', "{ in: ['…'] }", group, at));
    else if (group.length === 0) found.push(otherKind('a list of conditions', `[${TESTS}]`, group, at));
    else for (const [i, member] of group.entries()) groupMember(member, `${at}.${i}`, found);
  }
};

const GROUPS = ['any', 'none'];

/** A condition that tests nothing would let everything pass, or nothing. */
function groupMember(member: unknown, path: string, found: Misshape[]): void {
  if (isObject(member) && Object.keys(member).length === 0) found.push(otherKind('a condition', TESTS, member, path));
  else tests(member, path, found);
}

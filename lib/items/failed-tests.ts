import { comparisonOf, isAttribute, isGroup, testsIn } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { Condition, Operand, Test } from '../design/pattern';
import { stepsOf, utf8Length, valueAt } from '../design/template';
import { type Item, isMapOrList } from './item';
import { operandValue } from './operands';
import { comparedValue } from './parameters';

/** The paths of the tests that an item fails. They explain why the cloud refused a write. */
export function failedTests(
  condition: Condition,
  entities: readonly EntityOutline[],
  item: Item,
  parameters: object,
): readonly string[] {
  const isMet = (member: Condition) => failedTests(member, entities, item, parameters).length === 0;
  const failed = Object.entries(condition).flatMap(([path, test]): readonly string[] => {
    if (!isGroup(test)) return passes(path, test, entities, item, parameters) ? [] : [path];
    const sent = test.filter((member) => isSent(member, parameters));
    const met = sent.filter(isMet);
    if (path === 'any' ? met.length > 0 || sent.length === 0 : met.length === 0) return [];
    return (path === 'any' ? sent : met).flatMap((member) => testsIn(member).map((tested) => tested.path));
  });
  return [...new Set(failed)];
}

/**
 * Whether the request contains a condition. The request omits a condition if none of the condition's tests has a value.
 */
function isSent(condition: Condition, parameters: object): boolean {
  return testsIn(condition).some(({ test }) => {
    const [comparison, operands] = comparisonOf(test);
    return (
      comparison === 'exists' ||
      operands.some((operand) => isAttribute(operand) || operandValue(operand, parameters) !== undefined)
    );
  });
}

function passes(path: string, test: Test, entities: readonly EntityOutline[], item: Item, parameters: object): boolean {
  const [comparison, operands, isSize] = comparisonOf(test);
  const at = valueAt(item, stepsIn(naming.path(entities, path)));
  const value = isSize ? lengthOf(at) : at;
  if (comparison === 'exists') return (value !== undefined) === operands[0];
  const given = operands
    .map((operand) =>
      isAttribute(operand)
        ? valueAt(item, stepsIn(naming.path(entities, operand.attribute)))
        : operandOf(operand, comparison, path, isSize ? [] : entities, parameters),
    )
    .filter((operand) => operand !== undefined);
  // The request omits a test that has no value.
  if (given.length === 0 && operands.length > 0) return true;
  return value !== undefined && holds(comparison, value, given);
}

/** The steps of a path as `valueAt` expects them: list positions without brackets. */
function stepsIn(path: string): readonly string[] {
  return stepsOf(path).map((step) => (step.startsWith('[') ? step.slice(1, -1) : step));
}

/** A value's size in DynamoDB: the number of bytes in a string or binary value, or the number of elements. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return utf8Length(value);
  if (value instanceof Set) return value.size;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

function operandOf(
  operand: Exclude<Operand, object>,
  comparison: string,
  path: string,
  entities: readonly EntityOutline[],
  parameters: object,
): unknown {
  const value = operandValue(operand, parameters);
  return value === undefined ? undefined : comparedValue(entities, path, comparison, value);
}

function holds(comparison: string, value: unknown, given: readonly unknown[]): boolean {
  const [first, last] = given as [never, never];
  switch (comparison) {
    case 'equals':
      return isSameValue(value, first);
    case 'not':
      return !isSameValue(value, first);
    case 'in':
      return given.some((listed) => isSameValue(value, listed));
    case 'beginsWith':
      return String(value).startsWith(first);
    case 'contains':
      return typeof value === 'string'
        ? value.includes(first)
        : membersOf(value).some((member) => isSameValue(member, first));
    case 'between':
      return isOfOneType(value, first) && (value as never) >= first && (value as never) <= last;
    case 'atLeast':
      return isOfOneType(value, first) && (value as never) >= first;
    case 'atMost':
      return isOfOneType(value, first) && (value as never) <= first;
    case 'greaterThan':
      return isOfOneType(value, first) && (value as never) > first;
    default:
      return isOfOneType(value, first) && (value as never) < first;
  }
}

function membersOf(value: unknown): readonly unknown[] {
  return value instanceof Set || Array.isArray(value) ? [...value] : [];
}

/**
 * Whether DynamoDB considers two values equal. The order of maps and sets does not matter, and a number equals a bigint
 * of the same value.
 */
export function isSameValue(value: unknown, other: unknown): boolean {
  if (value === other || (isNumber(value) && isNumber(other) && value >= other && value <= other)) return true;
  if (value instanceof Uint8Array && other instanceof Uint8Array) return String(value) === String(other);
  if (value instanceof Set && other instanceof Set)
    return value.size === other.size && [...value].every((one) => [...other].some((two) => isSameValue(one, two)));
  if (!isMapOrList(value) || !isMapOrList(other) || Array.isArray(value) !== Array.isArray(other)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(value[name], other[name]))
  );
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** In DynamoDB, a comparison of values of different types is always false. */
function isOfOneType(value: unknown, other: unknown): boolean {
  return typeof value === typeof other || (isNumber(value) && isNumber(other));
}

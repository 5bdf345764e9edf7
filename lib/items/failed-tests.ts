import { isGroup, testsIn } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition, Operand, Test } from '../design/pattern';
import { stepsOf, valueAt } from '../design/template';
import { isSame } from './cursor';
import type { Item } from './item';
import { comparisonOf, isAttribute, operandValue } from './operands';
import { comparedValue } from './parameters';

/** The paths of those tests of a condition that an item does not pass: why the cloud refused a write. */
export function failedTests(
  condition: Condition,
  entities: readonly EntityOutline[],
  item: Item,
  parameters: object,
): readonly string[] {
  const isMet = (one: Condition) => failedTests(one, entities, item, parameters).length === 0;
  const failed = Object.entries(condition).flatMap(([path, test]): readonly string[] => {
    if (!isGroup(test)) return passes(path, test, entities, item, parameters) ? [] : [path];
    const asked = test.filter((one) => isAsked(one, parameters));
    const met = asked.filter(isMet);
    if (path === 'any' ? met.length > 0 || asked.length === 0 : met.length === 0) return [];
    return (path === 'any' ? asked : met).flatMap((one) => testsIn(one).map((tested) => tested.path));
  });
  return [...new Set(failed)];
}

/** Whether the caller gives what a condition compares with, for at least one of its tests. */
function isAsked(condition: Condition, parameters: object): boolean {
  return testsIn(condition).some(({ test }) => {
    const [comparison, operands] = comparisonOf(test);
    return (
      comparison === 'exists' || operands.some((one) => isAttribute(one) || operandValue(one, parameters) !== undefined)
    );
  });
}

function passes(path: string, test: Test, entities: readonly EntityOutline[], item: Item, parameters: object): boolean {
  const [comparison, operands, isSize] = comparisonOf(test);
  const at = valueAt(item, stepsIn(path));
  const value = isSize ? lengthOf(at) : at;
  if (comparison === 'exists') return (value !== undefined) === operands[0];
  const given = operands
    .map((operand) => operandOf(operand, comparison, path, isSize ? [] : entities, item, parameters))
    .filter((operand) => operand !== undefined);
  // What is not given was not asked for.
  if (given.length === 0 && operands.length > 0) return true;
  return value !== undefined && holds(comparison, value, given);
}

/** A path as a value is looked up by it: a position in a list is a name like any other. */
function stepsIn(path: string): readonly string[] {
  return stepsOf(path).map((step) => (step.startsWith('[') ? step.slice(1, -1) : step));
}

/** As DynamoDB counts it: a text by its bytes, and anything else by what is in it. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return new TextEncoder().encode(value).length;
  if (value instanceof Set) return value.size;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

function operandOf(
  operand: Operand,
  comparison: string,
  path: string,
  entities: readonly EntityOutline[],
  item: Item,
  parameters: object,
): unknown {
  if (isAttribute(operand)) return valueAt(item, stepsIn(operand.attribute));
  const value = operandValue(operand as Exclude<Operand, object>, parameters);
  return value === undefined ? undefined : comparedValue(entities, path, comparison, value);
}

function holds(comparison: string, value: unknown, given: readonly unknown[]): boolean {
  const [first, last] = given as [never, never];
  switch (comparison) {
    case 'equals':
      return isSame(value, first);
    case 'not':
      return !isSame(value, first);
    case 'in':
      return given.some((one) => isSame(value, one));
    case 'beginsWith':
      return String(value).startsWith(first);
    case 'contains':
      return typeof value === 'string' ? value.includes(first) : [...(value as Iterable<unknown>)].includes(first);
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

/** DynamoDB compares nothing with what is of another type. */
function isOfOneType(value: unknown, other: unknown): boolean {
  const isNumber = (one: unknown) => typeof one === 'number' || typeof one === 'bigint';
  return typeof value === typeof other || (isNumber(value) && isNumber(other));
}

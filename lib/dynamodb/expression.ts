import { comparisonOf, isAttribute, isGroup } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { Condition, Test } from '../design/pattern';
import { KeyError } from '../design/template';
import type { Item } from '../items/item';
import { operandValue } from '../items/operands';
import { comparedValue } from '../items/parameters';

/**
 * Replaces the names and values of an expression with placeholders, so that an attribute's name can be a reserved word.
 */
export class Expression {
  public readonly names: Record<string, string>;
  public readonly values: Item = {};

  readonly #entities: readonly EntityOutline[];

  /**
   * @param entities the entities whose attributes the expression uses
   * @param names the placeholders that another expression of the same request already uses, with their names
   */
  public constructor(entities: readonly EntityOutline[], names: Readonly<Record<string, string>> = {}) {
    this.#entities = entities;
    this.names = { ...names };
  }

  public name(path: string): string {
    // List positions such as `[2]` stay as they are; only the name before them gets a placeholder.
    return naming.path(this.#entities, path).replace(/(^|\.)([^.[]*)/g, (_, dot: string, name: string) => {
      const known = Object.keys(this.names);
      // A linear search suffices, because an expression has few names.
      const placeholder = known.find((taken) => this.names[taken] === name) ?? `#${known.length}`;
      this.names[placeholder] = name;
      return dot + placeholder;
    });
  }

  public value(value: unknown): string {
    const placeholder = `:${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** Renders the tests of a condition. Leaves out a test if the caller omits the value of a `<part?>` in it. */
  public tests(condition: Condition, parameters: object): string[] {
    return Object.entries(condition).flatMap(([path, test]) => {
      if (!isGroup(test)) return this.test(path, test, parameters) ?? [];
      const members = test.map((member) => this.tests(member, parameters)).filter(({ length }) => length > 0);
      const either = members.map((tests) => tests.join(' AND ')).join(' OR ');
      if (either === '' || (path === 'any' && members.length === 1)) return members.flat();
      // A test that already has parentheses gets no second pair, because DynamoDB refuses redundant parentheses.
      const whole = members.flat().length === 1 && either.startsWith('(') ? either : `(${either})`;
      return path === 'any' ? whole : `NOT ${whole}`;
    });
  }

  private test(path: string, test: Test, parameters: object): string | undefined {
    const [comparison, operands, isSize] = comparisonOf(test);
    if (comparison === 'exists') return `attribute_${operands[0] ? '' : 'not_'}exists(${this.name(path)})`;
    const given = operands
      .map((operand) => (isAttribute(operand) ? operand : { value: operandValue(operand, parameters) }))
      .filter((operand) => 'attribute' in operand || operand.value !== undefined);
    if (given.length === 0 && operands.length > 0) return undefined;
    if (given.length < operands.length && comparison !== 'in')
      throw new KeyError(path, `${path}: give both ends of the range, or neither`);
    const name = this.name(path);
    const values = given.map((operand) =>
      'attribute' in operand
        ? this.name(operand.attribute)
        : this.value(comparedValue(isSize ? undefined : this.#entities, path, comparison, operand.value)),
    );
    return compared(comparison, isSize ? `size(${name})` : name, values);
  }
}

/**
 * Returns a write's condition expression, and the names and values that all of the write's expressions use. Leaves out
 * empty fields, which DynamoDB refuses.
 */
export function conditioned(tests: readonly string[], { names, values }: Expression): Item {
  const input: Item = {};
  if (tests.length > 0) input.ConditionExpression = tests.join(' AND ');
  if (Object.keys(names).length > 0) input.ExpressionAttributeNames = names;
  if (Object.keys(values).length > 0) input.ExpressionAttributeValues = values;
  return input;
}

const SIGNS = { equals: '=', not: '<>', atLeast: '>=', atMost: '<=', greaterThan: '>', lessThan: '<' } as const;

/** Renders a comparison in DynamoDB's notation, which is the same in filters, conditions and key conditions. */
export function compared(comparison: string, name: string, values: readonly string[]): string {
  const [value, end] = values;
  switch (comparison) {
    case 'beginsWith':
      return `begins_with(${name}, ${value})`;
    case 'contains':
      return `contains(${name}, ${value})`;
    case 'between':
      return `${name} BETWEEN ${value} AND ${end}`;
    case 'in':
      return `${name} IN (${values.join(', ')})`;
    default:
      return `${name} ${SIGNS[comparison as keyof typeof SIGNS]} ${value}`;
  }
}

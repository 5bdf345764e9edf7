import { isGroup } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition, Test } from '../design/pattern';
import { KeyError } from '../design/template';
import type { Item } from '../items/item';
import { comparisonOf, isAttribute, operandValue } from '../items/operands';
import { comparedValue } from '../items/parameters';

/** Collects the names and values of an expression under placeholders, so that no attribute name is ever reserved. */
export class Expression {
  public readonly names: Record<string, string>;
  public readonly values: Item = {};
  private readonly placeholders = new Map<string, string>();
  private valueCount = 0;

  /** @param names names that another expression of the same request has placeholders for already */
  public constructor(names: Readonly<Record<string, string>> = {}) {
    this.names = { ...names };
    for (const [placeholder, name] of Object.entries(names)) this.placeholders.set(name, placeholder);
  }

  public name(path: string): string {
    // A position in a list is written as it is.
    return path.replace(/(^|\.)([^.[]*)/g, (_, dot: string, name: string) => {
      let placeholder = this.placeholders.get(name);
      if (placeholder === undefined) {
        placeholder = `#${this.placeholders.size}`;
        this.placeholders.set(name, placeholder);
        this.names[placeholder] = name;
      }
      return dot + placeholder;
    });
  }

  public value(value: unknown): string {
    const placeholder = `:${this.valueCount++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** All tests of a condition on any of these entities; one whose `<part?>` is not given is left out. */
  public tests(condition: Condition, entities: readonly EntityOutline[], parameters: object): string[] {
    return Object.entries(condition).flatMap(([path, test]) => {
      if (!isGroup(test)) return this.test(path, test, entities, parameters) ?? [];
      const members = test.map((one) => this.tests(one, entities, parameters)).filter(({ length }) => length > 0);
      const either = members.map((one) => one.join(' AND ')).join(' OR ');
      if (either === '' || (path === 'any' && members.length === 1)) return members.flat();
      // DynamoDB refuses parentheses in parentheses.
      const whole = members.flat().length === 1 && either.startsWith('(') ? either : `(${either})`;
      return path === 'any' ? whole : `NOT ${whole}`;
    });
  }

  /** What a request carries of it; the document client refuses what is empty. */
  public get input(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Item } {
    return {
      ...(this.placeholders.size === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(this.valueCount === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }

  private test(path: string, test: Test, entities: readonly EntityOutline[], parameters: object): string | undefined {
    const [comparison, operands, isSize] = comparisonOf(test);
    if (comparison === 'exists') return `attribute_${operands[0] ? '' : 'not_'}exists(${this.name(path)})`;
    const given = operands
      .map((operand) => (isAttribute(operand) ? operand : { value: operandValue(operand, parameters) }))
      .filter((operand) => 'attribute' in operand || operand.value !== undefined);
    if (given.length === 0 && operands.length > 0) return undefined;
    if (given.length < operands.length && comparison !== 'in')
      throw new KeyError(path, `${path}: one end of the range is missing; give both, or none`);
    const name = this.name(path);
    const values = given.map((operand) =>
      'attribute' in operand
        ? this.name(operand.attribute)
        : this.value(comparedValue(isSize ? undefined : entities, path, comparison, operand.value)),
    );
    return compared(comparison, isSize ? `size(${name})` : name, values);
  }
}

/** What a request says of its condition, if it has one. */
export function conditioned(tests: readonly string[]): { ConditionExpression?: string } {
  return tests.length === 0 ? {} : { ConditionExpression: tests.join(' AND ') };
}

const SIGNS = { equals: '=', not: '<>', atLeast: '>=', atMost: '<=', greaterThan: '>', lessThan: '<' } as const;

/** A comparison as DynamoDB writes it, in filters, conditions and key conditions alike. */
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

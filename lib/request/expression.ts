import type { Condition, Operand, Test } from '../design/pattern';
import { KeyError, template, valueAt } from '../design/template';
import type { Item } from './plan';

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
    return path
      .split('.')
      .map((step) => {
        const known = this.placeholders.get(step);
        if (known !== undefined) return known;
        const placeholder = `#${this.placeholders.size}`;
        this.placeholders.set(step, placeholder);
        this.names[placeholder] = step;
        return placeholder;
      })
      .join('.');
  }

  public value(value: unknown): string {
    const placeholder = `:${this.valueCount++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  public operand(operand: Operand, parameters: object): string {
    if (typeof operand === 'object' && operand !== null) return this.name(operand.attribute);
    return this.value(operandValue(operand, parameters));
  }

  /** All tests of a condition; one whose `<part?>` is not given is left out. */
  public tests(condition: Condition, parameters: object): string[] {
    return Object.entries(condition).flatMap(([path, test]) =>
      isLeftOut(test, parameters) ? [] : [this.test(path, test, parameters)],
    );
  }

  /** What a request carries of it; the document client refuses what is empty. */
  public get input(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Item } {
    return {
      ...(this.placeholders.size === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(this.valueCount === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }

  private test(path: string, test: Test, parameters: object): string {
    const name = this.name(path);
    const value = (operand: Operand) => this.operand(operand, parameters);
    if (typeof test !== 'object' || test === null || 'attribute' in test) return `${name} = ${value(test)}`;
    if ('exists' in test) return `attribute_${test.exists ? '' : 'not_'}exists(${name})`;
    if ('beginsWith' in test) return `begins_with(${name}, ${value(test.beginsWith)})`;
    if ('contains' in test) return `contains(${name}, ${value(test.contains)})`;
    if ('in' in test) return `${name} IN (${test.in.map(value).join(', ')})`;
    if ('between' in test) return `${name} BETWEEN ${value(test.between[0])} AND ${value(test.between[1])}`;
    const [comparison, operand] = Object.entries(test)[0] as [keyof typeof SIGNS, Operand];
    return `${name} ${SIGNS[comparison]} ${value(operand)}`;
  }
}

const SIGNS = { not: '<>', atLeast: '>=', atMost: '<=', greaterThan: '>', lessThan: '<' } as const;

/** The value of an operand: a constant, a parameter with its own type, or text with parameters in it. */
export function operandValue(operand: Exclude<Operand, object>, parameters: object): unknown {
  if (typeof operand !== 'string') return operand;
  const { parts, holes } = template(operand);
  if (holes.length === 0) return operand;
  const values = parts.map((part) => {
    if (typeof part === 'string') return part;
    const value = valueAt(parameters, part.path);
    if (value === undefined && !part.optional)
      throw new KeyError(part.name, `<${part.name}> is missing; give it a value`);
    return value;
  });
  return values.length === 1 ? values[0] : values.join('');
}

function isLeftOut(test: Test, parameters: object): boolean {
  if (typeof test !== 'string') return false;
  return template(test).holes.some(({ optional, path }) => optional && valueAt(parameters, path) === undefined);
}

import type { Parts } from './parts';
import type { KeyTest } from './rules/keys';
import type { Assigned, Condition, Operand, Path, Update } from './syntax';
import type { Attributes, Body, Value } from './values';

/** Renders the rewritten expressions of a request, with new placeholders for names and values. */
export class Rendering {
  private readonly names = new Map<string, string>();
  private readonly given: Record<string, Value> = {};

  public constructor(private readonly values: Attributes) {}

  /** Returns the request with the expressions in `parts`, and with only the names and values that they use. */
  public static of(input: Body, parts: Parts, keyTest?: KeyTest): Body {
    const rendering = new Rendering(parts.values);
    const { ExpressionAttributeNames: _, ExpressionAttributeValues: __, ...rest } = input;
    const { condition, filter, update, projection } = parts;
    const expressions = {
      ...(condition && { ConditionExpression: rendering.condition(condition) }),
      ...(filter && { FilterExpression: rendering.condition(filter) }),
      ...(keyTest && { KeyConditionExpression: rendering.keyTest(keyTest) }),
      ...(update && { UpdateExpression: rendering.update(update) }),
      ...(projection && { ProjectionExpression: projection.map((path) => rendering.path(path)).join(', ') }),
    };
    const names = Object.fromEntries(Array.from(rendering.names, ([name, alias]) => [alias, name]));
    return {
      ...rest,
      ...expressions,
      ...(rendering.names.size > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(rendering.given).length > 0 && { ExpressionAttributeValues: rendering.given }),
    };
  }

  private path(path: Path): string {
    return path
      .map((part, i) => {
        if (typeof part === 'number') return `[${part}]`;
        const alias = this.names.get(part) ?? `#n${this.names.size}`;
        this.names.set(part, alias);
        return `${i === 0 ? '' : '.'}${alias}`;
      })
      .join('');
  }

  private value(value: Value): string {
    const alias = `:v${Object.keys(this.given).length}`;
    this.given[alias] = value;
    return alias;
  }

  private operand(operand: Operand): string {
    if (operand.kind === 'path') return this.path(operand.path);
    if (operand.kind === 'value') return this.value(this.values[operand.name] as Value);
    const [first] = operand.operands;
    // The engine does not support `size` of an expression attribute value.
    if (operand.name === 'size' && first?.kind === 'value')
      return this.value({ N: String(sizeOf(this.values[first.name] as Value)) });
    return `${operand.name}(${operand.operands.map((inner) => this.operand(inner)).join(', ')})`;
  }

  private condition(condition: Condition): string {
    const inner = (of: Condition) =>
      of.kind === 'and' || of.kind === 'or' ? `(${this.condition(of)})` : this.condition(of);
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `${inner(condition.left)} ${condition.kind.toUpperCase()} ${inner(condition.right)}`;
      case 'not':
        return `NOT ${inner(condition.of)}`;
      case 'call':
        return this.operand(condition);
    }
    const [first = '', ...rest] = condition.operands.map((operand) => this.operand(operand));
    if (condition.kind === 'compare') return `${first} ${condition.sign} ${rest[0]}`;
    return condition.kind === 'between' ? `${first} BETWEEN ${rest.join(' AND ')}` : `${first} IN (${rest.join(', ')})`;
  }

  /**
   * Renders the partition key's condition first. Renders a prefix as a range, because the engine ignores case when it
   * compares a prefix, but not when it compares a range.
   */
  private keyTest({ partition, sort }: KeyTest): string {
    const equal = `${this.path([partition.attribute])} = ${this.value(partition.value)}`;
    if (sort === undefined) return equal;
    const name = this.path([sort.attribute]);
    const [first, second] = sort.values as readonly [Value, Value];
    if (sort.sign === 'begins_with')
      return `${equal} AND ${name} BETWEEN ${this.value(first)} AND ${this.value(lastWith(first))}`;
    if (sort.sign === 'BETWEEN') return `${equal} AND ${name} BETWEEN ${this.value(first)} AND ${this.value(second)}`;
    return `${equal} AND ${name} ${sort.sign} ${this.value(first)}`;
  }

  private update({ set, remove, add, delete: deleted }: Update): string {
    const pairs = (changes: Update['add']) =>
      changes.map(([path, name]) => `${this.path(path)} ${this.value(this.values[name] as Value)}`);
    const sections = {
      SET: set.map(([path, assigned]) => `${this.path(path)} = ${this.assigned(assigned)}`),
      REMOVE: remove.map((path) => this.path(path)),
      ADD: pairs(add),
      DELETE: pairs(deleted),
    };
    return Object.entries(sections)
      .filter(([, changes]) => changes.length > 0)
      .map(([section, changes]) => `${section} ${changes.join(', ')}`)
      .join(' ');
  }

  private assigned(assigned: Assigned): string {
    if (assigned.kind !== 'sum') return this.operand(assigned);
    return assigned.operands.map((operand) => this.operand(operand)).join(` ${assigned.sign} `);
  }
}

function sizeOf(value: Value): number {
  const [content] = Object.values(value);
  if (typeof value.S === 'string') return Buffer.byteLength(value.S);
  if (typeof value.B === 'string') return Buffer.from(value.B, 'base64').length;
  return Array.isArray(content) ? content.length : Object.keys(content as object).length;
}

const LONGEST_SORT_KEY = 1024;

/**
 * Returns the greatest sort key that starts with this prefix: the prefix, padded with the greatest character or the
 * greatest byte.
 */
export function lastWith(prefix: Value): Value {
  if (typeof prefix.S === 'string') {
    const room = Math.floor((LONGEST_SORT_KEY - Buffer.byteLength(prefix.S)) / 4);
    return { S: prefix.S + '\u{10FFFF}'.repeat(room) };
  }
  const bytes = Buffer.from(String(prefix.B), 'base64');
  return { B: Buffer.concat([bytes, Buffer.alloc(LONGEST_SORT_KEY - bytes.length, 0xff)]).toString('base64') };
}

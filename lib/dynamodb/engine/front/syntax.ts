import { isReserved } from './rules/reserved';
import { type Field, Tokens } from './tokens';
import type { Attributes } from './values';

/** A document path with its placeholders resolved: attribute names and list positions. */
export type Path = readonly (string | number)[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly name: string }
  | Call;

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly operands: readonly Operand[];
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly sign: string; readonly operands: readonly [Operand, Operand] }
  | { readonly kind: 'between'; readonly operands: readonly [Operand, Operand, Operand] }
  | { readonly kind: 'in'; readonly operands: readonly Operand[] }
  | Call;

/** The right side of a SET: one operand, or two operands joined by + or -. */
export type Assigned = Operand | { readonly kind: 'sum'; readonly sign: string; readonly operands: readonly Operand[] };

export interface Update {
  readonly set: readonly (readonly [Path, Assigned])[];
  readonly remove: readonly Path[];
  /** Each path is paired with the name of an expression attribute value. */
  readonly add: readonly (readonly [Path, string])[];
  readonly delete: readonly (readonly [Path, string])[];
}

/**
 * The names and values that the expressions of one request share; `used` collects the placeholders that occur in the
 * expressions.
 */
export interface Aliases {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Attributes;
  readonly used: Set<string>;
  /**
   * Set if the engine cannot parse the expressions as written, because they contain an operand in parentheses or the
   * `size` of a value.
   */
  isForeign?: boolean;
}

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='];

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

/** A list position that no item of 400 KB reaches; a larger position would exhaust the engine's memory. */
const LAST_POSITION = 1_000_000;

/** Parses DynamoDB's expressions. Throws a refusal with DynamoDB's message if the syntax is invalid. */
export class Parser {
  private readonly tokens: Tokens;

  public constructor(
    field: Field,
    text: string,
    private readonly aliases: Aliases,
  ) {
    this.tokens = new Tokens(field, text);
  }

  public condition(): Condition {
    const condition = this.either();
    this.tokens.end();
    return condition;
  }

  public projection(): readonly Path[] {
    const paths = this.list(() => this.path());
    this.tokens.end();
    return paths;
  }

  public update(): Update {
    const update = { set: [] as [Path, Assigned][], remove: [] as Path[], add: [], delete: [] };
    const seen = new Set<string>();
    do {
      const section = SECTIONS.find((name) => this.tokens.is(name));
      if (section === undefined) throw this.tokens.syntaxError();
      if (seen.has(section))
        throw this.tokens.error(`The "${section}" section can only be used once in an update expression;`);
      seen.add(section);
      this.tokens.take();
      if (section === 'SET') update.set = this.list(() => this.assignment());
      else if (section === 'REMOVE') update.remove = this.list(() => this.path());
      else
        Object.assign(update, { [section.toLowerCase()]: this.list(() => [this.path(), this.value().name] as const) });
    } while (this.tokens.next.kind !== 'end');
    return update;
  }

  private list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.tokens.skip(',')) found.push(one());
    return found;
  }

  private assignment(): [Path, Assigned] {
    const path = this.path();
    this.tokens.expect('=');
    const start = this.tokens.mark();
    try {
      return [path, this.sum()];
    } catch (error) {
      // The parentheses may contain a whole sum instead of an operand.
      this.tokens.back(start);
      if (!this.tokens.skip('(')) throw error;
      const assigned = this.sum();
      this.tokens.expect(')');
      return [path, assigned];
    }
  }

  private sum(): Assigned {
    const left = this.operand();
    const sign = ['+', '-'].find((text) => this.tokens.skip(text));
    return sign === undefined ? left : { kind: 'sum', sign, operands: [left, this.operand()] };
  }

  private either(): Condition {
    let left = this.both();
    while (this.tokens.skip('OR')) left = { kind: 'or', left, right: this.both() };
    return left;
  }

  private both(): Condition {
    let left = this.negated();
    while (this.tokens.skip('AND')) left = { kind: 'and', left, right: this.negated() };
    return left;
  }

  private negated(): Condition {
    return this.tokens.skip('NOT') ? { kind: 'not', of: this.negated() } : this.single();
  }

  private single(): Condition {
    if (!this.tokens.is('(')) return this.comparison();
    const start = this.tokens.mark();
    // Parentheses can contain a condition or an operand; only the token after the closing parenthesis tells them apart.
    this.tokens.take();
    const isDoubled = this.tokens.is('(');
    try {
      const inner = this.either();
      this.tokens.expect(')');
      if (isDoubled && this.isWhole(start)) throw this.tokens.error('The expression has redundant parentheses;');
      return inner;
    } catch (error) {
      if ((error as Error).message.includes('redundant')) throw error;
      this.tokens.back(start);
      try {
        return this.comparison();
      } catch {
        throw error;
      }
    }
  }

  /**
   * Whether the parentheses that open at `start` contain nothing but a second pair of parentheses. The parser has
   * already read them to the end.
   */
  private isWhole(start: number): boolean {
    const end = this.tokens.mark();
    this.tokens.back(start + 1);
    let depth = 0;
    do {
      if (this.tokens.is('(')) depth++;
      if (this.tokens.is(')')) depth--;
      this.tokens.take();
    } while (depth > 0);
    const isWhole = this.tokens.mark() === end - 1;
    this.tokens.back(end);
    return isWhole;
  }

  private comparison(): Condition {
    const left = this.operand();
    const sign = COMPARATORS.find((text) => this.tokens.skip(text));
    if (sign !== undefined) return { kind: 'compare', sign, operands: [left, this.operand()] };
    if (this.tokens.skip('BETWEEN')) {
      const low = this.operand();
      this.tokens.expect('AND');
      return { kind: 'between', operands: [left, low, this.operand()] };
    }
    if (this.tokens.skip('IN')) {
      this.tokens.expect('(');
      const rest = this.list(() => this.operand());
      this.tokens.expect(')');
      return { kind: 'in', operands: [left, ...rest] };
    }
    if (left.kind !== 'call') throw this.tokens.syntaxError();
    return left;
  }

  private operand(): Operand {
    if (this.tokens.skip('(')) {
      this.aliases.isForeign = true;
      const isDoubled = this.tokens.is('(');
      const operand = this.operand();
      this.tokens.expect(')');
      if (isDoubled) throw this.tokens.error('The expression has redundant parentheses;');
      return operand;
    }
    if (this.tokens.next.kind === 'value') return this.value();
    if (!this.tokens.isCall()) return { kind: 'path', path: this.path() };
    const name = this.tokens.take('name').text;
    this.tokens.expect('(');
    const operands = this.list(() => this.operand());
    this.tokens.expect(')');
    if (name === 'size' && operands[0]?.kind === 'value') this.aliases.isForeign = true;
    return { kind: 'call', name, operands };
  }

  private value(): { readonly kind: 'value'; readonly name: string } {
    const name = this.tokens.take('value').text;
    if (!Object.hasOwn(this.aliases.values, name))
      throw this.tokens.error(
        `An expression attribute value used in expression is not defined; attribute value: ${name}`,
      );
    this.aliases.used.add(name);
    return { kind: 'value', name };
  }

  private path(): Path {
    const path: (string | number)[] = [this.name()];
    for (;;) {
      if (this.tokens.skip('.')) path.push(this.name());
      else if (this.tokens.skip('[')) {
        const { text } = this.tokens.take('number');
        if (Number(text) > LAST_POSITION)
          throw this.tokens.error(`List index is not within the allowable range; index: [${text}]`);
        path.push(Number(text));
        this.tokens.expect(']');
      } else return path;
    }
  }

  private name(): string {
    if (this.tokens.next.kind !== 'alias') {
      const { text } = this.tokens.take('name');
      if (isReserved(text)) throw this.tokens.error(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
      return text;
    }
    const { text } = this.tokens.take();
    if (!Object.hasOwn(this.aliases.names, text))
      throw this.tokens.error(
        `An expression attribute name used in the document path is not defined; attribute name: ${text}`,
      );
    this.aliases.used.add(text);
    return this.aliases.names[text] as string;
  }
}

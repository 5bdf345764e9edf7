import { invalid, type Refusal } from './refusal';

/** The request fields that can contain an expression. */
export const FIELDS = [
  'UpdateExpression',
  'KeyConditionExpression',
  'ConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
] as const;

export type Field = (typeof FIELDS)[number];

export interface Token {
  readonly kind: 'name' | 'alias' | 'value' | 'number' | 'sign' | 'bad' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LARGEST_EXPRESSION = 4096;

const FORMS =
  /\s+|(?<name>[A-Za-z][A-Za-z0-9_]*)|(?<alias>#[A-Za-z0-9_]+)|(?<value>:[A-Za-z0-9_]+)|(?<number>0|[1-9]\d*)|(?<sign><=|>=|<>|[=<>()[\],.+-])|(?<bad>.)/gsu;

/**
 * Splits an expression into tokens, one at a time. A bare name begins with an ASCII letter and contains only ASCII
 * letters, digits and underscores.
 */
export class Tokens {
  private readonly list: Token[] = [];
  private at = 0;

  public constructor(
    private readonly field: Field,
    private readonly text: string,
  ) {
    if (text === '') throw this.error('The expression can not be empty;');
    const size = Buffer.byteLength(text);
    if (size > LARGEST_EXPRESSION)
      throw this.error(`Expression size has exceeded the maximum allowed size; expression size: ${size}`);
    for (const { 0: found, index, groups = {} } of text.matchAll(FORMS)) {
      const kind = Object.keys(groups).find((form) => groups[form] !== undefined);
      if (kind !== undefined)
        this.list.push({ kind: kind as Token['kind'], text: found, start: index, end: index + found.length });
    }
    this.list.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length });
  }

  public get next(): Token {
    return this.list[this.at] as Token;
  }

  /** Whether the next token is this sign, or this keyword in upper or lower case. */
  public is(text: string): boolean {
    const { kind, text: found } = this.next;
    return kind === 'sign' ? found === text : kind === 'name' && found.toUpperCase() === text;
  }

  public isCall(): boolean {
    const after = this.list[this.at + 1];
    return this.next.kind === 'name' && after?.text === '(';
  }

  public take(kind?: Token['kind']): Token {
    const token = this.next;
    if (kind !== undefined && token.kind !== kind) throw this.syntaxError();
    this.at++;
    return token;
  }

  public skip(text: string): boolean {
    const found = this.is(text);
    if (found) this.at++;
    return found;
  }

  public expect(text: string): void {
    if (!this.skip(text)) throw this.syntaxError();
  }

  public end(): void {
    if (this.next.kind !== 'end') throw this.syntaxError();
  }

  public mark(): number {
    return this.at;
  }

  public back(to: number): void {
    this.at = to;
  }

  public syntaxError(): Refusal {
    const { text } = this.next;
    const start = this.list[this.at - 1]?.start ?? 0;
    const end = (this.list[this.at + 1] ?? this.next).end;
    return this.error(`Syntax error; token: "${text}", near: "${this.text.slice(start, end)}"`);
  }

  public error(message: string): Refusal {
    return invalid(`Invalid ${this.field}: ${message}`);
  }
}

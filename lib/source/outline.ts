import { type Token, tokensOf } from './tokens';

/** The parts of an expression that a path into a design can pass through. */
export interface Expression {
  /** The fields of an object, each with the position of its name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Names that the expression refers to, such as `blog`, `...shared` or `designs.blog`. */
  readonly references: readonly (readonly string[])[];
  /** Objects and arguments in the expression, such as the shape in `z.object({ … }).strict()`. */
  readonly inner: readonly Expression[];
  /** The value of a string literal. */
  readonly text?: string;
  /** The positions where the expression begins and ends. */
  readonly from: number;
  readonly to: number;
  /**
   * For an object: the end of its last field, or the end of its opening brace if it is empty. Undefined for other
   * expressions.
   */
  readonly last?: number;
}

export interface Field {
  readonly at: number;
  readonly value: Expression;
}

/** A name that is imported or re-exported from another module. */
export interface Import {
  readonly from: string;
  /** The exported name in the other module; `*` for the whole module. */
  readonly name: string;
}

/** The objects, variables and imports of a module. */
export interface SourceOutline {
  readonly variables: ReadonlyMap<string, Expression>;
  readonly imports: ReadonlyMap<string, Import>;
  /** The modules that this module re-exports with `export *`. */
  readonly passedOn: readonly string[];
  /** Every object literal, outer objects first. */
  readonly objects: readonly Expression[];
}

/** Reads the objects, variables and imports of a module. */
export function outlineOfSource(source: string): SourceOutline {
  return new Reader(tokensOf(source)).module();
}

const OPENING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

class Reader {
  readonly #tokens: readonly Token[];
  readonly #objects: Expression[] = [];
  #next = 0;

  public constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  public module(): SourceOutline {
    const variables = new Map<string, Expression>();
    const imports = new Map<string, Import>();
    const passedOn: string[] = [];
    while (this.#next < this.#tokens.length) {
      const token = this.#take() as Token;
      const isCode = token.kind === 'name' && !this.#isField();
      if (isCode && /^(?:const|let|var)$/.test(token.text)) this.#variable(variables);
      else if (isCode && (token.text === 'import' || token.text === 'export')) {
        this.#linked(token.text, imports, passedOn);
      } else if (isCode && (token.text === 'return' || token.text === 'default')) {
        const value = this.#expression();
        if (token.text === 'default') variables.set('default', value);
      } else if (token.text === '=' || token.text === '(') this.#expression();
    }
    return { variables, imports, passedOn, objects: this.#objects };
  }

  #variable(variables: Map<string, Expression>): void {
    const name = this.#take();
    if (name?.kind !== 'name') return;
    // Skips a type annotation between the name and the value.
    while (this.#peek() !== undefined && !['=', ';'].includes(this.#peek() as string)) this.#skipOne();
    if (this.#peek() !== '=') return;
    this.#take();
    variables.set(name.text, this.#expression());
  }

  /** Reads the names in `import { a as b } from 'x'`, `import * as a from 'x'` and `export { a } from 'x'`. */
  #linked(verb: string, imports: Map<string, Import>, passedOn: string[]): void {
    const begin = this.#next;
    const words: Token[] = [];
    while (this.#next < this.#tokens.length && words.length < 500) {
      const token = this.#take() as Token;
      if (token.kind === 'text') break;
      const isList = token.kind === 'name' || ['{', '}', ',', '*'].includes(token.text);
      if (!isList || /^(?:const|let|var|function|class|default)$/.test(token.text)) {
        // Goes back, because the keyword begins a declaration, which `module` handles.
        this.#next = begin;
        return;
      }
      words.push(token);
    }
    const from = this.#tokens[this.#next - 1]?.text ?? '';
    const names = words.map(({ text }) => text).filter((text) => !['type', 'from', '{', '}'].includes(text));
    if (verb === 'export' && names[0] === '*' && names.length === 1) passedOn.push(from);
    for (const [name = '', as, alias] of split(names)) {
      if (name !== '')
        imports.set(as === 'as' ? (alias ?? name) : name, { from, name: isDefault(words, name) ? 'default' : name });
    }
  }

  /** Reads up to a comma, a semicolon, or the end of the enclosing brackets. */
  #expression(): Expression {
    const references: string[][] = [];
    const inner: Expression[] = [];
    let text: string | undefined;
    const first = this.#next;
    for (let token = this.#token(); token !== undefined; token = this.#token()) {
      const { kind, text: word } = token;
      if (kind === 'mark' && [',', ';', '}', ']', ')'].includes(word)) break;
      if (kind === 'name' && this.#next > first && this.#isStatement(word)) break;
      if (kind === 'text' && this.#next === first) text = word;
      if (kind === 'mark' && Object.hasOwn(OPENING, word)) inner.push(...this.#group());
      else if (kind === 'name') references.push(this.#path());
      else this.#take();
    }
    return { fields: NO_FIELDS, references, inner, ...this.#since(first), ...(text === undefined ? {} : { text }) };
  }

  /** Returns the range from a token to the last token that was read. */
  #since(first: number): { readonly from: number; readonly to: number } {
    const from = this.#tokens[first]?.at ?? 0;
    const last = this.#tokens[Math.min(this.#next, this.#tokens.length) - 1];
    return { from, to: this.#next > first ? (last?.end ?? from) : from };
  }

  /** Whether a word begins a new statement, which may follow without a semicolon. */
  #isStatement(word: string): boolean {
    const isCast = this.#tokens[this.#next - 1]?.text === 'as';
    return /^(?:const|let|var|export|import|return|function)$/.test(word) && !isCast && !this.#isField();
  }

  /** Whether the last name that was read is the name of a field or member, as in `x.default` or `default:`. */
  #isField(): boolean {
    return this.#peek() === ':' || this.#tokens[this.#next - 2]?.text === '.';
  }

  #path(): string[] {
    const names = [(this.#take() as Token).text];
    while (this.#peek() === '.' && this.#tokens[this.#next + 1]?.kind === 'name') {
      this.#take();
      names.push((this.#take() as Token).text);
    }
    return names;
  }

  /** Reads the contents of brackets: one object, or the elements of a list. */
  #group(): readonly Expression[] {
    const { text: open } = this.#take() as Token;
    const close = OPENING[open] as string;
    if (open === '{') return [this.#object()];
    const found: Expression[] = [];
    while (this.#peek() !== undefined && this.#peek() !== close) {
      const before = this.#next;
      found.push(this.#expression());
      if (this.#next === before || this.#peek() === ',' || this.#peek() === ';') this.#take();
    }
    this.#take();
    return found;
  }

  #object(): Expression {
    const fields = new Map<string, Field>();
    const references: (readonly string[])[] = [];
    const inner: Expression[] = [];
    const object = { fields, references, inner, from: (this.#tokens[this.#next - 1] as Token).at, to: 0, last: 0 };
    this.#objects.push(object);
    object.last = object.from + 1;
    while (this.#peek() !== undefined && this.#peek() !== '}') {
      const before = this.#next;
      const token = this.#token() as Token;
      if (token.text === '...' && token.kind === 'mark') {
        this.#take();
        inner.push(this.#expression());
      } else if (token.kind !== 'mark') {
        this.#take();
        if (this.#peek() === ':') {
          this.#take();
          fields.set(token.text, { at: token.at, value: this.#expression() });
        } else if (this.#peek() === ',' || this.#peek() === '}') {
          const { at: from, end: to } = token;
          fields.set(token.text, {
            at: from,
            value: { fields: NO_FIELDS, references: [[token.text]], inner: [], from, to },
          });
        } else inner.push(this.#expression());
      } else if (token.text !== ',') inner.push(this.#expression());
      if (this.#next > before) object.last = this.#tokens[this.#next - 1]?.end ?? object.last;
      if (this.#next === before || this.#peek() === ',' || this.#peek() === ';') this.#take();
    }
    object.to = this.#take()?.end ?? object.last;
    return object;
  }

  #skipOne(): void {
    if (Object.hasOwn(OPENING, this.#peek() ?? '')) this.#group();
    else this.#take();
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  #token(): Token | undefined {
    return this.#tokens[this.#next];
  }

  /**
   * Returns the next mark or name without consuming it, or undefined at the end. For a string literal, returns an empty
   * string, so that its text is never mistaken for a mark.
   */
  #peek(): string | undefined {
    const token = this.#token();
    return token?.kind === 'text' ? '' : token?.text;
  }
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** Splits words at commas. */
function split(words: readonly string[]): readonly (readonly string[])[] {
  return words
    .join(' ')
    .split(',')
    .map((part) => part.trim().split(' '));
}

/** Whether a name is the default import, which comes before the braces. */
function isDefault(words: readonly Token[], name: string): boolean {
  const [first] = words.filter(({ text }) => text !== 'type');
  return first?.text === name && name !== '*';
}

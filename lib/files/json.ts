/**
 * Explains why a string is not valid JSON: where the first mistake is, and what is wrong there. Returns undefined if
 * the string is valid JSON. Quotes at most one character of the text, because the text may be secret. The parser's own message
 * quotes more, and names no place in some versions of Node.
 */
export function jsonProblem(text: string): string | undefined {
  try {
    new Reader(text).read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const lines = text.slice(0, error.at).split('\n');
    const found = String.fromCodePoint(text.codePointAt(error.at) ?? 0);
    const got = error.at >= text.length ? 'but the file ends here' : `got ${found === "'" ? `"'"` : shown(found)}`;
    return `line ${lines.length}, column ${(lines.at(-1) as string).length + 1}: expected ${error.expected}, ${got}`;
  }
}

function shown(character: string): string {
  return character === '\n' || character === '\r' ? 'the end of the line' : `'${character}'`;
}

class Mistake extends Error {
  public constructor(
    public readonly at: number,
    public readonly expected: string,
  ) {
    super(expected);
  }
}

/** Deeper values would overflow the stack. */
const MOST_LEVELS = 1000;

/** Reads JSON only to find its first mistake. */
class Reader {
  private at = 0;
  private depth = 0;

  public constructor(private readonly text: string) {}

  public read(): void {
    this.value('a value');
    if (this.at < this.text.length) throw new Mistake(this.at, 'nothing after the value');
  }

  private value(expected: string): void {
    this.space();
    if (++this.depth > MOST_LEVELS) this.fail(`at most ${MOST_LEVELS} nested values`);
    if (this.skip('{')) this.members();
    else if (this.skip('[')) this.elements();
    else if (this.text[this.at] === '"') this.string(expected);
    else if (!this.match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)) this.fail(expected);
    this.depth--;
    this.space();
  }

  private members(): void {
    this.space();
    if (this.skip('}')) return;
    for (let expected = `a name in double quotes or '}'`; ; expected = 'a name in double quotes') {
      this.space();
      this.string(expected);
      this.space();
      if (!this.skip(':')) this.fail("':'");
      this.value('a value');
      if (this.skip('}')) return;
      if (!this.skip(',')) this.fail("',' or '}'");
    }
  }

  private elements(): void {
    this.space();
    if (this.skip(']')) return;
    for (let expected = "a value or ']'"; ; expected = 'a value') {
      this.value(expected);
      if (this.skip(']')) return;
      if (!this.skip(',')) this.fail("',' or ']'");
    }
  }

  private string(expected: string): void {
    if (!this.skip('"')) this.fail(expected);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain control characters
    this.match(/(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))+/y);
    if (this.text[this.at] === '\\') this.fail('a valid escape, such as \\n or \\\\');
    if (!this.skip('"')) this.fail("the string's closing quote");
  }

  private space(): void {
    this.match(/[ \t\r\n]+/y);
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }

  private fail(expected: string): never {
    throw new Mistake(this.at, expected);
  }
}

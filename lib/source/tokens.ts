/** A token of source code; comments are not tokens. */
export interface Token {
  readonly kind: 'name' | 'text' | 'mark';
  /** The text of a name or mark, or a string without its quotes. */
  readonly text: string;
  /** The offset of the token's first character. */
  readonly at: number;
  /** The offset just after the token. */
  readonly end: number;
}

// The regular expressions are sticky, so that each match begins where the previous match ended.
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const NAME = /[\p{L}\p{N}_$#][\p{L}\p{N}_$\u200c\u200d]*/uy;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)+\/\w*/y;
const MARK = /=>|\.\.\.|[\s\S]/y;

/**
 * Splits TypeScript or JavaScript into tokens. Never throws, even for code that does not compile.
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const match = (form: RegExp) => {
      form.lastIndex = at;
      return form.exec(source)?.[0];
    };
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const template = source[at] === '`' ? templateAt(source, at) : undefined;
    const quoted = template ?? match(QUOTED);
    const regex = quoted === undefined && endsNoValue(tokens.at(-1)) ? match(REGEX) : undefined;
    const name = match(NAME);
    const found = quoted ?? regex ?? name ?? (match(MARK) as string);
    const end = at + found.length;
    if (quoted !== undefined) tokens.push({ kind: 'text', text: unquoted(quoted), at, end });
    else if (regex !== undefined) tokens.push({ kind: 'text', text: regex, at, end });
    else tokens.push({ kind: name === undefined ? 'mark' : 'name', text: found, at, end });
    at = end;
  }
  return tokens;
}

/** Whether a slash after a token begins a regular expression. After a value, a slash is a division operator. */
function endsNoValue(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'mark') return ![')', ']', '}'].includes(before.text);
  return before.kind === 'name' && /^(?:return|typeof|case|in|of|await|yield)$/.test(before.text);
}

/** Returns the text of a whole template literal, including the code in its placeholders. */
function templateAt(source: string, begin: number): string {
  let depth = 0;
  for (let at = begin + 1; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (depth === 0 && character === '`') return source.slice(begin, at + 1);
    else if (depth === 0 && character === '$' && source[at + 1] === '{') {
      depth = 1;
      at++;
    } else if (depth > 0 && character === '{') depth++;
    else if (depth > 0 && character === '}') depth--;
    else if (depth > 0 && character === '`') at += templateAt(source, at).length - 1;
  }
  return source.slice(begin);
}

function unquoted(text: string): string {
  return text.slice(1, text.length > 1 && text.endsWith(text[0] as string) ? -1 : undefined).replace(/\\(.)/g, '$1');
}

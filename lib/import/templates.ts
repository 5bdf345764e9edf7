import { formats } from '../design/formats';
import { isObject } from '../design/show';
import { render, useFormats } from '../design/template';
import type { Item } from '../items/item';

/** The values from which an item was built, and the item as stored. */
export interface Example {
  readonly values: Item;
  readonly item: Item;
}

/** A template that was proposed for a key. */
export interface Proposal {
  /** The template; undefined if the key is an ordinary attribute. */
  readonly template?: string;
  /** The names that the template gives to key parts that are not attributes. */
  readonly unknown: readonly string[];
  /** Remarks on other templates that would fit the same keys. */
  readonly doubts: readonly string[];
}

export interface Proposing {
  readonly separator: string;
  /** Attributes that are never part of a key, such as the type. */
  readonly except?: ReadonlySet<string>;
  /** Whether each example was generated from different values, so that text shared by all examples must be literal. */
  readonly varied?: boolean;
  /** The names for parts that are not attributes, from left to right. @default - the names are derived from the text before each part */
  readonly hints?: readonly string[];
}

/**
 * Proposes a template that reproduces the key of every example. Matches the keys with the examples' values, from left
 * to right; returns undefined if the keys have no common form.
 */
export function proposeTemplate(key: string, examples: readonly Example[], options: Proposing): Proposal | undefined {
  useFormats(formats);
  const having = examples.filter(({ item }) => typeof item[key] === 'string');
  if (having.length === 0) return undefined;
  const candidates = candidatesIn(having, options);
  let rests = having.map(({ item }) => item[key] as string);
  let template = '';
  const [unknown, doubts]: [string[], string[]] = [[], []];
  const consume = (text: string, lengths: readonly number[]) => {
    template += text;
    rests = rests.map((rest, i) => rest.slice(lengths[i]));
  };
  while (rests.some((rest) => rest !== '')) {
    const found = attributeAt(rests, candidates, options);
    const literal = found?.isConstant !== false ? literalAt(rests, candidates, options) : '';
    if (found !== undefined && (literal === '' || !/^[\p{Lu}_]+$/u.test(found.texts[0] as string))) {
      if (found.isConstant) doubts.push(`<${found.part}> has the same value in all examples, and may be literal text`);
      if (found.others.length > 0) doubts.push(`<${found.part}> could also be <${found.others.join('> or <')}>`);
      consume(
        `<${found.part}>`,
        found.texts.map(({ length }) => length),
      );
    } else if (literal !== '') {
      if (/[<>]/.test(literal)) return undefined;
      consume(
        literal,
        rests.map(() => literal.length),
      );
    } else {
      const lengths = rests.map((rest) =>
        rest.includes(options.separator) ? rest.indexOf(options.separator) : rest.length,
      );
      if (lengths.includes(0)) return undefined;
      const name = options.hints?.[unknown.length] ?? nameAfter(template, key, [...candidates.keys(), ...unknown]);
      unknown.push(name);
      consume(`<${name}>`, lengths);
    }
  }
  const isWhole = unknown.length === 1 && template === `<${unknown[0]}>`;
  return isWhole && options.hints === undefined ? { unknown: [], doubts } : { template, unknown, doubts };
}

/** The text of each candidate template part, such as `createdAt:date`, in every example. */
type Candidates = ReadonlyMap<string, readonly (string | undefined)[]>;

const FORMATS = ['', ':lower', ':upper', ':date', ':year', ':month', ':day', ':hour'];

function candidatesIn(examples: readonly Example[], { except }: Proposing): Candidates {
  const paths = new Set(examples.flatMap(({ values }) => [...pathsIn(values)]));
  const texts = new Map<string, readonly (string | undefined)[]>();
  for (const path of paths) {
    if (except?.has(path.split('.')[0] as string)) continue;
    for (const format of FORMATS) {
      const rendered = examples.map(({ values }) => renderedBy(`<${path}${format}>`, values));
      const plain = texts.get(path);
      // A format that does not change the text is redundant.
      if (format !== '' && rendered.every((text, i) => text === plain?.[i])) continue;
      if (rendered.some((text) => text !== undefined)) texts.set(`${path}${format}`, rendered);
    }
    for (const width of widthsOf(examples, path))
      texts.set(
        `${path}:${width}`,
        examples.map(({ values }) => renderedBy(`<${path}:${width}>`, values)),
      );
  }
  return texts;
}

/** Returns the possible widths of a padded number: the lengths of all runs of digits in the stored strings. */
function widthsOf(examples: readonly Example[], path: string): readonly string[] {
  const isNumber = examples.some(({ values }) => typeof path.split('.').reduce<unknown>(stepInto, values) === 'number');
  if (!isNumber) return [];
  const runs = examples.flatMap(({ item }) =>
    Object.values(item).flatMap((value) => (typeof value === 'string' ? (value.match(/\d{2,38}/g) ?? []) : [])),
  );
  return [...new Set(runs.map(({ length }) => length))].flatMap((length) => [`${length}`, `down:${length}`]);
}

function stepInto(value: unknown, step: string): unknown {
  return isObject(value) ? value[step] : undefined;
}

function renderedBy(template: string, values: Item): string | undefined {
  try {
    return render(template, values, { separator: '\u0000', maxBytes: 2048 });
  } catch {
    return undefined;
  }
}

/** Lists the paths of strings and numbers, including paths inside maps. */
function* pathsIn(values: object, before = '', depth = 0): Iterable<string> {
  for (const [name, value] of Object.entries(values)) {
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') yield `${before}${name}`;
    else if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype && depth < 2)
      yield* pathsIn(value, `${before}${name}.`, depth + 1);
  }
}

interface Found {
  readonly part: string;
  readonly texts: readonly string[];
  readonly isConstant: boolean;
  readonly others: readonly string[];
}

/**
 * Finds the attribute whose value every remaining string starts with. Prefers longer values, because one value may be a
 * prefix of another.
 */
function attributeAt(rests: readonly string[], candidates: Candidates, { varied }: Proposing): Found | undefined {
  const fitting = [...candidates].filter(([part, texts]) => {
    if (!rests.every((rest, i) => texts[i] !== undefined && texts[i] !== '' && rest.startsWith(texts[i] as string)))
      return false;
    // Padded numbers and pieces of timestamps have a fixed length. Any other value must end at a word boundary.
    const isFixed = /:(\d|down|date|year|month|day|hour)/.test(part);
    return isFixed || rests.every((rest, i) => !/^[\p{L}\p{N}]/u.test(rest.slice((texts[i] as string).length)));
  });
  const found = fitting
    .map(([part, texts]) => ({ part, texts: texts as readonly string[], isConstant: new Set(texts).size === 1 }))
    .filter(({ isConstant }) => !(varied && isConstant))
    .sort(
      (a, b) =>
        Number(a.isConstant) - Number(b.isConstant) || total(b.texts) - total(a.texts) || order(a.part) - order(b.part),
    );
  const [best, ...more] = found;
  if (best === undefined) return undefined;
  const nameOf = (part: string) => part.split(':')[0] as string;
  const rivals = more.filter(
    ({ part, texts, isConstant }) =>
      isConstant === best.isConstant && total(texts) === total(best.texts) && nameOf(part) !== nameOf(best.part),
  );
  return { ...best, others: [...new Set(rivals.map(({ part }) => part))] };
}

/** A sort rank: parts without a format come first. */
function order(part: string): number {
  return part.includes(':') ? 1 : 0;
}

function total(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Finds the literal text at the beginning of all remaining strings, up to the next separator or the next attribute. */
function literalAt(rests: readonly string[], candidates: Candidates, options: Proposing): string {
  const [first = '', ...more] = rests;
  let common = first.length;
  for (const rest of more) {
    let length = 0;
    while (length < common && rest[length] === first[length]) length++;
    common = length;
  }
  if (rests.every(({ length }) => length === common)) {
    // A single example cannot distinguish an id from literal text.
    const isPlain = options.varied || rests.length > 1 || !/\d/.test(first);
    if (isPlain && !first.includes(options.separator)) return first;
  }
  for (let length = 1; length <= common; length++) {
    const literal = first.slice(0, length);
    const isEnd = options.varied ? /[^\p{L}\p{N}]$/u.test(literal) : literal.endsWith(options.separator);
    if (isEnd) return !options.varied && rests.length === 1 && /\d/.test(literal) ? '' : literal;
    if (length === common) break;
    const inside = attributeAt(
      rests.map((rest) => rest.slice(length)),
      candidates,
      options,
    );
    if (inside?.isConstant === false) return literal;
  }
  return '';
}

/** Invents a name for a part of a key: after `USER#`, the part is called `userId`. */
function nameAfter(template: string, key: string, taken: readonly string[]): string {
  const word = /([\p{L}\p{N}]+)[^\p{L}\p{N}<>]*$/u.exec(template)?.[1];
  const base = word === undefined ? `${key.toLowerCase()}Part` : `${word.toLowerCase()}Id`;
  let name = base;
  for (let i = 2; taken.includes(name); i++) name = `${base}${i}`;
  return name;
}

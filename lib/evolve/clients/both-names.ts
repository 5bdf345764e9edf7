import type { Item } from '../../items/item';

/** The new names of attributes, keyed by their old names. */
export type Renamed = Readonly<Record<string, string>>;

/** Returns an item with its renamed attributes under both names. */
export function withOldNames(item: Item, renamed: Renamed): Item {
  const old = Object.entries(renamed).filter(([, now]) => Object.hasOwn(item, now));
  return old.length === 0 ? item : { ...item, ...Object.fromEntries(old.map(([was, now]) => [was, item[now]])) };
}

type Names = Record<string, string>;

/** Makes an update change renamed attributes under both names. */
export function updatingBoth(input: Item, renamed: Renamed): Item {
  const { UpdateExpression: text, ExpressionAttributeNames: names } = input as {
    UpdateExpression?: string;
    ExpressionAttributeNames?: Names;
  };
  if (text === undefined || names === undefined || Object.keys(renamed).length === 0) return input;
  const more: Names = {};
  const clauses = text.split(/ ?\b(?=(?:SET|REMOVE|ADD|DELETE) )/).filter((clause) => clause !== '');
  const both = clauses.map((clause) => {
    const [, verb = '', list = ''] = /^(SET|REMOVE|ADD|DELETE) (.*)$/s.exec(clause) ?? [];
    const terms = termsOf(list);
    const old = terms.map((term) => byOldNames(term, names, renamed, more)).filter((term) => !terms.includes(term));
    return `${verb} ${[...terms, ...old].join(', ')}`;
  });
  return { ...input, UpdateExpression: both.join(' '), ExpressionAttributeNames: { ...names, ...more } };
}

/** Makes a request test renamed attributes under their old names, which all items contain. */
export function testingOld(input: Item, renamed: Renamed): Item {
  const { ExpressionAttributeNames: names } = input as { ExpressionAttributeNames?: Names };
  if (names === undefined) return input;
  const more: Names = {};
  const tests = ['ConditionExpression', 'FilterExpression'].flatMap((field) =>
    typeof input[field] === 'string' ? [[field, byOldNames(input[field], names, renamed, more)]] : [],
  );
  return { ...input, ...Object.fromEntries(tests), ExpressionAttributeNames: { ...names, ...more } };
}

/**
 * Replaces renamed attributes in an expression with their old names, and adds the placeholders of the old names to
 * `more`.
 */
function byOldNames(text: string, names: Names, renamed: Renamed, more: Names): string {
  // A name after a dot is a field of a map, not an attribute.
  return text.replace(/(?<!\.)#\w+/g, (placeholder) => {
    const was = Object.keys(renamed).find((old) => renamed[old] === names[placeholder]);
    if (was === undefined) return placeholder;
    more[`${placeholder}_old`] = was;
    return `${placeholder}_old`;
  });
}

/** Splits a list into its terms, at the commas that are not inside a function call. */
function termsOf(list: string): readonly string[] {
  const terms: string[] = [];
  let depth = 0;
  let term = '';
  for (const character of list) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) {
      terms.push(term.trim());
      term = '';
    } else term += character;
  }
  return term.trim() === '' ? terms : [...terms, term.trim()];
}

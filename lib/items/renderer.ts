import type { QuickTest } from '../blueprint/attributes/quick';
import { partsOf } from '../blueprint/template-parts';
import { type KeyRules, mapParts, render, type Template } from '../design/template';

type Render = (values: object) => string;

/**
 * Prepares a template for many renderings. Plain names, by far the most common parts, are looked up directly. Other
 * parts, and values that fail their part's test, take the slow path.
 */
export function renderer(
  template: Template,
  rules: KeyRules,
  slow: Render,
  tests: readonly (QuickTest | undefined)[],
): Render {
  const plain = plainParts(template);
  if (plain === undefined) return slow;
  const { separator, maxBytes } = rules;
  const { names, texts } = plain;
  const [text = ''] = texts;
  if (names.length === 0 && text.length * 3 <= maxBytes) return () => text;
  return (values) => {
    let key = text;
    for (let i = 0; i < names.length; i++) {
      const value = (values as Record<string, unknown> | undefined)?.[names[i] as string];
      if (typeof value !== 'string' || !isFit(value, separator) || tests[i]?.(value) === false) return slow(values);
      key += value + texts[i + 1];
    }
    return key.length * 3 > maxBytes ? slow(values) : key;
  };
}

/** Like `renderer`, but for values that have already passed all their tests. */
export function plainRenderer(template: Template, rules: KeyRules): Render {
  return renderer(template, rules, (values) => render(template, values, rules), []);
}

/**
 * Returns the names of a template's parts and the literal text around them, if all parts are plain. Otherwise
 * undefined.
 */
export function plainParts(template: Template): { names: readonly string[]; texts: readonly string[] } | undefined {
  const parts = partsOf(template);
  if (template.faults.length > 0 || parts.some(({ path, format }) => path.length > 1 || format !== undefined))
    return undefined;
  const texts = [''];
  mapParts(
    template,
    (text) => {
      texts[texts.length - 1] = text;
    },
    () => texts.push(''),
  );
  return { names: parts.map(({ name }) => name), texts };
}

/** Whether a string can be part of a key without encoding. */
export function isFit(text: string, separator: string): boolean {
  return text !== '' && !text.includes(separator) && text.isWellFormed();
}

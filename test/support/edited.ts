import { z } from 'zod';
import type { Edit } from '../../lib/check/findings/finding';
import { changed } from './changed';
import { type Design, withFault } from './planted';

/** Applies a finding's edits to the design object, not to its source. */
export function withEdits(design: Design, edits: readonly Edit[]): Design {
  return edits.reduce((copy, edit) => {
    const steps = stepsIn(copy, edit.path);
    const now = steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], copy);
    if (edit.rename !== undefined)
      return changed(changed(copy, steps, undefined), [...steps.slice(0, -1), edit.rename], now);
    if (edit.replace !== undefined) return changed(copy, steps, replaced(now, edit.replace));
    const value = edit.code === undefined ? undefined : new Function('z', `return (${edit.code})`)(z);
    return steps.includes('attributes') ? withFault(copy, { [edit.path]: value }) : changed(copy, steps, value);
  }, design);
}

/** Splits a path into names that exist in the value, not at every period, because a name may contain periods. */
function stepsIn(value: unknown, path: string): readonly string[] {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const name = names.filter((one) => `${path}.`.startsWith(`${one}.`)).sort((a, b) => b.length - a.length)[0];
  if (name === undefined) return path.split('.');
  if (name === path) return [name];
  return [name, ...stepsIn((value as Record<string, unknown>)[name], path.slice(name.length + 1))];
}

function replaced(value: unknown, [from, to]: readonly [string, string]): unknown {
  const isWhole = /^'.*'$/.test(from);
  const [before, after] = isWhole ? [from.slice(1, -1), to.slice(1, -1)] : [from, to];
  if (typeof value === 'string') return isWhole ? (value === before ? after : value) : value.replace(before, after);
  if (Array.isArray(value)) return value.map((one) => replaced(one, [from, to]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, [from, to])]));
}

import type { Path } from './syntax';
import type { Attributes, Value } from './values';

/** Returns the part of an item that a projection selects. A list keeps only its selected elements. */
export function projected(item: Attributes, paths: readonly Path[]): Attributes {
  return (pick({ M: item }, paths) as { M?: Attributes } | undefined)?.M ?? {};
}

function pick(value: Value, paths: readonly Path[]): Value | undefined {
  if (paths.some(({ length }) => length === 0)) return value;
  const parts = [...new Set(paths.map(([part]) => part as string | number))];
  const inner = (part: string | number, found: Value | undefined) =>
    found === undefined
      ? undefined
      : pick(
          found,
          paths.filter(([first]) => first === part).map(([, ...rest]) => rest),
        );
  if (typeof parts[0] === 'number') {
    const list = value.L as readonly Value[] | undefined;
    const found = (parts as number[]).sort((a, b) => a - b).flatMap((part) => inner(part, list?.[part]) ?? []);
    return found.length === 0 ? undefined : { L: found };
  }
  const map = value.M as Attributes | undefined;
  const found = parts.flatMap((part) => {
    const one = map !== undefined && Object.hasOwn(map, part) ? inner(part, map[part as string]) : undefined;
    return one === undefined ? [] : [[part, one] as const];
  });
  return found.length === 0 ? undefined : { M: Object.fromEntries(found) };
}

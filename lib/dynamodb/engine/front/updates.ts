import type { Table } from './catalogue';
import { invalid } from './refusal';
import { checkIndexValue } from './rules/keys';
import { targetsOf } from './rules/paths';
import type { Assigned, Operand, Path, Update } from './syntax';
import type { Attributes, Value } from './values';

/**
 * Whether the front must read the stored item and rewrite the update, because the engine would get the update wrong.
 */
export function needsItem(update: Update, table: Table): boolean {
  return (
    targetsOf(update).some(({ length }) => length > 1) ||
    fallbacksOf(update).length > 0 ||
    copiesIndexKey(update, table)
  );
}

/**
 * Rewrites an update so that the engine changes the item as DynamoDB would. A position past the end of a list becomes
 * an append. Positions are removed from the last to the first, because the engine shifts the list after each removal.
 * Refuses an update that DynamoDB would refuse for this item.
 */
export function settledUpdate(update: Update, item: Attributes | undefined, table: Table): Update {
  for (const target of targetsOf(update)) if (!hasParent(item, target)) throw invalidPath();
  if (fallbacksOf(update).some((path) => valueAt(item, path) === undefined))
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  checkCopies(update, item, table);
  const appended = new Map<string, number>();
  const placed = <T>(changes: readonly (readonly [Path, T])[]): (readonly [Path, T])[] => [
    ...changes.filter(([path]) => !isPast(item, path)),
    ...changes
      .filter(([path]) => isPast(item, path))
      .sort(([a], [b]) => last(a) - last(b))
      .map(([path, change]) => [appendedAt(path), change] as const),
  ];
  const appendedAt = (path: Path): Path => {
    const parent = path.slice(0, -1);
    const place = JSON.stringify(parent);
    const position = appended.get(place) ?? listAt(item, parent)?.length ?? 0;
    appended.set(place, position + 1);
    return [...parent, position];
  };
  const remove = [...update.remove].filter((path) => !isPast(item, path)).sort(lastFirst);
  const set = placed(update.set);
  // The engine runs REMOVE before ADD, so a list is already shorter when ADD appends to it.
  for (const path of remove.filter(isPosition)) {
    const place = JSON.stringify(path.slice(0, -1));
    appended.set(place, (appended.get(place) ?? listAt(item, path.slice(0, -1))?.length ?? 0) - 1);
  }
  const add = placed(update.add);
  const isNothing = remove.length + set.length + update.add.length + update.delete.length === 0;
  return isNothing ? update : { ...update, set, add, remove };
}

/** Sorts paths by name, and the positions in a list from the last to the first. */
function lastFirst(one: Path, two: Path): number {
  const at = one.findIndex((part, i) => part !== two[i]);
  const [a, b] = [one[at], two[at]];
  if (typeof a === 'number' && typeof b === 'number') return b - a;
  return String(a) < String(b) ? -1 : 1;
}

export function invalidPath() {
  return invalid('The document path provided in the update expression is invalid for update');
}

/** Returns the value at a path in an item. */
export function valueAt(item: Attributes | undefined, path: Path): Value | undefined {
  let value: Value | undefined = item === undefined ? undefined : { M: item };
  for (const part of path) {
    const { M, L } = (value ?? {}) as { M?: Attributes; L?: readonly Value[] };
    value = typeof part === 'number' ? L?.[part] : M !== undefined && Object.hasOwn(M, part) ? M[part] : undefined;
  }
  return value;
}

function hasParent(item: Attributes | undefined, path: Path): boolean {
  if (path.length === 1) return true;
  const parent = valueAt(item, path.slice(0, -1));
  return (isPosition(path) ? parent?.L : parent?.M) !== undefined;
}

function listAt(item: Attributes | undefined, path: Path): readonly Value[] | undefined {
  return valueAt(item, path)?.L as readonly Value[] | undefined;
}

function isPosition(path: Path): boolean {
  return typeof path.at(-1) === 'number';
}

function last(path: Path): number {
  return path.at(-1) as number;
}

function isPast(item: Attributes | undefined, path: Path): boolean {
  return isPosition(path) && last(path) >= (listAt(item, path.slice(0, -1))?.length ?? 0);
}

/**
 * Returns the paths in the fallbacks of `if_not_exists`. DynamoDB reads these fallbacks even if the attribute exists.
 */
function fallbacksOf({ set }: Update): readonly Path[] {
  const within = (assigned: Assigned): readonly Path[] => {
    if (!('operands' in assigned)) return [];
    const fallback = assigned.kind === 'call' && assigned.name === 'if_not_exists' ? assigned.operands[1] : undefined;
    return [...(fallback?.kind === 'path' ? [fallback.path] : []), ...assigned.operands.flatMap(within)];
  };
  return set.flatMap(([, assigned]) => within(assigned));
}

/** Returns the paths from which an assignment can copy a value. */
function copiedPaths(assigned: Assigned): readonly Path[] {
  if (assigned.kind === 'path') return [assigned.path];
  if (assigned.kind !== 'call' || assigned.name !== 'if_not_exists') return [];
  return assigned.operands.flatMap((operand: Operand) => copiedPaths(operand));
}

function indexKeysNamed({ indexes }: Table, name: string) {
  return Array.from(indexes.values()).flatMap(({ name: index, key }) =>
    (['partition', 'sort'] as const).flatMap((part) =>
      key[part].filter((attribute) => attribute.name === name).map((attribute) => ({ index, attribute, part })),
    ),
  );
}

function copiesIndexKey({ set }: Update, table: Table): boolean {
  return set.some(
    ([[name], assigned]) => copiedPaths(assigned).length > 0 && indexKeysNamed(table, name as string).length > 0,
  );
}

function checkCopies({ set }: Update, item: Attributes | undefined, table: Table): void {
  for (const [[name], assigned] of set) {
    const value = copiedPaths(assigned)
      .map((path) => valueAt(item, path))
      .find((found) => found !== undefined);
    if (value === undefined) continue;
    for (const { index, attribute, part } of indexKeysNamed(table, name as string))
      checkIndexValue(index, attribute, value, part);
  }
}

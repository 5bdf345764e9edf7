/**
 * Returns a copy of a value with a change at a path: `changed(blog, ['tables', 'blog', 'ttl'], 'x')`. If the new value
 * is undefined, removes the value at the path.
 */
export function changed<T>(value: T, [step, ...rest]: readonly string[], to: unknown): T {
  if (step === undefined) return to as T;
  if (Array.isArray(value)) {
    const next = changed(value[Number(step)], rest, to);
    return (next === undefined ? value.toSpliced(Number(step), 1) : value.with(Number(step), next)) as T;
  }
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  const next = changed(inner ?? {}, rest, to);
  if (rest.length === 0 && next === undefined) return others as T;
  // Keeps the key's position, because the order of the keys determines the order of the output.
  return { ...(value as object), [step]: next } as T;
}

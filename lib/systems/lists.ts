interface List<V, I> {
  all(values: V, options: { readonly onUnknown: 'throw' }): AsyncIterable<I>;
}

/** Returns every item of a list. Throws if an item is unreadable, because the caller's decision may depend on it. */
export async function everyItem<V, I>(list: List<V, I>, values: V): Promise<readonly I[]> {
  const found: I[] = [];
  for await (const item of list.all(values, { onUnknown: 'throw' })) found.push(item);
  return found;
}

interface List<V, I> {
  all(values: V, options: { readonly onUnknown: 'throw' }): AsyncIterable<I>;
}

/** Returns all items of a list, for a decision based on them. Throws if an item is unreadable, as it might matter. */
export async function everyItem<V, I>(list: List<V, I>, values: V): Promise<readonly I[]> {
  const found: I[] = [];
  for await (const item of list.all(values, { onUnknown: 'throw' })) found.push(item);
  return found;
}

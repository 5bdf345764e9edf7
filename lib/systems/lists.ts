interface List<V, I> {
  all(values: V, options: { readonly onUnknown: 'throw' }): AsyncIterable<I>;
}

/**
 * Returns every item of a list, for a decision that depends on all of them. Throws if an item is unreadable, because
 * that item might matter.
 */
export async function everyItem<V, I>(list: List<V, I>, values: V): Promise<readonly I[]> {
  const found: I[] = [];
  for await (const item of list.all(values, { onUnknown: 'throw' })) found.push(item);
  return found;
}

interface List<V, I> {
  all(values: V, options: { readonly onUnknown: 'throw' }): AsyncIterable<I>;
}

/** All items of a list, for a decision. The function throws if an item is unreadable, because this item might change the decision. */
export async function everyItem<V, I>(list: List<V, I>, values: V): Promise<readonly I[]> {
  const found: I[] = [];
  for await (const item of list.all(values, { onUnknown: 'throw' })) found.push(item);
  return found;
}

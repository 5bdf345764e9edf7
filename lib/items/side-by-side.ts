/**
 * Runs `work` for each element, on a few elements at a time. After a failure, the function starts no further work and
 * throws only when all running work has ended, so that nothing is written after the error.
 */
export async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<unknown>, width = 4): Promise<void> {
  let next = 0;
  const worker = async () => {
    try {
      while (next < all.length) await work(all[next++] as T);
    } catch (error) {
      next = all.length;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(width, all.length) }, worker));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

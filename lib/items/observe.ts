/** Tells an observer: what is wrong with it is warned of, and never changes what came of the request. */
export function tell<O>(observe: ((observation: O) => unknown) | undefined, observation: O): void {
  if (observe === undefined) return;
  try {
    const told = observe(observation);
    // One that is async fails later, and nobody else waits for it.
    if (told instanceof Promise) told.catch(warn);
  } catch (fault) {
    warn(fault);
  }
}

function warn(fault: unknown): void {
  console.warn(
    `an observer failed, which changes nothing of its request: ${fault instanceof Error ? fault.message : fault}`,
  );
}

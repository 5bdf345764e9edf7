import { setMaxListeners } from 'node:events';

/** Ends every request under way when it aborts; any number of them may wait for it, without a warning from Node. */
export function endingOfAll(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}

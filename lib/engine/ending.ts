import { setMaxListeners } from 'node:events';

/**
 * An AbortController that aborts all requests in flight; any number of requests may listen to its signal without a
 * warning from Node.
 */
export function endingOfAll(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}

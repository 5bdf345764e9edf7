import { setMaxListeners } from 'node:events';

/** An AbortController that ends all requests in flight; any number may listen to it without a warning from Node. */
export function endingOfAll(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}

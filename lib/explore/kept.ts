import type { RunView } from './view';

/** A run for a file that is the same whenever it is written: what is made anew for each call is said to be so. */
export function kept(run: RunView): RunView {
  return { ...run, requests: run.requests.map((request) => ({ ...request, input: settled(request.input) })) };
}

const MADE = '<made anew for each call>';

function settled(input: unknown): unknown {
  const isRecord = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isRecord && 'ClientRequestToken' in input ? { ...input, ClientRequestToken: MADE } : input;
}

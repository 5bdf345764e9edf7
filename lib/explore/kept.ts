import type { RunView } from './view';

/** A run for a file that is the same whenever it is written: what is made anew for each call is said to be so. */
export function kept(run: RunView): RunView {
  return {
    ...run,
    requests: run.requests.map((request) => ({ ...request, input: settled(request.input) })),
    ...(run.answer === undefined ? {} : { answer: settled(run.answer) }),
  };
}

const MADE = '<made anew for each call>';

/** The token of a transaction, and the ETag that Azure Tables makes of the time of a write. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  const isMade = (name: string, one: unknown) =>
    name === 'ClientRequestToken' || (name === 'etag' && String(one).startsWith('W/"datetime'));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isMade(name, one) ? MADE : settled(one)]),
  );
}

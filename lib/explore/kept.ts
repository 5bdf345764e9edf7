import type { RunView } from './view';

/** Replaces the values that differ from run to run, so that a regenerated file is unchanged. */
export function kept(run: RunView): RunView {
  return {
    ...run,
    requests: run.requests.map((request) => ({ ...request, input: settled(request.input) })),
    ...(run.answer === undefined ? {} : { answer: settled(run.answer) }),
  };
}

const MADE = '<new for each call>';

/** Replaces the token of a transaction, and the ETag that Azure Tables derives from the time of a write. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  const isMade = (name: string, field: unknown) =>
    name === 'ClientRequestToken' || (name === 'etag' && String(field).startsWith('W/"datetime'));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isMade(name, field) ? MADE : settled(field)]),
  );
}

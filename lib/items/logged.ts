import type { Observation } from './observe';

/** Where to write the lines. */
export interface LogOptions {
  /** @default - console.log, which ends up in CloudWatch Logs or Application Insights */
  readonly write?: (line: string) => void;
}

/**
 * An observer that logs every request as one line of JSON: the tenant and the API key of the client's `context`, what was done, how
 * long it took, and the name of its error. It logs no values, so nothing that users store ends up in a log.
 */
export function logged({ write = console.log }: LogOptions = {}): (observation: Observation) => void {
  return ({ table, pattern, operation, milliseconds, capacity, error, unknown, context: { tenantId, apiKeyId } }) =>
    write(
      JSON.stringify({
        tenantId,
        apiKeyId,
        table,
        pattern,
        operation,
        latency: Math.round(milliseconds * 10) / 10,
        capacity,
        error: error === undefined ? undefined : nameOf(error),
        unknown: unknown?.length,
      }),
    );
}

/** Only the name of an error: messages may quote values. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

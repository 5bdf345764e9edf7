import type { Observation } from './observe';

/** The destination of the log lines. */
export interface LogOptions {
  /** @default - console.log, whose output reaches CloudWatch Logs or Application Insights */
  readonly write?: (line: string) => void;
}

/**
 * Returns an observer that logs every request as one line of JSON. The line contains the tenant's ID and the API key's
 * ID from the client's `context`, the operation and its duration, and the name of any error. It contains no values, so
 * users' data never appears in a log.
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

/** The log contains only the name of an error, because the error's message may quote values. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

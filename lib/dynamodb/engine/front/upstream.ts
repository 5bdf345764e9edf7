import { Agent, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends one request to the engine. `target` contains the API and the operation, as in the header `X-Amz-Target`. */
export type Upstream = (target: string, body: string) => Promise<Answer>;

/** The engine requires a signature, but accepts any signature. */
const SIGNED =
  'AWS4-HMAC-SHA256 Credential=front/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

/** How long the front waits for a response from the engine, in milliseconds. */
const PATIENCE = 30_000;

/** Creates an upstream that keeps its connections to the engine open until `close`. */
export function upstreamAt(host: string, port: number): { readonly send: Upstream; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send: Upstream = (target, body) =>
    new Promise((resolve, reject) => {
      const headers = {
        'X-Amz-Target': target,
        'X-Amz-Date': '20200101T000000Z',
        'Content-Type': 'application/x-amz-json-1.0',
        'Content-Length': Buffer.byteLength(body),
        Authorization: SIGNED,
      };
      const sent = request({ agent, host, port, method: 'POST', path: '/', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 500, body: Buffer.concat(chunks).toString('utf8') }),
        );
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.setTimeout(PATIENCE, () => sent.destroy(new Error(`no response within ${PATIENCE / 1000} seconds`)));
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from './refusal';
import { type Credentials, signatureCheck } from './signature';
import type { Answer } from './upstream';

const LARGEST_BODY = 16 * 1024 * 1024 + 1024 * 1024;

export interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves requests signed with the given credentials, on the loopback address. The server sends no CORS headers. It
 * refuses requests that a browser sends for a web page, and (against DNS rebinding) requests whose Host is not this
 * machine.
 */
export async function serve(
  credentials: Credentials,
  answer: (target: string, body: string) => Promise<Answer>,
  port = 0,
): Promise<Served> {
  const checkSignature = signatureCheck(credentials);
  const server = createServer((request, response) => {
    void handle(request)
      .catch(answerOf)
      .then(({ status, body }) => end(response, status, body));
  });
  async function handle(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '/', headers } = request;
    refuseBrowsers(method, headers);
    const body = await bodyOf(request);
    checkSignature(method, url, headers, body);
    return answer(String(headers['x-amz-target'] ?? ''), body.toString('utf8'));
  }
  await listen(server, port);
  // An idle server must not keep the process alive; during a request, the sender does.
  server.unref();
  server.on('connection', (socket) => socket.unref());
  server.keepAliveTimeout = 60_000;
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns the response that DynamoDB would send for a refused request. */
export function answerOf(error: unknown): Answer {
  const { type, message, more } = error instanceof Refusal ? error : internal(error as Error);
  const space = /^(Validation|Serialization|Unrecognized|Missing|Incomplete|InvalidSig)/.test(type)
    ? 'com.amazon.coral.validate'
    : 'com.amazonaws.dynamodb.v20120810';
  return {
    status: type === 'AccessDeniedException' ? 403 : 400,
    body: JSON.stringify({ __type: `${space}#${type}`, message, ...more }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function refuseBrowsers(method: string, headers: IncomingMessage['headers']): void {
  const denied = (reason: string) => new Refusal('AccessDeniedException', reason);
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? ''))
    throw denied('this engine accepts only requests to 127.0.0.1');
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw denied('this engine refuses requests from web pages');
  if (method !== 'POST') throw denied('this engine accepts only POST requests');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Refusal('RequestEntityTooLargeException', 'The request is larger than 16 MB');
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/x-amz-json-1.0',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function internal(error: Error): Refusal {
  return new Refusal('InternalServerError', error.message);
}

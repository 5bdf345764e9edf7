import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way to an engine. */
export interface Passing {
  readonly method: string;
  readonly url: string;
  /** The requested DynamoDB operation, such as `PutItem`. */
  readonly operation: string;
}

/**
 * Creates a proxy that loses an engine's responses: the engine executes the request, but the connection breaks before
 * the response arrives. The proxy stops at the end of the test file.
 */
export function lossyWay() {
  let isLost: (passing: Passing) => boolean = () => false;
  const passed: Passing[] = [];
  let target = '';
  const server = createServer(async (incoming, outgoing) => {
    const body = await wholeOf(incoming);
    const { method = '', url = '', headers } = incoming;
    const passing = { method, url, operation: String(headers['x-amz-target'] ?? '').replace(/^.*\./, '') };
    passed.push(passing);
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const text = await wholeOf(answer);
      if (isLost(passing)) incoming.socket.destroy();
      else outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(text);
    });
    onward.end(body);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    /** Starts the proxy if necessary, points it at an engine, and returns the proxy's address. */
    async to(endpoint: string): Promise<string> {
      target = endpoint;
      if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return Object.assign(new URL(endpoint), { port: String(port) }).href.replace(/\/$/, '');
    },
    /** Loses the response to the next request that matches. Returns a list that collects all requests from now on. */
    losing(next: (passing: Passing) => boolean): readonly Passing[] {
      passed.splice(0);
      let isOver = false;
      isLost = (passing) => {
        if (isOver || !next(passing)) return false;
        isOver = true;
        return true;
      };
      return passed;
    },
  };
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

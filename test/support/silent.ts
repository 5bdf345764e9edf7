import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a local service that responds only to its first request. */
export async function silentService(): Promise<{ address: string; asked(): number; close(): void }> {
  let asked = 0;
  const server = createServer((_, answer) => {
    if (++asked > 1) return;
    answer.setHeader('Content-Type', 'application/json');
    answer.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

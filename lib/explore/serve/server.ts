import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { outline } from '../../blueprint/outline';
import { isObject } from '../../design/show';
import { CursorError } from '../../items/cursor';
import { type Copy, NoTables } from '../engine/copy';
import { heldRows } from '../engine/held-rows';
import type { Explored } from '../system';
import type { SiteView } from '../view';
import { type Page, pageOf, stillPage } from './html';

/** The systems to serve, and for each system the copy that its patterns run on. */
export interface Served {
  readonly explored: readonly Explored[];
  /** A readable name of the engine that runs patterns. @default - patterns run on an embedded engine */
  readonly engine?: string;
  copyOf(system: string): Copy;
}

export interface Serving {
  /** The address to open, with the token of this run. */
  readonly address: string;
  stop(): Promise<void>;
}

/** The maximum size of a request body in bytes, which is more than any form on the page sends. */
const LARGEST = 1_000_000;

/** Serves the page to this machine only, and accepts only requests from the page itself. */
export async function serve(served: Served, port = 0): Promise<Serving> {
  const token = randomBytes(24).toString('base64url');
  const site: SiteView = {
    systems: served.explored.map(({ view }) => view),
    live: true,
    engine: served.engine ?? 'an embedded engine',
  };
  const page = pageOf(
    { site, token },
    'Tablewright',
    '<noscript><p>This page needs JavaScript; tablewright explore --static writes a page that does not.</p></noscript>',
  );
  const server = createServer((request, response) => {
    answer(request, response, { served, token, page, hosts: hostsOf(server.address() as AddressInfo) }).catch((error) =>
      refuse(response, error instanceof Refused ? error : new Refused(500, (error as Error).message)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${taken}/?token=${token}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Context {
  readonly served: Served;
  readonly token: string;
  readonly page: Page;
  readonly hosts: readonly string[];
}

class Refused extends Error {
  public constructor(
    public readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function hostsOf({ port }: AddressInfo): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { hosts, token, page } = context;
  const { host = '', origin } = request.headers;
  // A foreign host name that resolves to this machine indicates a DNS rebinding attack.
  if (!hosts.includes(host)) throw new Refused(403, 'this page is available only at 127.0.0.1');
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    throw new Refused(403, 'only the page itself may send requests');
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
  if (request.method === 'GET' && pathname === '/') {
    // Respond with a page: the user has most likely opened a bookmark from an earlier run.
    if (!isSame(searchParams.get('token') ?? '', token)) {
      const { html, policy } = noToken();
      return send(response, 403, 'text/html; charset=utf-8', html, policy);
    }
    const copies = context.served.explored.map(({ view }) => context.served.copyOf(view.name));
    for (const copy of copies) copy.renew();
    send(response, 200, 'text/html; charset=utf-8', page.html, page.policy);
    copies[0]?.prepare();
    return;
  }
  if (request.method !== 'POST') throw new Refused(404, 'this server has no such page');
  if (!isSame(String(request.headers['x-tablewright-token'] ?? ''), token))
    throw new Refused(403, 'the token does not belong to this run');
  const body = await bodyOf(request);
  const result =
    pathname === '/rows' ? await rowsOf(body, context) : pathname === '/run' ? await runOf(body, context) : undefined;
  if (result === undefined) throw new Refused(404, 'this server has no such page');
  send(response, 200, 'application/json', JSON.stringify(result));
}

/** Renders a page that explains which address to open. */
function noToken(): Page {
  return stillPage(
    'Tablewright',
    `<main class="document"><h1>This address belongs to another run</h1>
<p>Open the address that <code>tablewright explore</code> or <code>tablewright dev</code> printed: it contains the token of this run.</p>
<p>To return to the same place, append the part of your old address that begins with <code>#</code> to the new address.</p></main>`,
  );
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function exploredNamed({ system }: Body, { served }: Context): Explored {
  const found = served.explored.find(({ view }) => view.name === system);
  if (found === undefined) throw new Refused(404, 'there is no such system');
  return found;
}

type Body = Readonly<Record<string, unknown>>;

async function rowsOf(body: Body, context: Context): Promise<object> {
  const { table, index: place, cursor, filter: wanted } = body;
  const { items, held, system } = exploredNamed(body, context);
  const name = String(table);
  const known = items.get(name);
  const index = typeof place === 'string' ? place : undefined;
  const filter = String(wanted ?? '');
  if (known === undefined) throw new Refused(404, 'there is no such table');
  if (index !== undefined && !known.indexes.includes(index)) throw new Refused(404, 'there is no such index');
  if (held !== undefined) {
    const table = outline(system.tables[name] as (typeof system.tables)[string]);
    const from = cursor === undefined ? {} : { cursor: String(cursor) };
    return heldRows(held, { name, table }, index, { ...from, filter }).catch((error: Error) => {
      throw error instanceof CursorError ? new Refused(400, error.message) : error;
    });
  }
  const from = Number(cursor ?? 0);
  if (!Number.isSafeInteger(from) || from < 0) throw new Refused(400, 'the cursor must be a whole number');
  return known.rows(index, { cursor: from, filter });
}

function runOf(body: Body, context: Context): Promise<object> {
  const { view } = exploredNamed(body, context);
  const { name, values, cursor } = body;
  if (!isObject(values)) throw new Refused(400, 'the values must be an object');
  const from = typeof cursor === 'string' ? cursor : undefined;
  return context.served
    .copyOf(view.name)
    .run(String(name), values, from)
    .catch((error: Error) => {
      throw error instanceof NoTables ? new Refused(409, error.message) : error;
    });
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST) throw new Refused(413, `a request may have at most ${LARGEST} bytes`);
    chunks.push(chunk as Buffer);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (isObject(body)) return body;
  } catch {
    // A body that is not JSON is refused below, like any other body that is not an object.
  }
  throw new Refused(400, 'a request must be a JSON object');
}

function refuse(response: ServerResponse, { status, message }: Refused): void {
  if (response.headersSent) response.destroy();
  else send(response, status, 'application/json', JSON.stringify({ error: message }));
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  policy = "default-src 'none'",
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': `${policy}; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  response.end(body);
}

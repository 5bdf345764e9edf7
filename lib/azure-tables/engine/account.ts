import { addressProblem, shownAddress } from '../../engine/secrets';

/** The credential for an account. */
export type Credential =
  | { readonly kind: 'key'; readonly account: string; readonly key: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'identity' };

/** An account's address and credential. */
export interface Account {
  readonly url: string;
  /** The address without secrets, for use in messages. */
  readonly shown: string;
  readonly credential: Credential;
}

/**
 * Thrown for a malformed endpoint. The message describes the fault without quoting the endpoint, which may contain a
 * secret.
 */
export class EndpointError extends Error {
  public override readonly name = 'EndpointError';
}

/** The well-known account of every emulator, with its public key. */
export const EMULATED = {
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
} as const;

/** Returns a connection string with which other programs can connect to an emulator. */
export function connectionStringOf(endpoint: string): string {
  const { account, key } = EMULATED;
  return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};TableEndpoint=${endpoint};`;
}

const EXAMPLE = 'https://<account>.table.core.windows.net';

/** Parses a connection string, or an address with or without a SAS token. */
export function accountOf(endpoint: string): Account {
  const text = endpoint.trim();
  if (/^https?:\/\//i.test(text)) return atAddress(text);
  if (/^UseDevelopmentStorage=true/i.test(text)) {
    const url = `http://127.0.0.1:10002/${EMULATED.account}`;
    return { url, shown: 'the emulator', credential: { kind: 'key', ...EMULATED } };
  }
  if (/(^|;)\s*(AccountName|TableEndpoint)\s*=/i.test(text)) return inConnectionString(text);
  throw new EndpointError(
    `an endpoint must be a connection string (DefaultEndpointsProtocol=https;AccountName=…) or an address such as ${EXAMPLE}`,
  );
}

function atAddress(text: string): Account {
  const url = addressIn(text, 'the address');
  const shown = shownAddress(text);
  if (url.searchParams.has('sig')) {
    return { url: shown, shown, credential: tokenFor(url, url.search) };
  }
  if (url.search !== '') {
    throw new EndpointError(`the text after the '?' in the address must be a SAS token, but has no "sig" parameter`);
  }
  if (url.pathname.replace(/\/$/, '') === `/${EMULATED.account}`) {
    return { url: shown, shown, credential: { kind: 'key', ...EMULATED } };
  }
  assertSafe(url, "the identity's token");
  return { url: shown, shown, credential: { kind: 'identity' } };
}

function inConnectionString(text: string): Account {
  const pairs = new Map(
    text.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const account = pairs.get('accountname') ?? '';
  const given = pairs.get('tableendpoint');
  if (account !== '' && !/^[a-z0-9-]{3,50}$/.test(account)) {
    throw new EndpointError('AccountName in the connection string must consist of lowercase letters and digits');
  }
  if (account === '' && given === undefined) throw new EndpointError('the connection string has an empty AccountName');
  const url =
    given === undefined ? addressOf(account, pairs) : addressIn(given, 'TableEndpoint in the connection string');
  const place = shownAddress(url.href);
  const shown = given === undefined ? `account ${account}` : place;
  const token = pairs.get('sharedaccesssignature') || url.search;
  if (token) return { url: place, shown, credential: tokenFor(url, token) };
  const key = pairs.get('accountkey') ?? '';
  if (key === '') {
    throw new EndpointError('the connection string must have an AccountKey or a SharedAccessSignature; copy it again');
  }
  if (account === '')
    throw new EndpointError('the connection string has an AccountKey but no AccountName; copy it again');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) {
    throw new EndpointError('AccountKey in the connection string must be base64; copy it again');
  }
  return { url: place, shown, credential: { kind: 'key', account, key } };
}

function addressOf(account: string, pairs: ReadonlyMap<string, string>): URL {
  const protocol = pairs.get('defaultendpointsprotocol') || 'https';
  const suffix = pairs.get('endpointsuffix') || 'core.windows.net';
  if (!/^https?$/i.test(protocol)) {
    throw new EndpointError('DefaultEndpointsProtocol in the connection string must be https or http');
  }
  return addressIn(`${protocol}://${account}.table.${suffix}`, 'EndpointSuffix in the connection string');
}

/** Refuses an address with additional parts, so that no secret gets into a message or a request. */
function addressIn(text: string, what: string): URL {
  const problem = addressProblem(text, EXAMPLE);
  if (problem !== undefined) throw new EndpointError(`${what} ${problem}`);
  const url = new URL(text);
  if (url.hash !== '' || !shownAddress(text).endsWith(url.pathname.replace(/\/$/, ''))) {
    throw new EndpointError(`${what} must be a URL such as ${EXAMPLE}, with nothing after it`);
  }
  return url;
}

function tokenFor(url: URL, text: string): Credential {
  const token = text.replace(/^\?/, '');
  if (!new URLSearchParams(token).has('sig'))
    throw new EndpointError('the SAS token has no "sig" parameter; copy it again');
  assertSafe(url, 'a SAS token');
  return { kind: 'token', token };
}

/** Refuses to send a credential over plain HTTP, where anyone on the network could read it. */
function assertSafe({ protocol, hostname }: URL, what: string): void {
  if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  throw new EndpointError(`the address must begin with 'https://', or anyone on the network could read ${what}`);
}

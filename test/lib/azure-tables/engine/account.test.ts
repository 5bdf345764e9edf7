import { accountOf, EMULATED } from '../../../../lib/azure-tables/engine/account';

const KEY = Buffer.alloc(64, 7).toString('base64');
const ADDRESS = 'https://pgmprod.table.core.windows.net';
const EXAMPLE = 'https://<account>.table.core.windows.net';
const key = { kind: 'key', account: 'pgmprod', key: KEY };
const token = { kind: 'token', token: 'sv=2024-11-04&sig=abc%2B' };

test.each([
  [ADDRESS, ADDRESS, ADDRESS, { kind: 'identity' }],
  [`  ${ADDRESS}/ `, ADDRESS, ADDRESS, { kind: 'identity' }],
  [`${ADDRESS}/?${token.token}`, ADDRESS, ADDRESS, token],
  [
    'http://127.0.0.1:10002/devstoreaccount1/',
    'http://127.0.0.1:10002/devstoreaccount1',
    'http://127.0.0.1:10002/devstoreaccount1',
    { kind: 'key', ...EMULATED },
  ],
  [
    'UseDevelopmentStorage=true',
    'http://127.0.0.1:10002/devstoreaccount1',
    'the emulator',
    { kind: 'key', ...EMULATED },
  ],
  [
    `DefaultEndpointsProtocol=https;AccountName=pgmprod;AccountKey=${KEY};EndpointSuffix=core.windows.net`,
    ADDRESS,
    'account pgmprod',
    key,
  ],
  [`accountname=pgmprod; accountkey=${KEY};`, ADDRESS, 'account pgmprod', key],
  [
    `AccountName=pgmprod;AccountKey=${KEY};EndpointSuffix=core.chinacloudapi.cn`,
    'https://pgmprod.table.core.chinacloudapi.cn',
    'account pgmprod',
    key,
  ],
  [`BlobEndpoint=https://x/;TableEndpoint=${ADDRESS}/;SharedAccessSignature=?${token.token}`, ADDRESS, ADDRESS, token],
  [
    `TableEndpoint=http://[::1]:10002/a;SharedAccessSignature=sig=x`,
    'http://[::1]:10002/a',
    'http://[::1]:10002/a',
    { kind: 'token', token: 'sig=x' },
  ],
])('accepts valid endpoint %#', (endpoint, url, shown, credential) => {
  expect(accountOf(endpoint)).toEqual({ url, shown, credential });
});

const SECRET = 'hunter2hunter2';

test.each([
  [SECRET, 'an endpoint must be a connection string (DefaultEndpointsProtocol=https;AccountName=…) or an address'],
  ['', 'an endpoint must be a connection string'],
  [`AccountKey=${SECRET}`, 'an endpoint must be a connection string'],
  [
    `https://me:${SECRET}@pgmprod.table.core.windows.net`,
    `the address must be a URL without a user name and password, such as ${EXAMPLE}`,
  ],
  [`https://me:${SECRET}/x@pgmprod`, `the address must be a URL such as ${EXAMPLE}`],
  [`https://a b?sig=${SECRET}`, `the address must be a URL such as ${EXAMPLE}`],
  [`https://pgmprod&sig=${SECRET}`, `the address must be a URL such as ${EXAMPLE}`],
  [`${ADDRESS}/sig=${SECRET}`, 'with nothing after it'],
  [`${ADDRESS}#sig=${SECRET}`, 'with nothing after it'],
  [`${ADDRESS}?sv=${SECRET}`, `the text after the '?' in the address must be a SAS token, but has no "sig" parameter`],
  [
    `http://pgmprod.table.core.windows.net?sig=${SECRET}`,
    "the address must begin with 'https://', or anyone on the network could read a SAS token",
  ],
  [
    'http://pgmprod.table.core.windows.net',
    "the address must begin with 'https://', or anyone on the network could read the identity's token",
  ],
  [
    `AccountName=${SECRET}!;AccountKey=x`,
    'AccountName in the connection string must consist of lowercase letters and digits',
  ],
  [`AccountName=;AccountKey=${SECRET}`, 'the connection string has an empty AccountName'],
  [`AccountName=pgmprod;Key=${SECRET}`, 'the connection string must have an AccountKey or a SharedAccessSignature'],
  [`AccountName=pgmprod;AccountKey=${SECRET}!`, 'AccountKey in the connection string must be base64'],
  [`TableEndpoint=${ADDRESS};AccountKey=${SECRET}`, 'the connection string has an AccountKey but no AccountName'],
  [`TableEndpoint=${SECRET};AccountKey=x`, `TableEndpoint in the connection string must be a URL such as ${EXAMPLE}`],
  [`TableEndpoint=${ADDRESS};SharedAccessSignature=${SECRET}`, 'the SAS token has no "sig" parameter'],
  [`DefaultEndpointsProtocol=${SECRET};AccountName=pgmprod;AccountKey=x`, 'must be https or http'],
  [`AccountName=pgmprod;AccountKey=x;EndpointSuffix=a@${SECRET}/`, 'EndpointSuffix in the connection string must be'],
])('rejects invalid endpoint %# without revealing its secret', (endpoint, message) => {
  let error: unknown;
  try {
    accountOf(endpoint);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toEqual(expect.objectContaining({ name: 'EndpointError', message: expect.stringContaining(message) }));
  expect(String((error as Error).stack)).not.toContain(SECRET);
});

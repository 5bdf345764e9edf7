import type { Account } from '../../../../lib/azure-tables/engine/account';
import { inWords } from '../../../../lib/azure-tables/engine/refusal';

const refused = (statusCode: number, code?: string) =>
  Object.assign(new Error('{"odata.error":{…}}'), { statusCode, details: { odataError: { code } } });

type Asked = Pick<Account, 'url' | 'credential'>;
const url = 'https://pgmprod.table.core.windows.net';
const IDENTITY: Asked = { url, credential: { kind: 'identity' } };
const KEY: Asked = { url, credential: { kind: 'key', account: 'pgmprod', key: 'c2VjcmV0' } };
const TOKEN: Asked = { url, credential: { kind: 'token', token: 'sig=secret' } };
const EMULATED: Asked = { ...KEY, url: 'http://127.0.0.1:10002/devstoreaccount1' };

test.each<[Error, Asked, string]>([
  [
    refused(404, 'TableNotFound'),
    KEY,
    "the account has no table Users; create the table first, with 'terraform apply'",
  ],
  [
    refused(403, 'AuthorizationFailure'),
    KEY,
    'the account refuses access to Users (AuthorizationFailure): the account has a firewall that admits only listed addresses and networks',
  ],
  [refused(403, 'AuthorizationFailure'), EMULATED, 'the account key does not belong to this account'],
  [
    refused(403, 'AuthenticationFailed'),
    KEY,
    '(AuthenticationFailed): the account key does not belong to this account',
  ],
  [refused(403, 'AuthenticationFailed'), TOKEN, 'the SAS token has expired, is truncated, or does not allow this'],
  [refused(403, 'AuthenticationFailed'), IDENTITY, "the account does not recognize this machine's identity"],
  [refused(401, 'InvalidAuthenticationInfo'), IDENTITY, "sign in to the account's tenant"],
  [
    refused(403, 'AuthorizationPermissionMismatch'),
    IDENTITY,
    'the account refuses access to Users (AuthorizationPermissionMismatch): your identity needs the Storage Table Data Reader role to read',
  ],
  [refused(403, 'AuthorizationPermissionMismatch'), TOKEN, 'the SAS token'],
  [
    refused(403, 'KeyBasedAuthenticationNotPermitted'),
    KEY,
    "the account does not accept shared keys; to use this machine's identity, pass the account's address",
  ],
  [
    refused(403),
    IDENTITY,
    'the account refuses access to Users (HTTP 403): your identity needs the Storage Table Data Reader role',
  ],
  [
    refused(403, 'constructor'),
    KEY,
    '(constructor): the account accepts the key, but the key does not allow this request',
  ],
  [refused(500, 'InternalError'), KEY, 'the account responds to the request for Users with HTTP 500 InternalError'],
])('explains in one sentence why the service refused request %#', (error, asked, message) => {
  expect(inWords(error, 'Users', asked)).toEqual(
    expect.objectContaining({ message: expect.stringContaining(message), cause: error }),
  );
});

test("exposes a refusal's status, code and details to callers", () => {
  const error = refused(409, 'EntityAlreadyExists');
  expect(inWords(error, 'Users', KEY)).toMatchObject({
    statusCode: 409,
    code: 'EntityAlreadyExists',
    details: error.details,
  });
});

test.each([new Error('lost'), undefined, inWords(refused(500), 'Users', KEY)])(
  'returns any other error unchanged: %#',
  (error) => {
    expect(inWords(error, 'Users', KEY)).toBe(error);
  },
);

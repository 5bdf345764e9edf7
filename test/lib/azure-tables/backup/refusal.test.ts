import { inWords } from '../../../../lib/azure-tables/backup/refusal';

const refused = (statusCode: number, code?: string) =>
  Object.assign(new Error('{"odata.error":{…}}'), { statusCode, details: { odataError: { code } } });

test.each([
  [refused(404, 'TableNotFound'), "there is no table Users in the account; make it first, with 'terraform apply'"],
  [
    refused(403, 'AuthorizationFailure'),
    'the account refuses Users (AuthorizationFailure): its firewall lets in only addresses and networks that it knows',
  ],
  [
    refused(403, 'AuthorizationPermissionMismatch'),
    'the account refuses Users (AuthorizationPermissionMismatch): the role is Storage Table Data Reader to read',
  ],
  [refused(403, 'KeyBasedAuthenticationNotPermitted'), 'it takes no shared key; give its address'],
  [refused(403), 'the account refuses Users (HTTP 403): the role is'],
])('what the service refuses is said in a sentence: %#', (error, message) => {
  expect(inWords(error, 'Users')).toEqual(
    expect.objectContaining({ message: expect.stringContaining(message), cause: error }),
  );
});

test.each([refused(500, 'InternalError'), new Error('lost'), undefined])('whatever else it was stays: %#', (error) => {
  expect(inWords(error, 'Users')).toBe(error);
});

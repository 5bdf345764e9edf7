import { AzureNamedKeyCredential } from '@azure/data-tables';
import { type Send, system } from '../../../lib/azure-tables';
import { EMULATED } from '../../../lib/azure-tables/engine/account';
import { storage } from '../../../lib/azure-tables/sdk';
import { controlePgm, documentTypes } from '../../../lib/systems/controle-pgm';
import { azurite } from '../../support/azurite';

const { engine, send } = azurite(controlePgm);
const address = () => new URL(/https?:\/\/[^;]+/.exec(engine().endpoint)?.[0] as string).href;
const connection = () =>
  `AccountName=${EMULATED.account};AccountKey=${EMULATED.key};TableEndpoint=${address()};DefaultEndpointsProtocol=http`;

test('a system has the patterns of all tables and the given procedures', async () => {
  const db = system(controlePgm, send, { procedures: { documentTypes } });
  expect(Object.keys(db)).toEqual(
    expect.arrayContaining([
      ...Object.values(controlePgm.tables).flatMap(({ patterns }) => Object.keys(patterns)),
      'documentTypes',
    ]),
  );
});

describe('`storage`', () => {
  const types = (send: Send) => system(controlePgm, send, { procedures: { documentTypes } }).documentTypes();

  test('`storage` accepts a connection string', async () => {
    expect(await types(storage(connection()))).toEqual([]);
  });

  test('`storage` accepts an address and a credential', async () => {
    const { account, key } = EMULATED;
    expect(await types(storage(address(), new AzureNamedKeyCredential(account, key)))).toEqual([]);
  });

  test('`storage` allows requests without TLS only to the local machine, so no secret crosses the network in plain text', async () => {
    const elsewhere = connection().replaceAll('127.0.0.1', 'storage.invalid');
    await expect(types(storage(elsewhere))).rejects.toThrow('allowInsecureConnection is false');
  });
});

test('rejects an unknown procedure, and lists the procedures of the system', () => {
  const other = { documentType: documentTypes };
  expect(() => system(controlePgm, send, { procedures: other as object })).toThrow(
    /^system 'controle-pgm' has no procedure 'documentType'; it has .*documentTypes/,
  );
});

import { client as azureClient } from '../../../lib/azure-tables';
import { client } from '../../../lib/dynamodb';

import { things } from '../azure-tables/designs';
import { library } from '../dynamodb/designs';

const WARNING = 'an observer failed; the observed request is not affected: the log is full';

describe.each([
  [
    'throws',
    () => {
      throw new Error('the log is full');
    },
  ],
  ['is async and fails', () => Promise.reject(new Error('the log is full'))],
])('an observer that %s', (_, observe) => {
  let warned: jest.SpyInstance;
  beforeEach(() => {
    warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => warned.mockRestore());
  const book = { shelf: 's1', number: 7 };
  const thing = { shelf: 'a', id: '1' };

  test('a failing observer causes a warning, but does not change the result', async () => {
    expect(await client(library, 'library', async () => ({}), { observe }).getBook(book)).toBeUndefined();
    const send = async () => ({ entity: undefined, etag: 'e' });
    expect(await azureClient(things, 'Things', send, { observe }).addThing(thing)).toEqual({ etag: 'e' });
    expect(warned.mock.calls).toEqual([[WARNING], [WARNING]]);
  });

  test('a failing observer does not hide the error of a failed request', async () => {
    const send = async () => {
      throw new Error('throttled');
    };
    await expect(client(library, 'library', send, { observe }).getBook(book)).rejects.toThrow('throttled');
    await expect(azureClient(things, 'Things', send, { observe }).addThing(thing)).rejects.toThrow('throttled');
    expect(warned).toHaveBeenCalledTimes(2);
  });
});

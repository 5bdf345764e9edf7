import { inWords, isIdOf, isSameName, wordsOf } from '../../../lib/blueprint/words';

test.each(['sessionId', 'session_id', 'SessionID', 'session-id', 'SESSION_ID', 'idSession', 'sessionid', 'session.id'])(
  'recognizes %s as a spelling of sessionId',
  (name) => {
    expect(inWords(name)).toBe('sessionid');
    expect(isSameName(name, 'sessionId')).toBe(true);
    expect(isIdOf('Session', name)).toBe(true);
  },
);

test.each(['sessionIds', 'session', 'id', 'sessionKey', 'subsessionId'])(
  'does not recognize %s as a spelling of sessionId',
  (name) => {
    expect(isSameName(name, 'sessionId')).toBe(false);
  },
);

test('wordsOf splits names at capitals, digits and punctuation', () => {
  expect(wordsOf('HTTPServerURL2Go')).toEqual(['http', 'server', 'url2', 'go']);
  expect(wordsOf('größe_in-cm')).toEqual(['größe', 'in', 'cm']);
  expect(wordsOf('')).toEqual([]);
});

test("isIdOf recognizes an entity's id by the entity's name", () => {
  expect(isIdOf('OrderLine', 'order_line_id')).toBe(true);
  expect(isIdOf('Order', 'orderLineId')).toBe(false);
});

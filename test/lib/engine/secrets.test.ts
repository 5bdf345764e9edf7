import { redactor } from '../../../lib/engine/secrets';
import fc from '../../support/fuzz';

const KEY = `${'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq'.repeat(2).slice(0, 86)}==`;
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

/** Strings as SDKs, services and users write them, each with the secret that it contains. */
const TEXTS: readonly (readonly [text: string, secret: string])[] = [
  [`AccountName=x;AccountKey=${KEY};EndpointSuffix=core.windows.net is not valid`, KEY],
  [`accountkey = ${KEY}`, KEY],
  ['getaddrinfo ENOTFOUND https://x.table.core.windows.net/?sv=2024&se=1&sig=abc%2Bdef%3Dghi', 'abc%2Bdef%3Dghi'],
  ['connect to http://AKIAIOSFODNN7:hunter2hunter2@localhost:8000/ failed', 'hunter2hunter2'],
  [`AWS_SECRET_ACCESS_KEY=${SECRET}`, SECRET],
  [`aws_secret_access_key = ${SECRET}`, SECRET],
  [JSON.stringify({ credentials: { accessKeyId: 'AKIA', secretAccessKey: SECRET } }), SECRET],
  [JSON.stringify({ sessionToken: SECRET }, null, 2), SECRET],
  [`{ clientSecret: '${SECRET}' }`, SECRET],
  [`GET /?X-Amz-Signature=${'ab01'.repeat(16)}&X-Amz-Date=1`, 'ab01'.repeat(16)],
  [`GET /?X-Amz-Security-Token=${SECRET}&x=1`, SECRET],
  [`authorization: Bearer ${JWT}`, JWT],
  [`Authorization: SharedKeyLite devstoreaccount1:${KEY.slice(0, 43)}=`, KEY.slice(0, 43)],
];

test.each(TEXTS)('hides every part of the secret in %s', (text, secret) => {
  const shown = redactor([])(text);
  for (let i = 0; i + 6 <= secret.length; i++) expect(shown).not.toContain(secret.slice(i, i + 6));
  expect(shown).toContain('***');
});

test('hides a given secret everywhere in a string, in any encoding', () => {
  const given = `https://x.table.core.windows.net/?sv=2024&sig=${encodeURIComponent(SECRET)}`;
  const redact = redactor([given], [given]);
  for (const text of [
    given,
    SECRET,
    encodeURIComponent(SECRET),
    `"${SECRET.slice(3, 20)}"`,
    JSON.stringify({ a: SECRET }),
  ]) {
    expect(redact(text)).not.toContain(SECRET.slice(5, 12));
  }
});

test('leaves text without secrets unchanged', () => {
  const texts = [
    'User: password: Invalid input: expected string; token: too short',
    "patterns.bySession.where: '<sessionToken>' is not an attribute; the session token is given by the caller",
    'https://x.table.core.windows.net/Users and arn:aws:dynamodb:eu-west-1:111122223333:table/blog',
    'the bearer of a grant; SharedKey access is off',
  ];
  for (const text of texts) expect(redactor([])(text)).toBe(text);
});

/** Fragments that would make a regular expression backtrack if it were unbounded at both ends. */
const PIECES = [
  'sig=',
  'AccountKey',
  'Account',
  '://',
  '@',
  'Bearer ',
  'secretAccessKey:',
  "'",
  '=',
  ' ',
  'A',
  '?',
  'a;',
];

test.each(PIECES)('quickly redacts 80 KB of repeated %j, whatever surrounds it', (piece) => {
  const long = piece.repeat(80_000 / piece.length);
  for (const text of [long, `${long} AccountKey=`, `${long}:sig=`, `http://${long}@`, `AccountKey=${long}`]) {
    const start = process.cpuUsage();
    redactor([])(text);
    redactor([text], [text])('x');
    // A quadratic search would take over ten seconds. CPU time does not depend on the machine's load.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500);
  }
});

test('the time to redact a string grows linearly with its length', () => {
  const time = (text: string) => {
    const start = performance.now();
    redactor([text], [text])(text);
    return performance.now() - start;
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }), (pieces) => {
      const unit = pieces.join('');
      const of = (size: number) => unit.repeat(Math.ceil(size / unit.length));
      time(of(4_000));
      expect(time(of(40_000))).toBeLessThan(40 * Math.max(10, time(of(4_000))));
    }),
    { numRuns: 20 },
  );
});

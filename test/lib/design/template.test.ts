import { faultText } from '../../../lib/blueprint/template-parts';
import { formats } from '../../../lib/design/formats';
import { KeyError, match, render, template, useFormats, valueAt, widthOf } from '../../../lib/design/template';

beforeAll(() => useFormats(formats));

/** DynamoDB's limits for a partition key and for a sort key. */
const PARTITION = { separator: '#', maxBytes: 2048 };
const SORT = { separator: '#', maxBytes: 1024 };

describe('parsing', () => {
  test('template returns literal text and parts in order, and also lists the parts separately', () => {
    const read = template('POST#<publishedAt>#<postId>');
    const publishedAt = { name: 'publishedAt', path: ['publishedAt'], optional: false };
    const postId = { name: 'postId', path: ['postId'], optional: false };
    expect(read).toEqual({
      text: 'POST#<publishedAt>#<postId>',
      pieces: ['POST#', publishedAt, '#', postId],
      parts: [publishedAt, postId],
      faults: [],
    });
  });

  test('template accepts text without parts, and text that starts or ends with a part', () => {
    expect(template('PROFILE').pieces).toEqual(['PROFILE']);
    expect(template('<a>#').pieces).toEqual([expect.objectContaining({ name: 'a' }), '#']);
    expect(template('<a><b:4>').parts.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each([
    ['<map.name>', { name: 'map.name', path: ['map', 'name'], optional: false }],
    ['<n:4>', { name: 'n', path: ['n'], optional: false, format: 4 }],
    ['<n:99>', { name: 'n', path: ['n'], optional: false, format: 99 }],
    ['<at:date>', { name: 'at', path: ['at'], optional: false, format: 'date' }],
    ['<at:year>', { name: 'at', path: ['at'], optional: false, format: 'year' }],
    ['<at:month>', { name: 'at', path: ['at'], optional: false, format: 'month' }],
    ['<at:hour>', { name: 'at', path: ['at'], optional: false, format: 'hour' }],
    ['<n:down:12>', { name: 'n', path: ['n'], optional: false, format: 'down:12' }],
    ['<a:lower?>', { name: 'a', path: ['a'], optional: true, format: 'lower' }],
    ['<note?>', { name: 'note', path: ['note'], optional: true }],
    ['<at:date?>', { name: 'at', path: ['at'], optional: true, format: 'date' }],
    ['<endereço_1>', { name: 'endereço_1', path: ['endereço_1'], optional: false }],
    ['<tenant-id>', { name: 'tenant-id', path: ['tenant-id'], optional: false }],
  ])('template parses %s as one part', (text, part) => {
    expect(template(text)).toEqual({ text, pieces: [part], parts: [part], faults: [] });
  });

  const NO_NAME = 'is not an attribute name; write it as <name>, <map.name>, <number:4> or <timestamp:date>';
  const NO_FORMAT =
    'has an unknown format; write a width from 1 to 99, down:10, lower, upper, encoded, date, year, month, day, hour or bucket(15m) after the colon';
  test.each([
    ['', ['it is empty']],
    ['A#<b', ["a '<' without a '>'"]],
    ['A#b>', ["a '>' without a '<'"]],
    ['A#<b>>', ["a '>' without a '<'"]],
    ['<a<b>', ["a '<' without a '>'"]],
    ['>a<b', ["a '>' without a '<'", "a '<' without a '>'"]],
    ['>a>', ["a '>' without a '<'"]],
    ['A#<>', [`<> ${NO_NAME}`]],
    ['<a b>', [`<a b> ${NO_NAME}`]],
    ['<1a>', [`<1a> ${NO_NAME}`]],
    ['<a.>', [`<a.> ${NO_NAME}`]],
    ['<a..b>', [`<a..b> ${NO_NAME}`]],
    ['<a?b>', [`<a?b> ${NO_NAME}`]],
    ['<a:days>', [`<a:days> ${NO_FORMAT}`]],
    ['<a:down>', [`<a:down> ${NO_FORMAT}`]],
    ['<a:down:0>', [`<a:down:0> ${NO_FORMAT}`]],
    ['<a:>', [`<a:> ${NO_FORMAT}`]],
    ['<a:0>', [`<a:0> ${NO_FORMAT}`]],
    ['<a:04>', [`<a:04> ${NO_FORMAT}`]],
    ['<a:100>', [`<a:100> ${NO_FORMAT}`]],
    ['<a:toString>', [`<a:toString> ${NO_FORMAT}`]],
    ['<a b>#<c:days>', [`<a b> ${NO_NAME}`, `<c:days> ${NO_FORMAT}`]],
  ])('faultText explains the faults that template finds in %j', (text, faults) => {
    expect(template(text).faults.map(faultText)).toEqual(faults);
  });

  test.each([
    ['', ['empty']],
    ['>a<b', ['unopened', 'unclosed']],
    ['<a b>#<c:days>', ['name', 'format']],
  ])('template reports the faults of %j as %j', (text, causes) => {
    expect(template(text).faults.map(({ cause }) => cause)).toEqual(causes);
  });

  test('template parses the same string only once', () => {
    expect(template('ONCE#<a>')).toBe(template('ONCE#<a>'));
  });

  test('only parts with certain formats have a fixed width', () => {
    const widths = template('<a><b:7><c:date><d:year><e:month><f:hour><g:down:12><h:lower>').parts.map(widthOf);
    expect(widths).toEqual([undefined, 7, 10, 4, 2, 2, 12, undefined]);
  });
});

test('valueAt finds a value at a path through nested maps, and returns undefined if the path does not exist', () => {
  const values = { a: { b: { c: 1 } }, n: null, s: 'text' };
  expect(valueAt(values, ['a', 'b', 'c'])).toBe(1);
  expect(valueAt(values, ['a', 'x', 'c'])).toBeUndefined();
  expect(valueAt(values, ['n', 'c'])).toBeUndefined();
  expect(valueAt(values, ['s', 'length'])).toBeUndefined();
});

describe('rendering', () => {
  test.each([
    ['PROFILE', {}, 'PROFILE'],
    ['USER#<id>', { id: 'u1' }, 'USER#u1'],
    ['<a>#<b>#<a>', { a: 'x', b: 'y' }, 'x#y#x'],
    ['<n>', { n: -1.5 }, '-1.5'],
    ['<n>', { n: 0 }, '0'],
    ['<n>', { n: 12345678901234567890n }, '12345678901234567890'],
    ['<map.deep.a>', { map: { deep: { a: 'x' } } }, 'x'],
    ['<n:4>', { n: 42 }, '0042'],
    ['<n:4>', { n: 0 }, '0000'],
    ['<n:4>', { n: 9999 }, '9999'],
    ['<n:20>', { n: 42n }, '00000000000000000042'],
    ['<at:date>', { at: '2026-01-31T23:59:59.999Z' }, '2026-01-31'],
    ['<at:date>', { at: '2026-01-31' }, '2026-01-31'],
    ['<at:year>#<at:month>', { at: '2026-01-31T23:59:59.999Z' }, '2026#01'],
    ['<at:year>', { at: '2026' }, '2026'],
    ['<at:month>', { at: '12' }, '12'],
    ['<at:date>T<at:hour>', { at: '2026-01-31T23:59:59.999Z' }, '2026-01-31T23'],
    ['<at:day>#<at:hour>', { at: '2026-01-31T00:59:59.999Z' }, '31#00'],
    ['<at:hour>', { at: '07' }, '07'],
    ['<n:down:4>', { n: 17 }, '9982'],
    ['<n:down:4>', { n: 9999 }, '0000'],
    ['<n:down:20>', { n: 12345678901234567890n }, '87654321098765432109'],
    ['<a:lower>', { a: 'Ana@X.ORG' }, 'ana@x.org'],
    ['<note?>', { note: 'given' }, 'given'],
    ['<id>', { id: '名前 😀' }, '名前 😀'],
    ['<constructor>', { constructor: 'a name like any other' }, 'a name like any other'],
  ])('render fills the template %s with %p', (text, values, key) => {
    expect(render(template(text), values, SORT)).toBe(key);
  });

  const WHOLE = 'give a whole number of at most 4 digits';
  const STRING = 'give a string or a number';
  const SEPARATOR = "it holds the separator '#'; give a value without it, or write <a:encoded>";
  const EMPTY = 'it is empty; give a value';
  const HALF = 'it holds a lone surrogate; give whole characters';
  const DATE = 'give an ISO timestamp (2026-01-31T12:00:00Z), or just the date';
  const YEAR = 'give an ISO timestamp (2026-01-31T12:00:00Z), or just the year';
  const MONTH = 'give an ISO timestamp (2026-01-31T12:00:00Z), or just the month';
  const HOUR = 'give an ISO timestamp (2026-01-31T12:00:00Z), or just the hour';
  test.each([
    ['<a>', {}, 'missing', STRING],
    ['<a?>', {}, 'missing', STRING],
    ['<a>', { a: null }, 'null', STRING],
    ['<a>', { a: true }, 'true', STRING],
    ['<a>', { a: Number.NaN }, 'NaN', STRING],
    ['<a>', { a: Number.NEGATIVE_INFINITY }, '-Infinity', STRING],
    ['<a>', { a: { big: 1n } }, 'an object', STRING],
    ['<a>', { a: ['x'] }, 'a list', STRING],
    ['<a>', { a: '' }, '""', EMPTY],
    ['<a>', { a: 'x#y' }, '"x#y"', SEPARATOR],
    ['<a>', { a: `${'x'.repeat(100)}#` }, `"${'x'.repeat(56)}…`, SEPARATOR],
    ['<a>', { a: '\ud83d' }, '"\\ud83d"', HALF],
    ['<a>', { a: 'x\ude00y' }, '"x\\ude00y"', HALF],
    ['<a:4>', {}, 'missing', WHOLE],
    ['<a:4>', { a: null }, 'null', WHOLE],
    ['<a:4>', { a: '42' }, '"42"', WHOLE],
    ['<a:4>', { a: 10_000 }, '10000', WHOLE],
    ['<a:4>', { a: 10_000n }, '10000', WHOLE],
    ['<a:4>', { a: -1 }, '-1', WHOLE],
    ['<a:4>', { a: -1n }, '-1', WHOLE],
    ['<a:4>', { a: 1.5 }, '1.5', WHOLE],
    ['<a:4>', { a: Number.NaN }, 'NaN', WHOLE],
    ['<a:4>', { a: false }, 'false', WHOLE],
    ['<a:date>', {}, 'missing', DATE],
    ['<a:date>', { a: 'yesterday' }, '"yesterday"', DATE],
    ['<a:date>', { a: '2026-13-01' }, '"2026-13-01"', DATE],
    ['<a:date>', { a: '2026-01-32T00:00:00Z' }, '"2026-01-32T00:00:00Z"', DATE],
    ['<a:date>', { a: '2026-01-01 00:00' }, '"2026-01-01 00:00"', DATE],
    ['<a:date>', { a: 20260101 }, '20260101', DATE],
    ['<a:year>', { a: '26' }, '"26"', YEAR],
    ['<a:month>', { a: '13' }, '"13"', MONTH],
    ['<a:month>', { a: '2026' }, '"2026"', MONTH],
    ['<a:hour>', { a: '2026-01-31' }, '"2026-01-31"', HOUR],
    ['<a:hour>', { a: '24' }, '"24"', HOUR],
    ['<a:down:4>', { a: 10_000 }, '10000', WHOLE],
    ['<a:down:4>', { a: '17' }, '"17"', WHOLE],
    ['<a:lower>', { a: 'x#Y' }, '"x#Y"', SEPARATOR],
    ['<a:lower>', { a: '' }, '""', 'it is empty; give a value'],
  ])('rendering %s refuses %p, and the error gives the reason', (text, values, got, advice) => {
    expect(refusal(() => render(template(`K#${text}`), values, SORT))).toEqual({
      attribute: 'a',
      message: `K#${text}: <a> is ${got}; ${advice}`,
    });
  });

  test('rendering throws a KeyError that callers can recognize by its name', () => {
    expect(() => render(template('<a>'), {}, SORT)).toThrow(expect.objectContaining({ name: 'KeyError' }));
  });

  test('a KeyError names a nested attribute by its path', () => {
    const { attribute, message } = refusal(() => render(template('<map.a>'), { map: {} }, SORT));
    expect(attribute).toBe('map.a');
    expect(message).toBe('<map.a>: <map.a> is missing; give a string or a number');
  });

  test('render refuses a number whose text contains the separator, because 1.5 and 2 must not share a key with 1 and 5.2', () => {
    const rules = { separator: '.', maxBytes: 1024 };
    expect(refusal(() => render(template('<a>.<b>'), { a: 1, b: 5.2 }, rules)).attribute).toBe('b');
    expect(refusal(() => render(template('<a>.<b>'), { a: 1.5, b: 2 }, rules)).attribute).toBe('a');
  });

  test('rendering a template with faults throws an error that lists the faults', () => {
    expect(refusal(() => render(template('A#<a b>#<c'), { c: 'x' }, SORT))).toEqual({
      attribute: 'A#<a b>#<c',
      message: 'A#<a b>#<c: the template is invalid (name, unclosed): run the check',
    });
  });

  test.each([
    ['a partition key', PARTITION, 2048],
    ['a sort key', SORT, 1024],
  ])('%s can have the maximum length, but no more', (_, rules, limit) => {
    const key = template('K#<id>');
    expect(render(key, { id: 'x'.repeat(limit - 2) }, rules)).toHaveLength(limit);
    expect(refusal(() => render(key, { id: 'x'.repeat(limit - 1) }, rules))).toEqual({
      attribute: 'id',
      message: `K#<id>: the key takes ${limit + 1} bytes, but at most ${limit} are allowed; shorten <id> (${limit - 1} bytes)`,
    });
  });

  test.each([
    ['é', 2],
    ['名', 3],
    ['😀', 4],
  ])('the character %s takes %d bytes in a key', (character, bytes) => {
    const full = 'x'.repeat(1024 - 2 - bytes) + character;
    expect(Buffer.byteLength(render(template('K#<id>'), { id: full }, SORT))).toBe(1024);
    expect(refusal(() => render(template('K#<id>'), { id: `${full}x` }, SORT)).message).toContain('1025 bytes');
  });

  test('the error about a key that is too long names the attribute that takes the most bytes', () => {
    const values = { short: 'x'.repeat(400), long: '名'.repeat(300), at: `2026-01-31T${'0'.repeat(2000)}` };
    const { attribute, message } = refusal(() => render(template('<short>#<long>#<at:year>'), values, SORT));
    expect(attribute).toBe('long');
    expect(message).toContain('takes 1306 bytes, but at most 1024 are allowed; shorten <long> (900 bytes)');
  });

  test('the error about a key that is too long asks for a shorter template if the template has no parts', () => {
    const text = 'x'.repeat(1025);
    const { attribute, message } = refusal(() => render(template(text), {}, SORT));
    expect(attribute).toBe(text);
    expect(message).toContain('at most 1024 are allowed; shorten the template');
  });
});

describe('matching', () => {
  test.each([
    ['PROFILE', 'PROFILE', {}],
    ['USER#<id>', 'USER#u1', { id: 'u1' }],
    ['<a>#<b>', 'x#y', { a: 'x', b: 'y' }],
    ['<map.a>', 'x', { 'map.a': 'x' }],
    ['<n:4>#<a>', '0042#x', { n: 42, a: 'x' }],
    ['<n:4><a>', '0042x', { n: 42, a: 'x' }],
    ['<n:20>', '12345678901234567890', { n: 12345678901234567890n }],
    [
      '<at:year><at:month>#<at:date>',
      '202601#2026-01-31',
      { 'at:year': '2026', 'at:month': '01', 'at:date': '2026-01-31' },
    ],
    ['<at:day>T<at:hour>', '31T23', { 'at:day': '31', 'at:hour': '23' }],
    ['<n:down:4>#<a:lower>', '9982#x', { 'n:down:4': '9982', 'a:lower': 'x' }],
    ['<a>#<a>', 'x#x', { a: 'x' }],
    ['<n>#<n:4>', '42#0042', { n: 42 }],
    ['<n:4>#<n>', '0042#42', { n: 42 }],
    ['<constructor>#<toString>', 'x#y', { constructor: 'x', toString: 'y' }],
  ])('matching %s returns the values in the key %s', (text, key, values) => {
    expect(match(template(text), key, '#')).toEqual(values);
  });

  test.each([
    ['the wrong literal at the start', 'USER#<id>', 'POST#u1'],
    ['the wrong literal in the middle', '<a>#POST#<b>', 'x#USER#y'],
    ['the wrong literal at the end', '<a>#END', 'x#ENDE'],
    ['an incomplete literal', 'USER#<id>', 'USER'],
    ['extra text after the last literal', 'PROFILE', 'PROFILE#x'],
    ['extra text after the last part', 'USER#<id>', 'USER#u1#x'],
    ['an empty value', 'USER#<id>', 'USER#'],
    ['an empty value in the middle', '<a>##<b>', '##y'],
    ['different values for one name', '<a>#<a>', 'x#y'],
    ['different numbers for one name', '<n:4>#<n:2>', '0042#43'],
    ['different large numbers for one name', '<n:20>#<n:20>', '12345678901234567890#12345678901234567891'],
    ['letters for a number', '<n:4>', '004x'],
    ['too few digits', '<n:4>', '042'],
    ['too many digits', '<n:4>', '00042'],
    ['a sign in a number', '<n:4>', '-042'],
    ['text that is not a date', '<at:date>', '2026-01-3x'],
    ['an invalid date', '<at:date>', '2026-13-01'],
    ['half a date', '<at:date>', '2026-01'],
    ['a word for a year', '<at:year>', 'abcd'],
    ['an invalid month', '<at:month>', '13'],
    ['an invalid hour', '<at:hour>', '24'],
    ['too few digits in a descending number', '<n:down:4>', '998'],
    ['an upper case letter', '<a:lower>', 'aB'],
  ])('match returns undefined because of %s: the template %s, the key %s', (_, text, key) => {
    expect(match(template(text), key, '#')).toBeUndefined();
  });
});

/**
 * Returns the attribute and the message of the KeyError that the given function throws. Any other outcome fails the
 * test.
 */
function refusal(rendering: () => string): { attribute: string; message: string } {
  try {
    const key = rendering();
    throw new Error(`it made the key ${JSON.stringify(key)}`);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    return { attribute: error.attribute, message: error.message };
  }
}

describe('rendering a template given as a string', () => {
  test('render parses a template given as a string, and applies the rules of a partition key', () => {
    expect(render('DAY#<t:date>#<t:year>#<t:month>', { t: '2024-05-06T07:08:09.000Z' })).toBe('DAY#2024-05-06#2024#05');
    expect(() => render('X#<a>', { a: 'b#c' })).toThrow(/it holds the separator '#'/);
    expect(() => render('X#<a', { a: 'b' })).toThrow(KeyError);
  });

  test('a part with an invalid format is parsed as a part without a format', () => {
    expect(template('<a:hex>').parts[0]).not.toHaveProperty('format');
    expect(template('<a:hex>').faults).toHaveLength(1);
  });
});

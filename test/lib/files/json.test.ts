import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonProblem } from '../../../lib/files/json';
import { readJson } from '../../../lib/files/read';

test.each([
  ['{ "unpaid": 10, }', "line 1, column 17: expected a name in double quotes, got '}'"],
  ['{\n  "a": 1\n  "b": 2\n}', `line 3, column 3: expected ',' or '}', got '"'`],
  ["{ 'a': 1 }", `line 1, column 3: expected a name in double quotes or '}', got "'"`],
  ['{ a: 1 }', "line 1, column 3: expected a name in double quotes or '}', got 'a'"],
  ['[1, 2,]', "line 1, column 7: expected a value, got ']'"],
  ['[1 2]', "line 1, column 4: expected ',' or ']', got '2'"],
  ['{"a" 1}', "line 1, column 6: expected ':', got '1'"],
  ['{"a": secret}', "line 1, column 7: expected a value, got 's'"],
  ['{"a": 01}', "line 1, column 8: expected ',' or '}', got '1'"],
  ['{"a": "b', "line 1, column 9: expected the string's closing quote, but the file ends here"],
  ['{"a": "b\n"}', "line 1, column 9: expected the string's closing quote, got the end of the line"],
  ['{"a": "C:\\dir"}', "line 1, column 10: expected a valid escape, such as \\n or \\\\, got '\\'"],
  ['{} {}', "line 1, column 4: expected nothing after the value, got '{'"],
  ['<<<<<<< HEAD', "line 1, column 1: expected a value, got '<'"],
  ['', 'line 1, column 1: expected a value, but the file ends here'],
])('finds the first mistake in %j', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem);
});

test('reports text that is nested too deeply, instead of overflowing the stack', () => {
  expect(jsonProblem('['.repeat(100_000))).toBe("line 1, column 1001: expected at most 1000 nested values, got '['");
});

test('finds a mistake exactly where the parser refuses the text', () => {
  const text = '{"a": [1, -2.5e+3, true, null, "x\\u00e9\\n"], "b": {}, "c": [], "": {"d": false}}';
  const isJson = (candidate: string) => {
    try {
      JSON.parse(candidate);
      return true;
    } catch {
      return false;
    }
  };
  for (let i = 0; i <= text.length; i++) {
    for (const added of ['', ',', '"', '}', ']', '0', 'e', '\\', '\n', ' ', '\u0001', ':', '-']) {
      for (const removed of [0, 1]) {
        const changed = text.slice(0, i) + added + text.slice(i + removed);
        expect({ changed, isJson: jsonProblem(changed) === undefined }).toEqual({ changed, isJson: isJson(changed) });
      }
    }
    expect({ i, isJson: jsonProblem(text.slice(0, i)) === undefined }).toEqual({ i, isJson: i === text.length });
  }
});

test('`readJson` names the file and the place of the mistake, and ignores a byte order mark', () => {
  const file = join(tmpdir(), 'load.json');
  writeFileSync(file, '\uFEFF{ "unpaid": 10 }');
  expect(readJson(file)).toEqual({ unpaid: 10 });
  writeFileSync(file, '\uFEFF{ "unpaid": 10, }');
  expect(() => readJson(file)).toThrow(
    `'${file}' is not JSON: line 1, column 17: expected a name in double quotes, got '}'`,
  );
});

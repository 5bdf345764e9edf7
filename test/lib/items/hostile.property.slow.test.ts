import * as azure from '../../../lib/azure-tables';
import type { TableDesign } from '../../../lib/design/table';
import * as dynamodb from '../../../lib/dynamodb';
import { lists, scans } from '../../../lib/dynamodb/features';
import { unique } from '../../../lib/dynamodb/unique';
import { writeCursor } from '../../../lib/items/cursor';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { numberLogsTable } from '../../../lib/systems/controle-pgm/design';
import fc from '../../support/fuzz';
import { edited, edits } from '../../support/hostile';

type Build = (values: unknown, options?: object) => unknown;

/** Every pattern of the five systems, with valid values. */
const patterns = Object.values(systems).flatMap(({ name, cloud, tables }) =>
  Object.entries(tables as Readonly<Record<string, TableDesign>>).flatMap(([table, design]) => {
    const { requests } = cloud === 'aws' ? dynamodb : azure;
    const built = requests(design, table, { unique, lists, scans }) as unknown as Readonly<Record<string, Build>>;
    return Object.entries(cases[name]?.tables[table]?.patterns ?? {}).map(([pattern, { values }]) => ({
      of: `${name}.${pattern}`,
      build: built[pattern] as Build,
      values,
      op: design.patterns?.[pattern]?.op,
    }));
  }),
);

/** The names of the errors that building a request may throw for invalid values. */
const REFUSALS: ReadonlySet<string> = new Set(['KeyError', 'ItemError', 'RequestError', 'CursorError']);

const outcomeOf = (build: () => unknown): string => {
  try {
    build();
    return 'built';
  } catch (error) {
    const { name, message } = error as Error;
    return REFUSALS.has(name) ? name : `${name}: ${message}`;
  }
};

test("building a request from any input either succeeds or throws one of this library's errors", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...patterns), edits, ({ of, build, values }, changes) => {
      const outcome = outcomeOf(() => build(edited(values, changes)));
      seen.add(outcome);
      expect({ of, outcome }).toEqual({ of, outcome: expect.stringMatching(/^(built|\w+)$/) });
    }),
    { numRuns: 1500 },
  );
  expect([...seen].sort()).toEqual(expect.arrayContaining(['ItemError', 'KeyError', 'built']));
});

test('no input pollutes Object.prototype', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  for (const name of ['__proto__', 'constructor', 'toString']) {
    for (const { build, values } of patterns) {
      const polluting = JSON.parse(`{"${name}":{"polluted":true}}`);
      outcomeOf(() => build({ ...values, ...polluting }));
      outcomeOf(() =>
        build(Object.defineProperty({ ...values }, name, { value: { polluted: true }, enumerable: true })),
      );
    }
  }
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

describe('a forged cursor', () => {
  const queries = patterns.filter(({ op }) => op === 'query');
  const anything = fc.oneof(
    fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text)),
    fc.constantFrom<unknown>(
      ...[{ bytes: { length: 1e9 } }, { bytes: 'A'.repeat(4_000) }, { number: '9'.repeat(4_000) }, { number: '1e99' }],
      ...[
        '',
        'x',
        '__proto__',
        '{}',
        btoa('null'),
        btoa('{}'),
        btoa('[]'),
        btoa('{"nextPartitionKey":{"length":1e9}}'),
      ],
    ),
  );

  test('a forged cursor is quickly rejected with a CursorError, even if it names the right pattern', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `k${i}`, type: 'string' }) as const);
    const start = performance.now();
    fc.assert(
      fc.property(fc.constantFrom(...queries), fc.array(anything, { maxLength: 5 }), ({ of, build, values }, parts) => {
        const own = of.slice(of.indexOf('.') + 1);
        const held = Object.fromEntries(parts.map((part, i) => [`k${i}`, part]));
        const outcome = outcomeOf(() => build(values, { cursor: writeCursor(own, keys(parts.length), held) }));
        expect({ of, outcome }).toEqual({ of, outcome: 'CursorError' });
      }),
      { numRuns: 500 },
    );
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  test("a forged Azure Tables cursor is accepted only if its token has the SDK's format", () => {
    const { logsOfMonth } = azure.requests(numberLogsTable, 'NumberLogs');
    const cursorOf = (token: string) =>
      writeCursor(
        'logsOfMonth',
        [
          { name: 'p', type: 'string' },
          { name: 't', type: 'string' },
        ],
        { p: 'LOG_2025_01', t: token },
      );
    const call = (token: string) =>
      outcomeOf(() => (logsOfMonth as unknown as Build)({ year: 2025, month: 1 }, { cursor: cursorOf(token) }));
    const texts = ['', 'x', '%', 'null', '[]', '{}', '7', '{"nextPartitionKey":7}', '{"nextPartitionKey":"a","x":"b"}'];
    for (const text of texts)
      expect([text, call(text), call(btoa(text))]).toEqual([text, 'CursorError', 'CursorError']);
    expect(call(btoa('{"nextPartitionKey":"1!8!MjAyNQ--","nextRowKey":"1!4!YQ--"}'))).toBe('built');
  });
});

import { check, review } from '../../../lib/check/check';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import { telemetry } from '../../fixtures/sound/content';
import { market } from '../../fixtures/sound/market';
import { support } from '../../fixtures/sound/support';
import { soundDesigns } from '../../fixtures/sound-designs';

describe('a sound design', () => {
  test.each(soundDesigns)('returns no findings for the sound design $name', (design) => {
    expect(check(design)).toEqual([]);
  });

  test('the sound designs acknowledge only findings about facts that the check cannot know', () => {
    const acknowledged = soundDesigns.flatMap((design) => review(design).acknowledged);
    expect(acknowledged.map(({ rule, path }) => `${path} [${rule}]`)).toEqual([
      'entities.Reading.keys.SK [key-collision]',
      'entities.Appointment.attributes.slot [key-collision]',
    ]);
  });
});

test('warns that a time series may lose one of two simultaneous readings, unless the design acknowledges the finding', () => {
  const design: TableDesign = { ...telemetry, acknowledge: undefined };
  expect(check(design)).toMatchObject([
    {
      rule: 'key-collision',
      severity: 'warning',
      path: 'entities.Reading.keys.SK',
      cause: 'only-time-apart',
      subject: { proposed: '<at>#<id>' },
    },
  ]);
});

describe('a large design', () => {
  // The comparison of patterns ignores these options.
  const chosen = ['returns', 'group', 'pageSize', 'order', 'consistent', 'each', 'merge'];

  /** Serializes a pattern's request without the names of its parameters and steps. */
  function requestOf(pattern: object): string {
    const parameters: string[] = [];
    const plain = (value: unknown): unknown => {
      if (typeof value === 'string')
        return value.replace(/<([^:>?]+)/g, (_, name: string) => {
          if (!parameters.includes(name)) parameters.push(name);
          return `<${parameters.indexOf(name)}`;
        });
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(plain);
      return Object.entries(value)
        .filter(([name]) => !chosen.includes(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, inner]) => [
          name,
          ['steps', 'keys', 'reads'].includes(name) ? Object.values(inner as object).map(plain) : plain(inner),
        ]);
    };
    return JSON.stringify(plain(pattern));
  }

  /** Returns the names of the patterns of a system that send the same request as an earlier pattern. */
  function repeatedIn({ tables, patterns = {} }: SystemDesign): readonly string[] {
    const all = [
      ...Object.entries(tables).flatMap(([table, design]) =>
        Object.entries(design.patterns ?? {}).map(
          ([name, pattern]) => [name, `${table} ${requestOf(pattern)}`] as const,
        ),
      ),
      ...Object.entries(patterns).map(([name, pattern]) => [name, requestOf(pattern)] as const),
    ];
    const first = new Map([...all].reverse().map(([name, request]) => [request, name]));
    return all.filter(([name, request]) => first.get(request) !== name).map(([name]) => name);
  }

  const sizes = [
    { design: support as SystemDesign, entities: 16, patterns: 69 },
    { design: market as SystemDesign, entities: 16, patterns: 65 },
  ];

  test.each(sizes)(
    'finds no two equivalent patterns in the sound design $design.name',
    ({ design, entities, patterns }) => {
      const tables = Object.values(design.tables);
      expect(tables.flatMap((table) => Object.keys(table.entities))).toHaveLength(entities);
      const names = [...tables, { patterns: design.patterns ?? {} }].flatMap((scope) =>
        Object.keys(scope.patterns ?? {}),
      );
      expect(names).toHaveLength(patterns);
      expect(repeatedIn(design)).toEqual([]);
    },
  );

  test('finds equivalent patterns with different names in a large design', () => {
    const { market: table, payments } = market.tables;
    const again = { op: 'get', where: { PK: 'STOCK#<article>', SK: 'STOCK' }, returns: ['Stock'] } as const;
    const one = { op: 'query', where: { PK: 'ORDER#<id>' }, returns: ['Order'], pageSize: 1 } as const;
    const repeating = { ...table, patterns: { ...table.patterns, again, one } };
    expect(repeatedIn({ ...market, tables: { market: repeating, payments } } as SystemDesign)).toEqual([
      'again',
      'one',
    ]);
  });
});

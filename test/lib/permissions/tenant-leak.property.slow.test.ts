import { z } from 'zod';
import { check } from '../../../lib/check/check';
import type { SystemDesign } from '../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { KeyError, render, template } from '../../../lib/design/template';
import { GrantError, grantOf } from '../../../lib/permissions/grant';
import { policyOf } from '../../../lib/permissions/policy';
import fc from '../../support/fuzz';
import { type Authorization, evaluate, type Policy } from '../../support/iam';

/** Values and tenants share a few words, so that many keys collide. */
const WORDS = ['a', 'b', 'ab'];
const VALUES = [...WORDS, 'ba', 'c'];
const TENANTS = [...VALUES, 'aa', 'bb', 'aba', '1', 'a#b', ''];
const tenantSchemas = {
  any: z.string(),
  listed: z.enum(['a', 'c']),
  one: z.enum(['a']),
  prefixed: z.string().startsWith('b'),
};
type Schema = keyof typeof tenantSchemas;

const texts = fc.constantFrom('<tenantId>', '<x>', '<y>', '<kind>');
const parts = fc.constantFrom('<tenantId>', '<tenantId>', '<x>', '<y>', '<kind>', '<n:1>');
const segments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 4, arbitrary: parts },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...WORDS), texts).map((both) => both.join('')) },
);
/**
 * A grant treats repeated parts as if their values could differ, so it may be refused because of keys that cannot
 * exist.
 */
const isRepeated = (text: string) => /(<\w+>).*\1/.test(text);
const keys = fc
  .array(segments, { minLength: 1, maxLength: 3 })
  .map((some) => some.join('#'))
  .filter((text) => !isRepeated(text));

/** Generates key templates that a policy could limit to a tenant if the table had no other entities. */
const tenantKeys = fc
  .tuple(fc.constantFrom('', '', ...WORDS, ...WORDS.map((word) => `${word}#`)), fc.array(segments, { maxLength: 2 }))
  .map(([lead, rest]) => [`${lead}<tenantId>`, ...rest].join('#'))
  .filter((text) => !isRepeated(text));

interface Case {
  readonly partitions: readonly string[];
  readonly schema: Schema;
}

const cases = (count: number): fc.Arbitrary<Case> =>
  fc.record({
    partitions: fc
      .tuple(tenantKeys, fc.array(keys, { minLength: count - 1, maxLength: count - 1 }))
      .map(([first, others]) => [first, ...others]),
    schema: fc.constantFrom<Schema>('any', 'any', 'any', 'listed', 'one', 'prefixed'),
  });

function systemOf({ partitions, schema }: Case): SystemDesign {
  const attributes = z.object({
    tenantId: tenantSchemas[schema],
    x: z.string(),
    y: z.string(),
    kind: z.enum(['a', 'c']),
    n: z.int(),
  });
  const entityOf = (PK: string, i: number): EntityDesign => ({ attributes, keys: { PK, SK: `E${i}` } });
  const things: TableDesign = {
    name: 'things',
    key: { partition: 'PK', sort: 'SK' },
    entities: Object.fromEntries(partitions.map((PK, i) => [`E${i}`, entityOf(PK, i)])),
    patterns: Object.fromEntries(partitions.map((_, i) => [`put${i}`, { op: 'put', entity: `E${i}` }])),
  };
  return { name: 'acme', cloud: 'aws', tenant: 'tenantId', tables: { things } };
}

/** Yields every key of an entity, with the tenant that owns the key. */
function* keysOf(text: string, schema: Schema): Iterable<{ key: string; owner: string | undefined }> {
  const read = template(text);
  const uses = (name: string) => read.parts.some((part) => part.name === name);
  const valuesOf = (name: string, values: readonly unknown[]) => (uses(name) ? values : [undefined]);
  const tenants = TENANTS.filter((one) => tenantSchemas[schema].safeParse(one).success);
  for (const tenantId of valuesOf('tenantId', tenants) as string[]) {
    for (const x of valuesOf('x', VALUES)) {
      for (const y of valuesOf('y', VALUES)) {
        for (const kind of valuesOf('kind', ['a', 'c'])) {
          for (const n of valuesOf('n', [1])) {
            try {
              const key = render(read, { tenantId, x, y, kind, n }, { separator: '#', maxBytes: 2048 });
              yield { key, owner: uses('tenantId') ? tenantId : undefined };
            } catch (error) {
              if (!(error instanceof KeyError)) throw error;
            }
          }
        }
      }
    }
  }
}

const tag = 'aws:PrincipalTag/tenantId';
const place = { region: 'eu-west-1', tableArn: () => 'table' };

/** Returns the policy for writing entity `i`, or the reason why the grant was refused. */
function granted(system: SystemDesign, i: number): Policy | string {
  try {
    return policyOf(grantOf({ of: system, names: [`put${i}`], tenant: { variable: tag } }), place);
  } catch (error) {
    if (error instanceof GrantError) return error.message;
    throw error;
  }
}

/**
 * Returns the keys that a tenant reaches although they belong to another tenant. Tries every piece of every key as a
 * tenant id.
 */
function trespasses(policy: Policy, { partitions, schema }: Case): readonly string[] {
  const all = partitions.flatMap((text) => [...keysOf(text, schema)].map((one) => ({ ...one, text })));
  const pieces = all.flatMap(({ key }) => key.split('#').flatMap((part) => [part, part.slice(1), part.slice(2)]));
  const isPossible = (id: string) => id === '' || tenantSchemas[schema].safeParse(id).success;
  const tenants = [...new Set([...TENANTS, ...pieces])].filter(isPossible);
  return all.flatMap(({ key, owner, text }) => {
    // The policy contains the tenant's id, so it can match only keys that contain this id.
    const others = tenants.filter((tenant) => tenant !== owner && key.includes(tenant));
    const asked = (tenant: string): Authorization => ({
      action: 'dynamodb:PutItem',
      resource: 'table',
      context: { 'dynamodb:LeadingKeys': [key], [tag]: tenant },
    });
    return others
      .filter((tenant) => evaluate([policy], asked(tenant)) === 'allowed')
      .map((tenant) => `${tenant}: ${key} (${text})`);
  });
}

/** Returns the policy that a grant would create without the search for leaks. */
function unguarded(text: string): Policy {
  const pattern = template(text).pieces.map((part) => {
    if (typeof part === 'string') return part;
    return part.name === 'tenantId' && part === template(text).parts.find(({ name }) => name === 'tenantId')
      ? `\${${tag}}`
      : part.format === undefined
        ? '*'
        : '?';
  });
  const Condition = {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [pattern.join('')] },
    StringNotLike: { [tag]: '*#*' },
  };
  const Statement = [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: 'table', Condition }] as const;
  return { Version: '2012-10-17', Statement };
}

describe.each([
  ['two', 2, 3500],
  ['three', 3, 700],
])('%s entities in one table', (_, count, numRuns) => {
  const seen = { granted: 0, refused: 0 };

  test('grants an entity to tenants if and only if each tenant reaches only its own items', () => {
    fc.assert(
      fc.property(cases(count), (design) => {
        const system = systemOf(design);
        const policy = granted(system, 0);
        if (typeof policy !== 'string') {
          seen.granted++;
          expect(trespasses(policy, design)).toEqual([]);
          return;
        }
        if (!policy.includes('compares only text')) return;
        seen.refused++;
        expect(trespasses(unguarded(design.partitions[0] as string), design)).not.toEqual([]);
      }),
      { numRuns },
    );
    // Grants and refusals must both occur often.
    expect(seen.granted).toBeGreaterThan(numRuns / 4);
    expect(seen.refused).toBeGreaterThan(numRuns / 10);
  });

  test('the check warns if and only if the grant is refused', () => {
    fc.assert(
      fc.property(cases(count), (design) => {
        const system = systemOf(design);
        const refused = design.partitions.flatMap((_text, i) => {
          const policy = granted(system, i);
          return typeof policy === 'string' && policy.includes('compares only text') ? [`E${i}`] : [];
        });
        const warned = check(system)
          .filter(({ rule }) => rule === 'tenant-leak')
          .map(({ path }) => path.split('.')[3]);
        expect(warned).toEqual(refused);
      }),
      { numRuns: numRuns / 5 },
    );
  });
});

test('grants an entity once its key is changed as the error suggests', () => {
  const seen = { one: 0, both: 0 };
  fc.assert(
    fc.property(cases(2), (design) => {
      const policy = granted(systemOf(design), 0);
      const [, ours, theirs] = /begin .*?: '([^']+)'(?: and '([^']+)')?, or/.exec(String(policy)) ?? [];
      if (ours === undefined) return;
      seen[theirs === undefined ? 'one' : 'both']++;
      const partitions = [ours, theirs ?? (design.partitions[1] as string)];
      expect(granted(systemOf({ ...design, partitions }), 0)).toEqual(expect.any(Object));
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(seen.one, seen.both)).toBeGreaterThan(10);
});

import { z } from 'zod';
import { check } from '../../../../lib/check';
import { mistakenPart } from '../../../../lib/check/rules/mistaken-part';
import type { KeyCondition, PatternDesign } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings } from '../../../fixtures/designs';

const table = (keys: Record<string, string>, patterns: Record<string, PatternDesign>): TableDesign => ({
  name: 'things',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Thing: {
      attributes: z.object({
        tenantId: z.string().startsWith('ten_'),
        userId: z.string().startsWith('usr_'),
        from: z.string(),
        to: z.string(),
        code: z.string(),
        at: z.iso.datetime({ precision: 3 }),
        day: z.iso.date(),
      }),
      keys,
    },
  },
  patterns,
});
const get = (PK: string, SK = 'X'): PatternDesign => ({ op: 'get', where: { PK, SK }, returns: ['Thing'] });
const query = (PK: string, SK: KeyCondition): PatternDesign => ({ op: 'query', where: { PK, SK }, returns: ['Thing'] });
const found = (keys: Record<string, string>, one: PatternDesign, two: Record<string, PatternDesign> = {}) =>
  findings(mistakenPart, table(keys, { one, ...two }));

describe('a parameter that no entity has', () => {
  const keys = { PK: 'T#<tenantId>', SK: 'X' };

  test.each(['tennatId', 'tenatId', 'tenanntId', 'tenamtId', 'tenantID', 'TenantId', 'tenantid'])(
    'reports <%s> as a misspelling of a key part',
    (name) => {
      const faults = check(table(keys, { one: get(`T#<${name}>`) })).filter(({ rule }) => rule === 'mistaken-part');
      expect(faults).toMatchObject([
        {
          severity: 'warning',
          message: `'T#<${name}>': no entity has an attribute '${name}', but the key has <tenantId> in the same place`,
          fix: "write 'T#<tenantId>', and rename the parameter in calls to the pattern",
        },
      ]);
    },
  );

  test.each(['tenantIds', 'tenantId2', 'aTenantId', 'id', 'owner', 'tenant_id'])(
    'accepts <%s>, which is a different word and not a typo',
    (name) => {
      expect(found(keys, get(`T#<${name}>`))).toEqual([]);
    },
  );

  test.each(['tennatId', 'tenantID'])('accepts <%s> if another entity has an attribute with the same name', (name) => {
    const design = table(keys, { one: get(`T#<${name}>`) });
    const Other = { attributes: z.object({ [name]: z.string() }), keys: { PK: `O#<${name}>`, SK: 'X' } };
    expect(findings(mistakenPart, { ...design, entities: { ...design.entities, Other } })).toEqual([]);
  });
});

describe('a parameter named after an attribute', () => {
  test('reports a parameter named after an attribute that the key has in another place', () => {
    expect(found({ PK: '<tenantId>#<userId>', SK: 'X' }, get('<userId>#<tenantId>'))).toEqual([
      { path: 'patterns.one.where.PK', cause: 'of-another-name', part: 'userId', proposed: '<tenantId>#<userId>' },
    ]);
    expect(found({ PK: 'E#<from>#<to>', SK: 'X' }, get('E#<to>#<from>'))).toHaveLength(1);
  });

  test('accepts a pattern that queries an edge in the reverse direction', () => {
    const two = get('E#<from>#<to>');
    expect(found({ PK: 'E#<from>#<to>', SK: 'X' }, get('E#<to>#<from>'), { two })).toEqual([]);
    expect(found({ PK: 'E#<from>', SK: '<to>' }, get('E#<to>', '<from>'))).toEqual([]);
  });

  test('reports two swapped parameters of different kinds, even if another pattern has the correct order', () => {
    const keys = { PK: 'REPO#<from>#<day>', SK: 'X' };
    const two = get('REPO#<from>#<day>');
    expect(found(keys, get('REPO#<day>#<from>'), { two }).map(({ proposed }) => proposed)).toEqual([keys.PK]);
    expect(found({ PK: 'U#<userId>#<day>', SK: 'X' }, get('U#<day>#<user_id>'))).toHaveLength(1);
  });

  test('reports a parameter whose values can never occur at its place in the key', () => {
    expect(found({ PK: 'T#<tenantId>', SK: 'X' }, get('T#<userId>'))).toEqual([
      { path: 'patterns.one.where.PK', cause: 'of-another-name', part: 'userId', proposed: 'T#<tenantId>' },
    ]);
    expect(found({ PK: '<from>', SK: '<tenantId>#<at>' }, query('<from>', { atLeast: '<userId>#<at>' }))).toHaveLength(
      1,
    );
  });

  test('accepts a parameter whose values can occur at its place in the key', () => {
    expect(found({ PK: 'T#<tenantId>', SK: 'X' }, get('T#<from>'))).toEqual([]);
    expect(found({ PK: 'T#<at:date>', SK: 'X' }, get('T#<day>'))).toEqual([]);
  });

  test('reports a full timestamp where the key contains only part of the timestamp', () => {
    expect(found({ PK: '<from>#<at:date>', SK: '<at>' }, get('<from>#<at>', '<at>'))).toEqual([
      { path: 'patterns.one.where.PK', cause: 'whole-time', part: 'at', proposed: '<from>#<at:date>' },
    ]);
    expect(found({ PK: '<from>#<at:date>', SK: '<at>' }, get('<from>#<at:date>', '<at>'))).toEqual([]);
  });

  test('accepts a mismatched parameter in a prefix or a bound', () => {
    const keys = { PK: '<from>', SK: '<tenantId>#<at:date>' };
    expect(found(keys, query('<from>', { beginsWith: '<userId>' }))).toEqual([]);
    expect(found(keys, query('<from>', { beginsWith: '<tenantId>#<at>' }))).toEqual([]);
    expect(found(keys, query('<from>', { between: ['<tenantId>#<at>', '<tenantId>#<to>'] }))).toEqual([]);
  });
});

describe('a sort-key prefix', () => {
  const keys = { PK: '<from>', SK: 'V#<at>#<code>' };

  test('warns of a parameter named after an attribute that the key has in a later place', () => {
    const design = table(keys, { one: query('<from>', { beginsWith: 'V#<code>#' }) });
    const [finding] = check(design).filter(({ rule }) => rule === 'mistaken-part');
    expect(finding).toMatchObject({
      severity: 'warning',
      cause: 'of-another-name',
      message: "'V#<code>#': the pattern has <code> where the key has <at>",
      fix: "write 'V#<at>#'",
    });
    expect(finding).not.toHaveProperty('edits');
    expect(found(keys, query('<from>', { atLeast: 'V#<code>#' }))).toHaveLength(1);
    expect(found(keys, query('<from>', { beginsWith: 'V#<at>#' }))).toEqual([]);
    expect(found(keys, query('<from>', { beginsWith: 'V#<to>#' }))).toEqual([]);
  });

  test('reports a certain mistake even if another part is only likely to be wrong', () => {
    const both = { PK: '<from>', SK: 'V#<at>#<tenantId>#<code>' };
    const design = table(both, { one: query('<from>', { beginsWith: 'V#<code>#<userId>#' }) });
    const [finding] = check(design).filter(({ rule }) => rule === 'mistaken-part');
    expect(finding).toMatchObject({ severity: 'error', fix: "write 'V#<at>#<tenantId>#'" });
    expect(finding).not.toHaveProperty('edits');
  });

  test('accepts the other end of an edge, a piece of a time, and a name that the key lacks', () => {
    expect(found({ PK: '<day>', SK: 'E#<from>#<to>' }, query('<day>', { beginsWith: 'E#<to>#' }))).toEqual([]);
    expect(found({ PK: '<from>', SK: '<day>#<at>' }, query('<from>', { beginsWith: '<at:date>#' }))).toEqual([]);
    expect(found({ PK: '<from>', SK: '<to>#<at>' }, query('<from>', { beginsWith: '<day>#' }))).toEqual([]);
  });
});

test('accepts a parameter whose name is not an attribute', () => {
  expect(found({ PK: '<tenantId>#<at:date>', SK: 'X' }, get('<owner>#<on>'))).toEqual([]);
});

describe('a part that refers to a step', () => {
  const step = (PK: string): PatternDesign => ({
    op: 'transaction',
    steps: {
      thing: { op: 'put', entity: 'Thing' },
      other: { op: 'delete', entity: 'Thing', where: { PK, SK: 'X' } },
    },
  });

  test("reports a reference to a step's attribute whose values can never occur at the reference's place in the key", () => {
    expect(found({ PK: 'T#<tenantId>', SK: 'X' }, step('T#<thing.userId>'))).toEqual([
      {
        path: 'patterns.one.steps.other.where.PK',
        cause: 'of-a-step',
        part: 'thing.userId',
        proposed: 'T#<thing.tenantId>',
      },
    ]);
    expect(found({ PK: '<at:date>', SK: 'X' }, step('<thing.at>')).map(({ proposed }) => proposed)).toEqual([
      '<thing.at:date>',
    ]);
  });

  test('reports two swapped references to a step', () => {
    const keys = { PK: 'R#<from>#<day>', SK: 'X' };
    expect(found(keys, step('R#<thing.day>#<thing.from>')).map(({ proposed }) => proposed)).toEqual([
      'R#<thing.from>#<thing.day>',
    ]);
    expect(found(keys, step('R#<thing.from>#<thing.day>'))).toEqual([]);
  });

  test('accepts a reference to another attribute with suitable values', () => {
    expect(found({ PK: 'T#<tenantId>', SK: 'X' }, step('T#<thing.tenantId>'))).toEqual([]);
    expect(found({ PK: 'T#<from>', SK: 'X' }, step('T#<thing.to>'))).toEqual([]);
    expect(found({ PK: '<at:date>', SK: 'X' }, step('<thing.day>'))).toEqual([]);
  });
});

test('reports a pattern whose parts are in a different order than in the key of a returned entity', () => {
  const attributes = z.object({ owner: z.string(), name: z.string() });
  const design: TableDesign = {
    name: 'git',
    key: { partition: 'PK', sort: 'SK' },
    entities: {
      Repo: { attributes, keys: { PK: 'REPO#<owner>#<name>', SK: 'REPO' } },
      Readme: { attributes, keys: { PK: 'REPO#<name>#<owner>', SK: 'README' } },
    },
    patterns: { page: { op: 'query', where: { PK: 'REPO#<owner>#<name>' }, returns: ['Repo', 'Readme'] } },
  };
  expect(findings(mistakenPart, design)).toMatchObject([{ cause: 'of-another-name', part: 'owner' }]);
});

test('reports a pattern in which the id of one entity follows the name of another', () => {
  const attributes = z.object({ userId: z.string(), orderId: z.string(), followeeId: z.string() });
  const asking = (PK: string): TableDesign => ({
    name: 'shop',
    key: { partition: 'PK', sort: 'SK' },
    entities: {
      User: { attributes, keys: { PK: 'USER#<userId>', SK: 'USER' } },
      Order: { attributes, keys: { PK: 'ORDER#<orderId>', SK: 'ORDER' } },
    },
    patterns: { user: { op: 'get', where: { PK, SK: 'USER' }, returns: ['User'] } },
  });
  expect(findings(mistakenPart, asking('USER#<orderId>'))).toMatchObject([
    { cause: 'of-another-thing', proposed: 'USER#<userId>' },
  ]);
  expect(findings(mistakenPart, asking('USER#<user_id>'))).toEqual([]);
  expect(findings(mistakenPart, asking('USER#<followeeId>'))).toEqual([]);
  expect(findings(mistakenPart, asking('USER#<ownerId>'))).toEqual([]);
});

test.each(Object.values(systems).flatMap(({ tables }) => Object.values(tables) as TableDesign[]))(
  'returns no findings for $name',
  (design) => expect(findings(mistakenPart, design)).toEqual([]),
);

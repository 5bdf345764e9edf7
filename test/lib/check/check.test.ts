import { z } from 'zod';
import { assertSound, check, review } from '../../../lib/check/check';
import { DesignError } from '../../../lib/check/language/well-formed';
import { rules } from '../../../lib/check/rules';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import { systems } from '../../../lib/systems';
import { anyDesign } from '../../fixtures/any-design';
import { carts, orders, shop, told } from '../../fixtures/designs';
import fc from '../../support/fuzz';

/** A table with many faults at once. */
const wrong: TableDesign = {
  name: 'a b',
  key: { partition: 'PK', sort: 'PK' },
  indexes: { 'by day': { partition: 'day', sort: 'nobody' } },
  ttl: 'PK',
  entities: { Thing: { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<idd>', day: '<id' } } },
};

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function thrownBy(run: () => void): DesignError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(DesignError);
    return error as DesignError;
  }
  throw new Error('nothing was thrown');
}

describe('check', () => {
  test('returns no findings for a sound table or system', () => {
    expect(check(orders)).toEqual([]);
    expect(check(shop)).toEqual([]);
  });

  test.each(Object.values(systems))('returns no findings for $name', (system) => {
    expect(check(system)).toEqual([]);
  });

  test('returns all findings at once, in the order of the design', () => {
    expect(check(wrong).map(({ path, rule }) => `${path} [${rule}]`)).toEqual([
      'name [limits]',
      'key.sort [limits]',
      'ttl [limits]',
      'indexes.by day [limits]',
      'entities.Thing.keys.day [template-syntax]',
      'entities.Thing.keys.PK [unknown-name]',
      'entities.Thing.keys [incomplete-key]',
    ]);
  });

  test('gives each finding a rule, a cause, a severity, a place, a subject, a message and a fix', () => {
    expect(check({ ...carts, name: 'a b' })).toEqual([
      {
        rule: 'limits',
        cause: 'table-name',
        severity: 'error',
        path: 'name',
        subject: { kind: 'table', name: 'a b', field: 'name' },
        message: expect.any(String),
        fix: expect.any(String),
      },
    ]);
  });

  test("prefixes the paths in a system with the table's name", () => {
    const tables = { carts, 'a b': wrong, more: { ...carts, name: 'more', separator: '' } };
    const paths = check({ ...shop, tables }).map(({ path }) => path);
    expect(paths[0]).toBe('tables.a b.name');
    expect(paths.at(-1)).toBe('tables.more.separator');
    expect(paths).toHaveLength(check(wrong).length + 1);
    expect(check({ ...shop, tables }).at(-1)?.subject).toMatchObject({ kind: 'table', name: 'more', table: 'more' });
  });

  test('does not prefix the paths in a table that was also checked as part of a system', () => {
    check({ ...shop, tables: { 'a b': wrong } });
    expect(check(wrong)[0]?.path).toBe('name');
  });

  test('checks the same design only once, unless the caller also requests notes', () => {
    expect(check(wrong)).toBe(check(wrong));
    expect(check(shop)).toBe(check(shop));
    expect(check(shop, { notes: true })).not.toBe(check(shop));
  });

  test('never throws, and gives every finding a place, a message and a fix', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        for (const { path, message, fix } of check(design)) {
          expect(path).toMatch(/^(name|key|indexes|ttl|separator|typeAttribute|entities|patterns|acknowledge)/);
          expect(message).not.toMatch(/undefined|\[object/);
          expect(fix).not.toBe('');
        }
      }),
    );
  });
});

describe('a system', () => {
  const problems = (system: Partial<SystemDesign>) =>
    check({ ...shop, ...system }).map((finding) => ({ rule: finding.rule, ...told(finding) }));
  const unknown = { rule: 'unknown-name', severity: 'error' };

  test('rejects a system that lists a table under a name other than its own', () => {
    expect(problems({ tables: { baskets: carts } })).toEqual([
      { ...unknown, path: 'tables.baskets', cause: 'table', proposed: 'carts' },
    ]);
  });

  test('rejects a system with two patterns of the same name in different tables', () => {
    const patterns = { getCustomer: { op: 'put', entity: 'Cart' } } as const;
    expect(problems({ tables: { orders, carts: { ...carts, patterns } } })).toEqual([
      { rule: 'duplicate-name', severity: 'error', path: 'tables.carts.patterns.getCustomer', cause: 'pattern' },
    ]);
  });

  test('rejects a tenant attribute that no entity in the system has', () => {
    expect(problems({ tenant: 'tenant_id' })).toContainEqual({
      ...unknown,
      path: 'tenant',
      cause: 'tenant',
      attribute: 'tenant_id',
    });
    expect(problems({ tenant: 'customerId' }).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('rejects a procedure that uses a pattern that no table has', () => {
    const procedures = { checkOut: { uses: ['placeOrder', 'payOrder'] } };
    expect(problems({ procedures })).toEqual([
      { ...unknown, path: 'procedures.checkOut.uses', cause: 'procedure', value: 'payOrder' },
    ]);
  });

  test('includes the acknowledgements of tables in the review of a system', () => {
    expect(review(shop).acknowledged.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'tables.orders.entities.Order.keys.GSI1PK: an order leaves the index soon after it is sent',
    ]);
  });
});

describe('assertSound', () => {
  test('accepts a sound table and a sound system', () => {
    expect(() => assertSound(orders)).not.toThrow();
    expect(() => assertSound(shop)).not.toThrow();
  });

  test('throws an error with the place, the value and the fix if the table is unsound', () => {
    const design = { ...carts, ttl: 'SK' };
    expect(thrownBy(() => assertSound(design)).message).toBe(
      [
        "table design 'carts' has 1 problem",
        "  ttl: the TTL attribute 'SK' is a key attribute",
        '    fix: store the expiry in a separate attribute   [limits]',
      ].join('\n'),
    );
  });

  test('throws a single error that counts and lists all errors of a system', () => {
    const tables = { carts: { ...carts, ttl: 'SK' }, stock: { ...shop.tables.stock, separator: '' } };
    expect(thrownBy(() => assertSound({ ...shop, tables })).message).toBe(
      [
        "system design 'shop' has 2 problems",
        "  tables.carts.ttl: the TTL attribute 'SK' is a key attribute",
        '    fix: store the expiry in a separate attribute   [limits]',
        "  tables.stock.separator: '' cannot separate the parts of a key",
        "    fix: use one character that no identifier, number or date contains, such as '#' or '|'   [limits]",
      ].join('\n'),
    );
  });

  test('throws an error whose `findings` are all errors of the design', () => {
    const error = thrownBy(() => assertSound(wrong));
    expect(error.name).toBe('DesignError');
    const errors = check(wrong).filter(({ severity }) => severity === 'error');
    expect(error.findings).toEqual(errors);
    expect(error.message.split('\n')).toHaveLength(1 + 2 * errors.length);
  });

  test('accepts a design that has only warnings', () => {
    const design = { ...orders, acknowledge: {} };
    const load = { ordersByStatus: { perSecond: 50_000 } };
    expect(check(design, { load })).toMatchObject([{ rule: 'hot-partition', severity: 'warning' }]);
    expect(() => assertSound(design)).not.toThrow();
  });
});

test('every rule has a unique id, a reason, and a sentence for each cause', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, why, causes } of rules) {
    expect(why).toMatch(/^[^\n]*\.$/);
    expect(id).toMatch(KEBAB);
    expect(Object.keys(causes)).not.toEqual([]);
    for (const [cause, what] of Object.entries(causes)) {
      expect(cause).toMatch(KEBAB);
      expect(what).toMatch(/^[^\n]*[^.]$/);
    }
  }
});

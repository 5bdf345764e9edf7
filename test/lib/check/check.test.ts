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
  test('finds nothing in a sound table or system', () => {
    expect(check(orders)).toEqual([]);
    expect(check(shop)).toEqual([]);
  });

  test.each(Object.values(systems))('finds nothing in $name', (system) => {
    expect(check(system)).toEqual([]);
  });

  test('finds all problems at once, in the order of the design', () => {
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

  test('gives each finding its rule and cause, severity, place, subject, message and fix', () => {
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

  test('prefixes the path with the table of a system', () => {
    const tables = { carts, 'a b': wrong, more: { ...carts, name: 'more', separator: '' } };
    const paths = check({ ...shop, tables }).map(({ path }) => path);
    expect(paths[0]).toBe('tables.a b.name');
    expect(paths.at(-1)).toBe('tables.more.separator');
    expect(paths).toHaveLength(check(wrong).length + 1);
    expect(check({ ...shop, tables }).at(-1)?.subject).toMatchObject({ kind: 'table', name: 'more', table: 'more' });
  });

  test('keeps the paths of a table unchanged after checking a system with it', () => {
    check({ ...shop, tables: { 'a b': wrong } });
    expect(check(wrong)[0]?.path).toBe('name');
  });

  test('checks a design once, and again only if notes are requested', () => {
    expect(check(wrong)).toBe(check(wrong));
    expect(check(shop)).toBe(check(shop));
    expect(check(shop, { notes: true })).not.toBe(check(shop));
  });

  test('never throws, and names a place, a message and a fix in every finding', () => {
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

  test('must list a table under its own name', () => {
    expect(problems({ tables: { baskets: carts } })).toEqual([
      { ...unknown, path: 'tables.baskets', cause: 'table', proposed: 'carts' },
    ]);
  });

  test('must not have two patterns with the same name, in any of its tables', () => {
    const patterns = { getCustomer: { op: 'put', entity: 'Cart' } } as const;
    expect(problems({ tables: { orders, carts: { ...carts, patterns } } })).toEqual([
      { rule: 'duplicate-name', severity: 'error', path: 'tables.carts.patterns.getCustomer', cause: 'pattern' },
    ]);
  });

  test('must have a tenant that occurs in some entity, in an attribute or in a key', () => {
    expect(problems({ tenant: 'tenant_id' })).toContainEqual({
      ...unknown,
      path: 'tenant',
      cause: 'tenant',
      attribute: 'tenant_id',
    });
    expect(problems({ tenant: 'customerId' }).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('must have procedures that use only its own patterns', () => {
    const procedures = { checkOut: { uses: ['placeOrder', 'payOrder'] } };
    expect(problems({ procedures })).toEqual([
      { ...unknown, path: 'procedures.checkOut.uses', cause: 'procedure', value: 'payOrder' },
    ]);
  });

  test('includes the acknowledgements of its tables, at their places', () => {
    expect(review(shop).acknowledged.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'tables.orders.entities.Order.keys.GSI1PK: an order leaves the index soon after it was sent',
    ]);
  });
});

describe('assertSound', () => {
  test('accepts a sound table and a sound system', () => {
    expect(() => assertSound(orders)).not.toThrow();
    expect(() => assertSound(shop)).not.toThrow();
  });

  test('reports the place, the value and the fix', () => {
    const design = { ...carts, ttl: 'SK' };
    expect(thrownBy(() => assertSound(design)).message).toBe(
      [
        "table design 'carts' has 1 problem",
        "  ttl: 'SK' is a key attribute",
        '    fix: keep the expiry in an attribute of its own   [limits]',
      ].join('\n'),
    );
  });

  test('reports and counts the errors of a system too', () => {
    const tables = { carts: { ...carts, ttl: 'SK' }, stock: { ...shop.tables.stock, separator: '' } };
    expect(thrownBy(() => assertSound({ ...shop, tables })).message).toBe(
      [
        "system design 'shop' has 2 problems",
        "  tables.carts.ttl: 'SK' is a key attribute",
        '    fix: keep the expiry in an attribute of its own   [limits]',
        "  tables.stock.separator: '' cannot separate the parts of a key",
        "    fix: use one character that no identifier, number or date contains, such as '#' or '|'   [limits]",
      ].join('\n'),
    );
  });

  test('throws once with every error, and carries them as data', () => {
    const error = thrownBy(() => assertSound(wrong));
    expect(error.name).toBe('DesignError');
    const errors = check(wrong).filter(({ severity }) => severity === 'error');
    expect(error.findings).toEqual(errors);
    expect(error.message.split('\n')).toHaveLength(1 + 2 * errors.length);
  });

  test('accepts a design with warnings only', () => {
    const design = { ...orders, acknowledge: {} };
    const load = { ordersByStatus: { perSecond: 50_000 } };
    expect(check(design, { load })).toMatchObject([{ rule: 'hot-partition', severity: 'warning' }]);
    expect(() => assertSound(design)).not.toThrow();
  });
});

test('every rule has a unique name, a reason, and a sentence for each cause', () => {
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

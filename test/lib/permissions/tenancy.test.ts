import { z } from 'zod';
import type { Access } from '../../../lib/blueprint/accesses';
import { blueprint } from '../../../lib/blueprint/table';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { principalTag, tenantPart } from '../../../lib/permissions/tenancy';
import { saas } from '../../fixtures/sound/tenants';
import { accessesOf } from '../../support/accesses';

describe('a tenant that could pass for another', () => {
  const attributes = saas.tables.members.entities.Member.attributes;
  /** What is wrong with holding a read of this partition to its tenant. */
  function problem(PK: string, more: Partial<TableDesign> = {}): string | undefined {
    const of: TableDesign = {
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: { Thing: { attributes, keys: { PK, SK: 'x' } } },
      patterns: { read: { op: 'query', where: { PK }, returns: ['Thing'] } },
      ...more,
    };
    const pattern = of.patterns?.read as PatternDesign;
    const [access] = accessesOf(of, pattern) as readonly [Access];
    const found = tenantPart(blueprint(of), access, { name: 'x', cloud: 'aws', tenant: 'tenantId', tables: { x: of } });
    return 'problem' in found ? found.problem : undefined;
  }

  test.each(['TENANT#<tenantId>', '<tenantId>', '<tenantId>#<role>', 'T<tenantId>#x'])('%s is fine', (PK) => {
    expect(problem(PK)).toBeUndefined();
  });

  test('because something else comes before it', () => {
    expect(problem('<role>#<tenantId>')).toContain('<tenantId> is not the first part');
  });

  test('because it has no end', () => {
    expect(problem('<tenantId><role>')).toContain("<tenantId> does not end at a '#'");
    expect(problem('<tenantId>-<role>')).toContain("does not end at a '#'");
    expect(problem('<tenantId>-<role>', { separator: '-' })).toBeUndefined();
  });

  test('because it is a number, on which there is no condition', () => {
    const entities = { Thing: { attributes: z.object({ tenantId: z.int() }) } };
    const patterns = { read: { op: 'get', where: { tenantId: '<tenantId>' }, returns: ['Thing'] } } as const;
    expect(problem('', { key: { partition: 'tenantId' }, entities, patterns })).toContain(
      "partition '<tenantId>' of the table is a number, and a tag is compared with text alone",
    );
  });

  test('because it is written in another way than a tag has it', () => {
    expect(problem('TENANT#<tenantId:8>')).toContain('<tenantId:8> is not the tenant as a tag has it');
  });
});

describe('a tag', () => {
  test('is a variable of the policy, for an attribute of its own name unless another is given', () => {
    expect(principalTag('tenantId')).toEqual({ variable: 'aws:PrincipalTag/tenantId' });
    expect(principalTag('t', { attribute: 'tenantId' })).toEqual({
      variable: 'aws:PrincipalTag/t',
      attribute: 'tenantId',
    });
  });

  test.each(['', 'a}b', 'x'.repeat(129), `a\${b`, 'a*'])('is one that IAM has, and not %j', (tag) => {
    expect(() => principalTag(tag)).toThrow('a tag must be 1 to 128 letters');
  });

  test('is never one that was left out', () => {
    expect(() => principalTag(undefined as unknown as string)).toThrow('got: nothing');
  });
});

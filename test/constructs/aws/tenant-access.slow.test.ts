import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import {
  AccountRootPrincipal,
  type IGrantable,
  Role,
  ServicePrincipal,
  SessionTagsPrincipal,
  User,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { App, Stack, Tags } from 'aws-cdk-lib/core';
import {
  DesignedTable,
  principalTag,
  SystemStack,
  TenantAccess,
  type TenantAccessProps,
} from '../../../constructs/aws';
import { namesIn } from '../../../lib/blueprint/system';
import type { SystemDesign } from '../../../lib/design/system';
import { sessionPolicy } from '../../../lib/dynamodb';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { grantOf } from '../../../lib/permissions/grant';
import { booking, trimobe } from '../../../lib/systems';
import { tableArn } from '../../support/authorizations';
import { type Authorization, evaluate, type Policy } from '../../support/iam';
import { ACCOUNT, policiesIn, REGION } from '../../support/policies';

function made(more: Partial<TenantAccessProps> = {}) {
  const stack = new SystemStack(new App(), 'trimobe', { design: trimobe });
  const code = Code.fromInline('exports.handler = () => {}');
  const chat = new Lambda(stack, 'Chat', { runtime: Runtime.NODEJS_20_X, handler: 'index.handler', code });
  const patterns = ['getConversation', 'latestConversationsOfTenant'] as const;
  const access = new TenantAccess(stack, 'Tenant', {
    on: stack.system,
    patterns,
    callers: [chat],
    ...more,
  } as TenantAccessProps);
  return { stack, chat, access };
}

/** Whether a policy can limit a pattern to a tenant. */
function isHeld(of: SystemDesign, name: string): boolean {
  try {
    return grantOf({ of, names: [name], tenant: principalTag('tenantId') }).length > 0;
  } catch {
    return false;
  }
}

const logicalId = (stack: Stack, role: Role) => stack.getLogicalId(role.node.defaultChild as never);

describe('`TenantAccess` by session tag', () => {
  const { stack, chat, access } = made();
  const template = Template.fromStack(stack);
  const callerRole = logicalId(stack, chat.role as Role);
  const tenantRole = logicalId(stack, access.role);

  test('the role trusts only the caller, and only for sessions with exactly the tenant tag', () => {
    const Principal = { AWS: { 'Fn::GetAtt': [callerRole, 'Arn'] } };
    const trust = template.findResources('AWS::IAM::Role')[tenantRole]?.Properties.AssumeRolePolicyDocument.Statement;
    expect(trust.flatMap(({ Action }: { Action: unknown }) => Action).sort()).toEqual([
      'sts:AssumeRole',
      'sts:TagSession',
    ]);
    for (const statement of trust) {
      expect(statement).toMatchObject({
        Effect: 'Allow',
        Principal,
        Condition: {
          StringLike: { 'aws:RequestTag/tenantId': '?*' },
          'ForAllValues:StringEquals': { 'aws:TagKeys': ['tenantId'] },
        },
      });
    }
  });

  test('the caller may assume the role with tags, but cannot reach the tables without the role', () => {
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: ['sts:AssumeRole', 'sts:TagSession'],
            Resource: { 'Fn::GetAtt': [tenantRole, 'Arn'] },
          },
        ],
      },
      Roles: [{ Ref: callerRole }],
    });
    const own = Object.values(template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
      Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === callerRole),
    );
    expect(JSON.stringify(own)).not.toContain('dynamodb:');
  });

  test("a session reads only its tenant's partitions, and has no access without a tag", () => {
    const policies = policiesIn(template.toJSON() as TemplateJson, [tenantRole]).get(tenantRole) as readonly Policy[];
    const may = (key: string, tag?: string) => evaluate(policies, asked(key, tag)) === 'allowed';
    expect([may('TENANT#t1', 't1'), may('TENANT#t2', 't1'), may('TENANT#t1')]).toEqual([true, false, false]);
  });

  test('a grant through `TenantAccess` causes no warning, since the session carries the tag', () => {
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('needs the tag'));
  });
});

const asked = (key: string, tag?: string): Authorization => ({
  action: 'dynamodb:GetItem',
  resource: tableArn('trimobe-prod-RuralCreditAI'),
  context: { 'dynamodb:LeadingKeys': [key], ...(tag === undefined ? {} : { 'aws:PrincipalTag/tenantId': tag }) },
});

describe('`TenantAccess` by session policy', () => {
  const { stack, access } = made({ by: 'session-policy' });
  const template = Template.fromStack(stack).toJSON();
  const role = logicalId(stack, access.role);
  const policyOfAll = filled(stack.resolve(access.sessionPolicy));

  /** Resolves the references in the policy text as a deployment would. */
  function filled(value: { 'Fn::Join': [string, unknown[]] }): string {
    const text = (part: unknown): string => {
      if (typeof part === 'string') return part;
      const { Ref, 'Fn::GetAtt': [id] = [] } = part as { Ref?: string; 'Fn::GetAtt'?: string[] };
      if (Ref !== undefined)
        return { 'AWS::Region': REGION, 'AWS::AccountId': ACCOUNT, 'AWS::Partition': 'aws' }[Ref] ?? Ref;
      const name = template.Resources[id as string].Properties.TableName;
      return name === undefined ? `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}` : tableArn(name);
    };
    return value['Fn::Join'][1].map(text).join('');
  }

  test('the role covers all tenants, and callers can assume it without tags', () => {
    const [policies] = [policiesIn(template as TemplateJson, [role]).get(role) as readonly Policy[]];
    expect(['t1', 't2'].map((id) => evaluate(policies, asked(`TENANT#${id}`)))).toEqual(['allowed', 'allowed']);
    expect(JSON.stringify(template.Resources[role])).not.toMatch(/TagSession|RequestTag/);
  });

  test("a session reaches only its own tenant, even if the tenant's id has unusual characters", () => {
    for (const id of ['t1', '*', '?', '$', `\${aws:username}`, '"', '$&']) {
      const policy = JSON.parse(sessionPolicy(policyOfAll, id)) as Policy;
      const may = (key: string) => evaluate([policy], asked(key)) === 'allowed';
      expect([may(`TENANT#${id}`), may('TENANT#other'), may(`TENANT#${id}x`)]).toEqual([true, false, false]);
    }
  });

  test('`sessionPolicy` refuses an empty id and an id that contains the separator', () => {
    expect(() => sessionPolicy(policyOfAll, 't1#CONVERSATION')).toThrow('must not contain the key separator');
    expect(() => sessionPolicy(policyOfAll, '')).toThrow("a tenant's id must be a string");
    expect(() => sessionPolicy(policyOfAll, undefined as unknown as string)).toThrow('got: nothing');
    expect(() => sessionPolicy('{"Version":"2012-10-17","Statement":[]}', 't1')).toThrow('not limited to a tenant');
  });

  test('`sessionPolicy` refuses an id with a character that IAM does not accept', () => {
    expect(() => sessionPolicy(policyOfAll, 'acmé★')).toThrow("which IAM accepts; 'acmé★' has U+2605");
    expect(() => sessionPolicy(policyOfAll, 'a\nb')).toThrow('has U+000A');
    expect(sessionPolicy(policyOfAll, 'acmé')).toContain('TENANT#acmé');
  });

  test('`sessionPolicy` refuses a policy that is too long, and reports its length, its patterns and a way to split them', () => {
    expect(sessionPolicy(policyOfAll, 't1'.repeat(18)).length).toBeLessThan(2048);
    expect(() => sessionPolicy(policyOfAll, 'x'.repeat(1900))).toThrow(
      /^the session policy for getConversation, latestConversationsOfTenant has \d{4} characters, but STS accepts 2048; create one TenantAccess for getConversation and another for latestConversationsOfTenant, or use by: 'session-tag'/,
    );
  });

  test('`TenantAccess` refuses patterns whose session policy would be too long even for the shortest tenant id', () => {
    const patterns = namesIn(booking).filter((name) => isHeld(booking, name));
    const stack = new SystemStack(new App(), 'booking', { design: booking });
    const callers = [new AccountRootPrincipal()];
    const props = { on: stack.system, patterns, callers, by: 'session-policy' } as unknown as TenantAccessProps;
    expect(() => new TenantAccess(stack, 'Tenant', props)).toThrow(
      /has at least \d{4} characters, but STS accepts 2048/,
    );
  });
});

describe('invalid props of `TenantAccess`', () => {
  test.each<readonly [string, Partial<TenantAccessProps>, string]>([
    ['no callers', { callers: [] }, 'callers must list at least one principal'],
    [
      'an unknown method',
      { by: 'tag' as 'session-tag' },
      "'by' must be one of session-tag, session-policy, got: 'tag'",
    ],
    [
      'a pattern that no policy can limit to a tenant',
      { patterns: ['tenantsOfUser'] },
      'nothing was granted: 1 problem',
    ],
    ['an invalid tag', { tag: 'a*' }, 'a tag must be'],
  ])('refuses %s', (_what, props, message) => {
    expect(() => made(props)).toThrow(message);
  });

  test('refuses a table without a tenant unless a tag is given', () => {
    const stack = new Stack(new App(), 'Test');
    const on = new DesignedTable(stack, 'T', { design: booking.tables.Services });
    const callers = [new AccountRootPrincipal()];
    const make = (more: { tag?: string }) =>
      new TenantAccess(stack, 'Tenant', { on, patterns: ['getService'], callers, ...more });
    expect(() => make({})).toThrow("tag must be given, such as 'tenantId', because 'Services' declares no tenant");
    expect(make({ tag: 'tenantId' }).tag).toBe('tenantId');
  });
});

describe('grants that are limited to a tenant without `TenantAccess`', () => {
  function warned(principal: (stack: Stack) => IGrantable): number {
    const stack = new SystemStack(new App(), 'trimobe', { design: trimobe });
    const tenant = principalTag('tenantId');
    stack.system.grantPatterns(principal(stack), ['getConversation'], { tenant });
    stack.system.tables.RuralCreditAI.grantPatterns(principal(stack), ['getFile'], { tenant });
    const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp("needs the tag 'tenantId'"));
    return new Set(found.map(({ id }) => id)).size;
  }
  const assumedBy = new ServicePrincipal('lambda.amazonaws.com');
  let next = 0;
  const id = () => `P${next++}`;

  test.each<readonly [string, (stack: Stack) => IGrantable]>([
    ['the role of a function', (stack) => new Role(stack, id(), { assumedBy })],
    [
      'a function',
      (stack) =>
        new Lambda(stack, id(), {
          runtime: Runtime.NODEJS_20_X,
          handler: 'i.h',
          code: Code.fromInline('exports.h = 1'),
        }),
    ],
    ['a user without the tag', (stack) => new User(stack, id())],
  ])('warns if the grantee can never have the tag: %s', (_what, principal) => {
    expect(warned(principal)).toBe(2);
  });

  test.each<readonly [string, (stack: Stack) => IGrantable]>([
    [
      'a role that is assumed with tags',
      (stack) => new Role(stack, id(), { assumedBy: new SessionTagsPrincipal(assumedBy) }),
    ],
    [
      'a role for an identity provider',
      (stack) => new Role(stack, id(), { assumedBy: new WebIdentityPrincipal('cognito-identity.amazonaws.com') }),
    ],
    ['a role that another app created', (stack) => Role.fromRoleArn(stack, id(), `arn:aws:iam::${ACCOUNT}:role/r`)],
    [
      'a role for a single tenant, which has the tag itself',
      (stack) => {
        const role = new Role(stack, id(), { assumedBy });
        Tags.of(role).add('tenantId', 't1');
        return role;
      },
    ],
  ])('does not warn about %s', (_what, principal) => {
    expect(warned(principal)).toBe(0);
  });
});

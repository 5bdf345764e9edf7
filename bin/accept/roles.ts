import { setTimeout as sleep } from 'node:timers/promises';
import { patternsNamed } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';
import { client } from '../../lib/dynamodb/client';
import { dynamoDbEngine } from '../../lib/dynamodb/engine/dynamodb';
import { unique } from '../../lib/dynamodb/unique';
import { written } from '../../lib/dynamodb/written';
import { grantOf } from '../../lib/permissions/grant';
import { policyOf } from '../../lib/permissions/policy';
import { principalTag } from '../../lib/permissions/tenancy';
import type { SystemCases } from '../../lib/proof/cases';
import { deployedName } from '../../lib/proof/tables';
import { type Account, type Assumed, signedInAs } from './cloud';
import type { Consumption } from './counted';
import type { Trial } from './report';
import { ENVIRONMENT, grantable, TENANT_TAG } from './stack';

interface Tried {
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  readonly account: Account;
  readonly at: { readonly account: string; readonly region: string };
  readonly outputs: Readonly<Record<string, string>>;
  readonly consumption: Consumption;
  readonly isStopped: () => boolean;
}

/** A tenant that owns no items; other tenants' roles must not reach its partitions. */
const STRANGER = 'tablewright-accept-stranger';

/** A new role takes a moment to propagate through AWS. */
const PROPAGATION = 15_000;

/**
 * Assumes the granted roles, and tests what they allow. A role that has one pattern's policy must be allowed to run
 * that pattern, but must be denied a pattern that needs other actions on the same table. A role that has a tenant's
 * session tag must reach that tenant's items, but no other tenant's items.
 */
export async function* roleTrials(tried: Tried): AsyncIterable<Trial> {
  const { system, outputs, at } = tried;
  await sleep(PROPAGATION);
  const arnOf = (table: string) =>
    `arn:aws:dynamodb:${at.region}:${at.account}:table/${deployedName(system, ENVIRONMENT, table)}`;
  const place = { tableArn: arnOf, region: at.region };
  const everybody = outputs.EverybodyRoleArn as string;
  const granted = grantable(system);
  for (const [name, { table, values }] of valuesOf(tried)) {
    if (tried.isStopped()) return;
    if (!granted.includes(name)) continue;
    const grants = grantOf({ of: system, names: [name] });
    const policy = policyOf(grants, place);
    const actions = actionsOf(system, name);
    const other = [...valuesOf(tried)].find(
      ([candidate, found]) =>
        found.table === table &&
        granted.includes(candidate) &&
        [...actionsOf(system, candidate)].every((action) => !actions.has(action)),
    );
    yield* attempt(tried, everybody, { policy }, [
      { label: `${name} with its own policy`, table, pattern: name, values, isAllowed: true },
      ...(other === undefined
        ? []
        : [
            {
              label: `${other[0]} with only the policy for ${name}`,
              table,
              pattern: other[0],
              values: other[1].values,
              isAllowed: false,
            },
          ]),
    ]);
  }
  const { tenant } = system;
  if (tenant === undefined || outputs.TenantRoleArn === undefined) return;
  const names = grantable(system, principalTag(TENANT_TAG));
  for (const [name, { table, values }] of valuesOf(tried)) {
    const own = (values as Record<string, unknown>)[tenant];
    if (tried.isStopped()) return;
    if (!names.includes(name) || typeof own !== 'string') continue;
    yield* attempt(tried, outputs.TenantRoleArn, { tags: { [TENANT_TAG]: own } }, [
      { label: `${name} with values of the caller's own tenant`, table, pattern: name, values, isAllowed: true },
      {
        label: `${name} with values of another tenant`,
        table,
        pattern: name,
        values: { ...values, [tenant]: STRANGER },
        isAllowed: false,
      },
    ]);
  }
}

interface Expected {
  readonly label: string;
  readonly table: string;
  readonly pattern: string;
  readonly values: object;
  readonly isAllowed: boolean;
}

async function* attempt(
  { account, at, system, consumption }: Tried,
  role: string,
  assumed: Assumed,
  expected: readonly Expected[],
): AsyncIterable<Trial> {
  const session = await account.assume(role, assumed);
  for (const { label, table, pattern, values, isAllowed } of expected) {
    const denied = await signedInAs(session, at.region, async () => {
      const engine = await dynamoDbEngine();
      const design = system.tables[table] as SystemDesign['tables'][string];
      const calls = client(design, deployedName(system, ENVIRONMENT, table), consumption.counting(engine.send), {
        ...{ unique, written },
      }) as unknown as Record<string, (values: object, options?: object) => Promise<unknown>>;
      try {
        await calls[pattern]?.(values);
        return undefined;
      } catch (error) {
        return refusalIn(error);
      } finally {
        await engine.stop();
      }
    });
    const isRight = (denied === undefined) === isAllowed;
    const detail = isRight
      ? isAllowed
        ? 'allowed'
        : 'denied'
      : (denied ?? 'the request was allowed, but should be denied');
    yield { part: 'roles', name: label, result: isRight ? 'ok' : 'FAILED', detail };
  }
}

/** The reason why access was denied. Undefined for any other error, which shows that access was allowed. */
function refusalIn(error: unknown): string | undefined {
  for (let one = error as Error | undefined; one !== undefined; one = one.cause as Error | undefined)
    if (one.name === 'AccessDeniedException') return one.message;
  return undefined;
}

/** Returns the values and the table of each pattern, taken from the pattern's case. */
function valuesOf({
  cases,
}: Pick<Tried, 'cases'>): ReadonlyMap<string, { readonly table: string; readonly values: object }> {
  return new Map(
    Object.entries(cases.tables).flatMap(([table, { patterns }]) =>
      Object.entries(patterns).map(([name, { values }]) => [name, { table, values }] as const),
    ),
  );
}

function actionsOf(of: SystemDesign, name: string): ReadonlySet<string> {
  const known = patternsNamed(of, [name]).length > 0 ? grantOf({ of, names: [name] }) : [];
  return new Set(known.flatMap(({ statements }) => statements.flatMap(({ actions }) => actions)));
}

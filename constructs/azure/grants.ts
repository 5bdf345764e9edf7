import { DefaultTokenResolver, dependable, StringConcat, Token, Tokenization } from 'cdktn';
import type { Construct } from 'constructs';
import { hashOf } from '../../lib/azure-tables/equivalents/names';
import { namesIn } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';
import { type Touch, touchedBy } from '../../lib/permissions/azure-tables';
import { GUID } from './problems';
import { type AzapiResource, type ManagementLock, RoleAssignment, type RoleAssignmentArguments } from './resources';

const READER = 'Storage Table Data Reader';
const CONTRIBUTOR = 'Storage Table Data Contributor';

/**
 * The grantee's object id and, for a recently created principal, its type, so that Azure does not have to look the type
 * up.
 */
export type Principal = string | { readonly id: string; readonly type: 'ServicePrincipal' | 'User' | 'Group' };

/** The designs whose patterns are granted: the new design and, while a plan is under way, the deployed design. */
export interface Granted {
  readonly design: SystemDesign;
  readonly former: SystemDesign | undefined;
}

/** Gives each principal one role per table: the least privileged role that covers all of the principal's grants. */
export class TableGrants {
  readonly #scope: Construct;
  readonly #granted: Granted;
  readonly #tables: ReadonlyMap<string, AzapiResource>;
  readonly #lock: ManagementLock | undefined;
  readonly #made = new Map<string, RoleAssignment>();

  /** @param tables the account's tables, keyed by name */
  public constructor(
    scope: Construct,
    granted: Granted,
    tables: ReadonlyMap<string, AzapiResource>,
    lock: ManagementLock | undefined,
  ) {
    this.#scope = scope;
    this.#granted = granted;
    this.#tables = tables;
    this.#lock = lock;
  }

  public add(principal: Principal, names: readonly string[]): void {
    const { id: principalId, type } = typeof principal === 'string' ? { id: principal, type: undefined } : principal;
    if (!Token.isUnresolved(principalId) && !GUID.test(principalId)) {
      const example = "such as '11111111-2222-3333-4444-555555555555'";
      throw new Error(
        `principalId must be the object id of an identity, a user or a group, ${example}, got: '${principalId}'`,
      );
    }
    if (names.some((name) => typeof name !== 'string'))
      throw new Error(
        "on Azure, a grant accepts only names: a role covers a whole table, so a grant cannot be limited to a tenant's partitions; give each tenant a separate account, or let only a service that checks the tenant access the tables",
      );
    for (const { table, writes } of this.#touched(names)) {
      const id = `Grant-${this.#nameOf(principalId)}-${table}`;
      const before = this.#made.get(id);
      if (before !== undefined) {
        before.attributes = merged(before.attributes, writes, type);
        continue;
      }
      const made = new RoleAssignment(this.#scope, id, {
        // Refers to the table resource, so that Terraform creates the table first.
        scope: (this.#tables.get(table) as AzapiResource).id,
        role_definition_name: writes ? CONTRIBUTOR : READER,
        principal_id: principalId,
        ...(type === undefined ? {} : { principal_type: type }),
      });
      this.#made.set(id, made);
      // Terraform must remove the lock first, because the lock would also prevent the deletion of the grant.
      this.#lock?.dependsOn?.push(dependable(made));
    }
  }

  /**
   * Until the contract phase of a plan, a grant also covers the pattern in the deployed design, so that the old and the
   * new release both work.
   */
  #touched(names: readonly string[]): readonly Touch[] {
    const { design, former } = this.#granted;
    const known = former === undefined ? [] : namesIn(former);
    const before =
      former &&
      touchedBy(
        former,
        names.filter((name) => known.includes(name)),
      );
    return [...touchedBy(design, names), ...(before ?? [])];
  }

  /**
   * Returns a part of a construct id that is the same in every synthesis, even if the principal's id is only a
   * reference to a resource.
   */
  #nameOf(principalId: string): string {
    const resolver = new DefaultTokenResolver(new StringConcat());
    return hashOf(String(Tokenization.resolve(principalId, { scope: this.#scope, resolver, preparing: false })));
  }
}

/** Merges the earlier grant with the new grant. */
function merged(
  before: RoleAssignmentArguments,
  writes: boolean,
  type: RoleAssignmentArguments['principal_type'],
): RoleAssignmentArguments {
  const { principal_id, principal_type = type } = before;
  if (type !== undefined && type !== principal_type)
    throw new Error(`principal '${principal_id}' must have a single type, got: ${principal_type} and ${type}`);
  return {
    ...before,
    ...(writes ? { role_definition_name: CONTRIBUTOR } : {}),
    ...(principal_type === undefined ? {} : { principal_type }),
  };
}

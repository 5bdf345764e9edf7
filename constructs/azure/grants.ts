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

/** Who is granted something: its object id, and what it is, which spares Azure looking for it where it was only just made. */
export type Principal = string | { readonly id: string; readonly type: 'ServicePrincipal' | 'User' | 'Group' };

/** What is granted: patterns of a design and, while a plan is under way, of the one that is deployed. */
export interface Granted {
  readonly design: SystemDesign;
  readonly former: SystemDesign | undefined;
}

/** What principals may do with single tables: one role a table, the least that all they were granted needs. */
export class TableGrants {
  readonly #scope: Construct;
  readonly #granted: Granted;
  readonly #tables: ReadonlyMap<string, AzapiResource>;
  readonly #lock: ManagementLock | undefined;
  readonly #made = new Map<string, RoleAssignment>();

  /** @param tables those of the account, by their names */
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
    for (const { table, writes } of this.#touched(names)) {
      const id = `Grant-${this.#nameOf(principalId)}-${table.name}`;
      const before = this.#made.get(id);
      if (before !== undefined) {
        before.attributes = merged(before.attributes, writes, type);
        continue;
      }
      const made = new RoleAssignment(this.#scope, id, {
        // By the table itself, so that it is there before anyone is let in.
        scope: (this.#tables.get(table.name) as AzapiResource).id,
        role_definition_name: writes ? CONTRIBUTOR : READER,
        principal_id: principalId,
        ...(type === undefined ? {} : { principal_type: type }),
      });
      this.#made.set(id, made);
      // The lock is the first to go: it would keep the grant as well.
      this.#lock?.dependsOn?.push(dependable(made));
    }
  }

  /** Until the contract of a plan, what a pattern did is allowed as well, so that both releases work. */
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

  /** The same in every synthesis, whether the principal is known by now or is a reference to a resource. */
  #nameOf(principalId: string): string {
    const resolver = new DefaultTokenResolver(new StringConcat());
    return hashOf(String(Tokenization.resolve(principalId, { scope: this.#scope, resolver, preparing: false })));
  }
}

/** What was granted before, and what is granted now, as one. */
function merged(
  before: RoleAssignmentArguments,
  writes: boolean,
  type: RoleAssignmentArguments['principal_type'],
): RoleAssignmentArguments {
  const { principal_id, principal_type = type } = before;
  if (type !== undefined && type !== principal_type)
    throw new Error(`principal '${principal_id}' must be of one type, got: ${principal_type} and ${type}`);
  return {
    ...before,
    ...(writes ? { role_definition_name: CONTRIBUTOR } : {}),
    ...(principal_type === undefined ? {} : { principal_type }),
  };
}

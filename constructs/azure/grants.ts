import { DefaultTokenResolver, StringConcat, Tokenization } from 'cdktn';
import type { Construct } from 'constructs';
import type { SystemDesign } from '../../lib/design/system';
import { hashOf } from '../../lib/equivalent/names';
import { touchedBy } from '../../lib/equivalent/touched';
import { RoleAssignment } from './resources';

const READER = 'Storage Table Data Reader';
const CONTRIBUTOR = 'Storage Table Data Contributor';

/** Who is granted something: its object id, and what it is, which spares Azure looking for it where it was only just made. */
export type Principal = string | { readonly id: string; readonly type: 'ServicePrincipal' | 'User' | 'Group' };

/** What principals may do with single tables: one role a table, the least that all they were granted needs. */
export class TableGrants {
  readonly #scope: Construct;
  readonly #design: SystemDesign;
  readonly #tables: string;
  readonly #made = new Map<string, RoleAssignment>();

  /** @param tables the id that those of the tables begin with */
  public constructor(scope: Construct, design: SystemDesign, tables: string) {
    this.#scope = scope;
    this.#design = design;
    this.#tables = tables;
  }

  public add(principal: Principal, names: readonly string[]): void {
    const { id: principalId, type } = typeof principal === 'string' ? { id: principal, type: undefined } : principal;
    if (principalId === '')
      throw new Error("principalId must be the object id of an identity, a user or a group, got: ''");
    for (const { table, writes } of touchedBy(this.#design, names)) {
      const id = `Grant-${this.#nameOf(principalId)}-${table.name}`;
      const before = this.#made.get(id);
      if (before !== undefined) {
        if (writes) before.attributes = { ...before.attributes, role_definition_name: CONTRIBUTOR };
        continue;
      }
      const made = new RoleAssignment(this.#scope, id, {
        scope: `${this.#tables}/${table.name}`,
        role_definition_name: writes ? CONTRIBUTOR : READER,
        principal_id: principalId,
        ...(type === undefined ? {} : { principal_type: type }),
      });
      this.#made.set(id, made);
    }
  }

  /** The same in every synthesis, whether the principal is known by now or is a reference to a resource. */
  #nameOf(principalId: string): string {
    const resolver = new DefaultTokenResolver(new StringConcat());
    return hashOf(String(Tokenization.resolve(principalId, { scope: this.#scope, resolver, preparing: false })));
  }
}

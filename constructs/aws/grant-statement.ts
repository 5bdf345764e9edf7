import { Grant, type IGrantable, type IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { joined, type TableGrant } from '../../lib/permissions/grant';
import { conditionsOf, targetArn } from '../../lib/permissions/policy';
import type { AccessStatement } from '../../lib/permissions/statements';

/** A principal's grants on one table, and their statements. */
interface Given {
  grant: TableGrant;
  readonly tableArn: string;
  readonly statements: GrantStatement[];
}

const given = new WeakMap<IPrincipal, Given[]>();

/**
 * Merges a grant with the principal's earlier grants on the table, as if one call had made all of them. A single
 * statement must allow all keys of a transaction, because IAM may evaluate these keys together.
 */
export function grantTogether(grantee: IGrantable, grant: TableGrant, tableArn: string): readonly Grant[] {
  const { grantPrincipal: principal } = grantee;
  const all = given.get(principal) ?? [];
  given.set(principal, all);
  for (const earlier of all) {
    const both = earlier.tableArn === tableArn ? joined(earlier.grant, grant) : undefined;
    // CDK freezes statements when it writes the template.
    if (both === undefined || earlier.statements.some(({ frozen }) => frozen)) continue;
    earlier.grant = both;
    return write(grantee, earlier);
  }
  const first: Given = { grant, tableArn, statements: [] };
  all.push(first);
  return write(grantee, first);
}

/** Updates the principal's statements to match a grant, and adds the missing ones. */
function write(grantee: IGrantable, { grant, tableArn, statements }: Given): readonly Grant[] {
  const wanted = grant.statements;
  const last = wanted.at(-1) as AccessStatement;
  // A statement that is no longer needed becomes a duplicate of the last one, because CDK drops duplicates.
  for (const [i, statement] of statements.entries()) statement.become(wanted[i] ?? last);
  const added = wanted.slice(statements.length).map((access) => statementOf(access, tableArn));
  statements.push(...added);
  return statements.map((statement) => addTo(grantee, statement, added.includes(statement)));
}

function addTo(grantee: IGrantable, statement: GrantStatement, isNew: boolean): Grant {
  const { grantPrincipal: principal } = grantee;
  // `Grant` would add a statement of its own, which would not change with later grants.
  const forwarding: IPrincipal = {
    get grantPrincipal() {
      return forwarding;
    },
    assumeRoleAction: principal.assumeRoleAction,
    policyFragment: principal.policyFragment,
    addToPrincipalPolicy: () => {
      const added = isNew ? principal.addToPrincipalPolicy(statement) : statement.added;
      statement.added = added;
      return added;
    },
  };
  const { actions, resources: resourceArns, conditions } = statement;
  return Grant.addToPrincipal({ grantee: { grantPrincipal: forwarding }, actions, resourceArns, conditions });
}

type Added = ReturnType<IPrincipal['addToPrincipalPolicy']>;

/** Defines the class at the first grant, because extending a CDK class loads all of CDK, and many stacks grant no permissions. */
function makeClass() {
  /** A statement whose contents can change until CDK writes the statement to the template. */
  return class GrantStatement extends PolicyStatement {
    public added: Added = { statementAdded: false };

    public constructor(
      public access: AccessStatement,
      public readonly tableArn: string,
    ) {
      super();
    }

    public become(access: AccessStatement): void {
      this.access = access;
    }

    public override get actions(): string[] {
      return [...this.access.actions];
    }

    public override get resources(): string[] {
      return [targetArn(this.tableArn, this.access)];
    }

    public override get conditions(): PolicyStatement['conditions'] {
      return { ...conditionsOf(this.access) };
    }

    // CDK's implementations of these methods read private fields instead of the getters above, so each override calls
    // CDK's implementation on a plain copy.
    public override validateForIdentityPolicy(): string[] {
      return this.copy().validateForIdentityPolicy();
    }

    public override toStatementJson(): ReturnType<PolicyStatement['toStatementJson']> {
      return this.copy().toStatementJson();
    }
  };
}

type GrantStatement = InstanceType<ReturnType<typeof makeClass>>;

let madeClass: ReturnType<typeof makeClass> | undefined;

function statementOf(access: AccessStatement, tableArn: string): GrantStatement {
  madeClass ??= makeClass();
  return new madeClass(access, tableArn);
}

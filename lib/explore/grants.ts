import { tableNameOf } from '../blueprint/names';
import type { SystemDesign } from '../design/system';
import { touchedBy } from '../permissions/azure-tables';
import { type GrantError, grantOf, type TableGrant } from '../permissions/grant';
import { policyOf } from '../permissions/policy';
import { partitionsText } from '../permissions/statements';
import type { GrantView } from './view';

/**
 * Returns the permissions that a caller of a pattern or procedure needs. Names that are known only at deployment are in
 * angle brackets.
 */
export function grantView(system: SystemDesign, name: string): GrantView {
  try {
    return system.cloud === 'azure' ? onAzure(system, name) : onAws(system, name);
  } catch (error) {
    return { lines: [], problem: (error as GrantError).message };
  }
}

function onAws(system: SystemDesign, name: string): GrantView {
  const grants = grantOf({ of: system, names: [name] });
  const tableArn = (table: string) =>
    `arn:aws:dynamodb:<region>:<account>:table/${tableNameOf(system, '<environment>', table)}`;
  return { lines: grants.flatMap(linesOf), policy: policyOf(grants, { tableArn, region: '<region>' }) };
}

function linesOf({ table, statements }: TableGrant): GrantView['lines'] {
  return statements.map((statement) => ({
    may: statement.actions.map((action) => action.replace('dynamodb:', '')).join(', '),
    on: statement.index === undefined ? table : `${table} / ${statement.index}`,
    within: partitionsText(statement),
  }));
}

function onAzure(system: SystemDesign, name: string): GrantView {
  const lines = touchedBy(system, [name]).map(({ table, writes }) => ({
    may: writes ? 'Storage Table Data Contributor' : 'Storage Table Data Reader',
    on: table,
    within: 'the table',
  }));
  return { lines };
}

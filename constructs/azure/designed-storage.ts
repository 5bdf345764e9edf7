import { Annotations } from 'cdktn';
import { Construct } from 'constructs';
import { portability } from '../../lib/azure-tables/equivalents/portability';
import { type AzureTable, azureTableNames, azureTables } from '../../lib/azure-tables/equivalents/tables';
import { check, type Finding } from '../../lib/check';
import type { PatternName, SystemDesign } from '../../lib/design/system';
import { onAzure } from '../azure-environment';
import { environmentOf } from '../environment';
import { accountNameOf } from './account-name';
import { stagedOf } from './evolution';
import { type Principal, TableGrants } from './grants';
import { assertMakeable } from './problems';
import { StorageAccount } from './resources';
import { accountOf, diagnosticsOf, endpointsOf, lockOf, placeOf, tableOf } from './storage-parts';
import type { DesignedStorageProps } from './storage-props';

/** The name of any of a system's patterns or procedures. */
export type GrantName<S extends SystemDesign> = PatternName<S> | (keyof S['procedures'] & string);

/** A system's storage account, with its tables and the resources that protect them. */
export class DesignedStorage<S extends SystemDesign = SystemDesign> extends Construct {
  public readonly design: S;
  /** The underlying account, for features that this construct does not offer. */
  public readonly account: StorageAccount;
  public readonly accountName: string;
  /** The tables, with their names and keys on Azure. */
  public readonly tables: readonly AzureTable[];
  /** The names of all tables. A system designed for DynamoDB also gets a table that records its transactions. */
  public readonly tableNames: readonly string[];
  readonly #grants: TableGrants;

  public constructor(scope: Construct, id: string, props: DesignedStorageProps<S>) {
    assertMakeable(props);
    const environment = environmentOf(props.environment);
    const accountName = props.accountName ?? accountNameOf(props.design.name, environment.name, props.uniqueIn);
    assertUnique(scope, accountName);
    const { system, former } = stagedOf(props.design, environment, props.evolution);
    super(scope, id);
    this.design = props.design;
    this.tables = azureTables(system);
    this.tableNames = azureTableNames(system);
    this.accountName = accountName;
    const place = placeOf(this, props, environment);
    this.account = accountOf(this, this.accountName, place, props, environment);
    const tables = new Map(this.tableNames.map((name) => [name, tableOf(this, name, this.account, environment)]));
    const { privateEndpoint: access, logAnalyticsWorkspaceId: logs } = props;
    const kept = [
      ...tables.values(),
      ...(access === undefined ? [] : endpointsOf(this, this.account, place, access, environment)),
      ...(logs === undefined ? [] : [diagnosticsOf(this, this.account, logs)]),
    ];
    const lock = onAzure(environment).deleteLock ? lockOf(this, this.account, kept) : undefined;
    this.#grants = new TableGrants(this, { design: props.design, former }, tables, lock);
    warn(this, props.design);
  }

  /**
   * Grants a principal the access that patterns and procedures need: to read or write exactly the tables that they use.
   * @param principal the object id of an identity, a user or a group, alone or with its type
   */
  public grantPattern(principal: Principal, ...names: readonly [GrantName<S>, ...GrantName<S>[]]): void {
    this.#grants.add(principal, names);
  }
}

/** Refuses an account name that the app already uses, because account names are globally unique. */
function assertUnique(scope: Construct, name: string): void {
  const other = scope.node.root.node
    .findAll()
    .find((node) => node instanceof StorageAccount && node.attributes.name === name);
  if (other === undefined) return;
  const at = other.node.scope?.node.path;
  throw new Error(
    `the app already has an account named '${name}' (${at}); give one of the two a different accountName or uniqueIn`,
  );
}

/** Shows the check's findings or, for a design made for another cloud, a note that the design differs on Azure. */
function warn(scope: Construct, design: SystemDesign): void {
  const warnings = design.cloud === 'azure' ? check(design).map(warningOf) : [notCarriedOver(design)];
  for (const warning of warnings) Annotations.of(scope).addWarning(warning);
}

function warningOf({ path, message, fix }: Finding): string {
  return `${path}: ${message} (fix: ${fix})`;
}

/** Summarizes the portability report in one line, because the report is a page long. */
function notCarriedOver(design: SystemDesign): string {
  const { lines } = portability(design);
  return `system '${design.name}' is designed for DynamoDB; on Azure it works differently in ${lines.length} ways; 'npx tablewright portability' lists them`;
}

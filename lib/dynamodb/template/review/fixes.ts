import type { Maker } from './subject';

type Fix = Readonly<Record<Maker, string>>;

/**
 * Returns the fix for each construct that can create the table: a designed table, CDK's two table constructs, and their
 * L1 resources. A designed table takes the option from its environment.
 */
function fix(
  environment: string,
  cdk: string | { readonly TableV2: string; readonly Table: string },
  cfn: string,
): Fix {
  const { TableV2, Table } = typeof cdk === 'string' ? { TableV2: cdk, Table: cdk } : cdk;
  const DesignedTable = `give the table an environment with ${environment}, and do not override that setting`;
  return { DesignedTable, TableV2, Table, CfnGlobalTable: `${cfn}, in each replica`, CfnTable: cfn };
}

const DENY = "that denies 'dynamodb:*' where aws:SecureTransport is false";
const BACKUP = (tables: string) =>
  `new TableBackup(this, 'Backup', { tables: [${tables}] }) from tablewright/aws/operations, or acknowledge the finding if another app backs up the table`;
const RECOVERY = 'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true }';
const RETAIN = 'applyRemovalPolicy(RemovalPolicy.RETAIN)';

/** The fix for each finding, as options of the construct that creates the table. */
export const FIXES = {
  recovery: {
    ...fix('recoveryPeriodInDays: 35', RECOVERY, RECOVERY),
    DesignedTable: 'do not override point-in-time recovery',
  },
  kms: fix(
    "encryption: 'aws-managed' or 'customer-managed'",
    {
      TableV2: 'encryption: TableEncryptionV2.awsManagedKey(), or customerManagedKey(key)',
      Table: 'encryption: TableEncryption.AWS_MANAGED, or CUSTOMER_MANAGED',
    },
    'sseSpecification: { sseEnabled: true }',
  ),
  ownKey: fix(
    "encryption: 'customer-managed'",
    {
      TableV2: 'encryption: TableEncryptionV2.customerManagedKey(key)',
      Table: 'encryption: TableEncryption.CUSTOMER_MANAGED, with encryptionKey: key',
    },
    'sseSpecification: { kmsMasterKeyId: key.keyArn }',
  ),
  deletion: fix('protectData: true', 'deletionProtection: true', 'deletionProtectionEnabled: true'),
  retention: {
    ...fix('protectData: true', 'removalPolicy: RemovalPolicy.RETAIN', RETAIN),
    CfnGlobalTable: RETAIN,
  },
  backup: {
    DesignedTable: `give the table an environment with backup: { daily: { days: 14 } }, or ${BACKUP('designed.table')}`,
    TableV2: BACKUP('table'),
    Table: BACKUP('table'),
    CfnGlobalTable: BACKUP("TableV2.fromTableName(this, 'Made', cfn.ref)"),
    CfnTable: BACKUP("Table.fromTableName(this, 'Made', cfn.ref)"),
  },
  tls: fix('tlsOnly: true', `give the table a resourcePolicy ${DENY}`, `give the table a resourcePolicy ${DENY}`),
  onDemand: {
    DesignedTable: "remove 'capacity' for on-demand mode, or set its max above its min",
    TableV2: 'billing: Billing.onDemand(), or enable auto scaling',
    Table: 'billingMode: BillingMode.PAY_PER_REQUEST, or enable auto scaling',
    CfnGlobalTable: "billingMode: 'PAY_PER_REQUEST', or enable auto scaling",
    CfnTable: "billingMode: 'PAY_PER_REQUEST', or enable auto scaling",
  },
} as const satisfies Readonly<Record<string, Fix>>;

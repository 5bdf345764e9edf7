import { arn, backup, findings, fixes, inStacks, soundPlainTable, soundTable } from '../app';

describe('point-in-time-recovery', () => {
  test('accepts point-in-time recovery that is on in every region', () => {
    expect(findings(soundTable())).toEqual([]);
  });

  test('reports a table unless point-in-time recovery is on in every region', () => {
    const off = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } };
    const found = ': point-in-time recovery is not on in every region';
    expect(findings(soundTable({}, off))).toEqual([`point-in-time-recovery Stack/Table Properties.Replicas${found}`]);
    expect(findings(soundPlainTable(off))).toEqual([
      `point-in-time-recovery Stack/Table Properties.PointInTimeRecoverySpecification${found}`,
    ]);
  });
});

describe('encryption', () => {
  const keyed = soundTable({}, { SSESpecification: { KMSMasterKeyId: 'key' } });

  test('accepts any KMS key, or only a customer-managed key if the options require one', () => {
    expect(findings(soundTable())).toEqual([]);
    expect(findings(keyed, {}, { encryption: 'customer-managed' })).toEqual([]);
  });

  test('reports a table without a KMS key, or with an AWS-managed key if the options require a customer-managed key', () => {
    expect(findings(soundTable({ SSESpecification: undefined }))).toEqual([
      'encryption Stack/Table Properties.SSESpecification: the table is encrypted with an AWS-owned key',
    ]);
    expect(findings(soundTable(), {}, { encryption: 'customer-managed' })).toEqual([
      'encryption Stack/Table Properties.SSESpecification: the table is encrypted with an AWS-managed key',
    ]);
  });

  test("proposes a fix that fits the table's construct", () => {
    const none = { SSESpecification: undefined };
    const own = { encryption: 'customer-managed' } as const;
    expect([fixes(soundTable(none)), fixes(soundTable(), own)]).toEqual([
      { encryption: 'encryption: TableEncryptionV2.awsManagedKey(), or customerManagedKey(key)' },
      { encryption: 'encryption: TableEncryptionV2.customerManagedKey(key)' },
    ]);
    expect([fixes(soundPlainTable(none)), fixes(soundPlainTable(), own)]).toEqual([
      { encryption: 'encryption: TableEncryption.AWS_MANAGED, or CUSTOMER_MANAGED' },
      { encryption: 'encryption: TableEncryption.CUSTOMER_MANAGED, with encryptionKey: key' },
    ]);
  });
});

describe('deletion-protection', () => {
  test('reports a table without deletion protection', () => {
    expect(findings(soundTable({}, { DeletionProtectionEnabled: false }))).toEqual([
      'deletion-protection Stack/Table Properties.Replicas: a single request can delete the table',
    ]);
    expect(findings(soundPlainTable({ DeletionProtectionEnabled: undefined }))).toEqual([
      'deletion-protection Stack/Table Properties.DeletionProtectionEnabled: a single request can delete the table',
    ]);
  });
});

describe('retention', () => {
  test.each(['Retain', 'RetainExceptOnCreate'])('accepts the deletion policy %s', (DeletionPolicy) => {
    expect(findings({ ...soundTable(), DeletionPolicy })).toEqual([]);
  });

  test('reports a deletion or replacement policy that is missing or is Delete', () => {
    expect(findings({ ...soundTable(), DeletionPolicy: 'Delete' })).toEqual([
      'retention Stack/Table DeletionPolicy: the table is deleted when its stack is deleted',
    ]);
    expect(findings({ ...soundTable(), UpdateReplacePolicy: undefined })).toEqual([
      'retention Stack/Table UpdateReplacePolicy: the table is deleted when a change replaces it',
    ]);
  });
});

describe('backup-coverage', () => {
  const none = ['backup-coverage Stack/Table Properties: no backup plan of this app selects the table'];
  const selected = (Backup: ReturnType<typeof backup>, table = soundTable()) => findings(table, { Backup });
  const byTag = (ConditionValue: string) => ({
    Type: 'AWS::Backup::BackupSelection',
    Properties: { BackupSelection: { ListOfTags: [{ ConditionKey: 'backup', ConditionValue }] } },
  });

  test.each([
    ['its reference', arn],
    ['its ARN', 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders'],
    [
      'an ARN joined from parts',
      { 'Fn::Join': ['', ['arn:aws:dynamodb:', { Ref: 'AWS::Region' }, ':1:table/', { Ref: 'Table' }]] },
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own
    ['an ARN with variables', { 'Fn::Sub': 'arn:aws:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${Table}' }],
    ['all tables', 'arn:aws:dynamodb:*:*:table/*'],
    ['everything', '*'],
  ])('accepts a table that a backup plan selects by %s', (_, resource) => {
    expect(selected(backup(resource))).toEqual([]);
  });

  test('accepts a Table or GlobalTable that a backup plan selects by tag', () => {
    const Tags = [{ Key: 'backup', Value: 'daily' }];
    expect(selected(byTag('daily'), soundTable({}, { Tags }))).toEqual([]);
    expect(selected(byTag('daily'), soundPlainTable({ Tags }))).toEqual([]);
    expect(selected(byTag('weekly'), soundTable({}, { Tags }))).toEqual(none);
  });

  test.each([
    ['an export', { 'Fn::ImportValue': 'orders-arn' }],
    ['an output', { 'Fn::GetStackOutput': { StackName: 'Stack', OutputName: 'Arn' } }],
  ])('accepts a table that a backup plan in another stack selects through %s', (_, resource) => {
    const Outputs = { Arn: { Value: arn, Export: { Name: 'orders-arn' } } };
    const tables = { Resources: { Table: soundTable({ TableName: undefined }) }, Outputs };
    expect(inStacks({ Stack: tables, Backups: { Resources: { Backup: backup(resource) } } })).toEqual([]);
  });

  test('reports a table that no backup plan selects, or that a plan excludes', () => {
    expect(inStacks({ Stack: { Resources: { Table: soundTable() } } })).toEqual(none);
    expect(selected(backup('arn:aws:dynamodb:*:*:table/other'))).toEqual(none);
    expect(selected(backup('arn:aws:s3:::orders'))).toEqual(none);
    const leftOut = { BackupSelection: { Resources: ['*'], NotResources: [arn] } };
    expect(selected({ Type: 'AWS::Backup::BackupSelection', Properties: leftOut })).toEqual(none);
  });
});

describe('tls-only', () => {
  test('reports a table without a resource policy, or with a policy that allows unencrypted requests', () => {
    const found = ['tls-only Stack/Table Properties.Replicas: the table accepts unencrypted connections'];
    expect(findings(soundTable({}, { ResourcePolicy: undefined }))).toEqual(found);
    const Statement = {
      Effect: 'Allow',
      Action: 'dynamodb:*',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    expect(findings(soundTable({}, { ResourcePolicy: { PolicyDocument: { Statement } } }))).toEqual(found);
  });
});

import { arn, backup, findings, fixes, inStacks, soundPlainTable, soundTable } from '../app';

describe('point-in-time-recovery', () => {
  test('compliant: on in every region', () => {
    expect(findings(soundTable())).toEqual([]);
  });

  test('non-compliant: off, or off in one region', () => {
    const off = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } };
    const found = ': it cannot be restored to a point in time in every region';
    expect(findings(soundTable({}, off))).toEqual([`point-in-time-recovery Stack/Table Properties.Replicas${found}`]);
    expect(findings(soundPlainTable(off))).toEqual([
      `point-in-time-recovery Stack/Table Properties.PointInTimeRecoverySpecification${found}`,
    ]);
  });
});

describe('encryption', () => {
  const keyed = soundTable({}, { SSESpecification: { KMSMasterKeyId: 'key' } });

  test('compliant: any KMS key, or a customer-managed key if that is required', () => {
    expect(findings(soundTable())).toEqual([]);
    expect(findings(keyed, {}, { encryption: 'customer-managed' })).toEqual([]);
  });

  test('non-compliant: no KMS key, or an AWS-managed key if a customer-managed one is required', () => {
    expect(findings(soundTable({ SSESpecification: undefined }))).toEqual([
      'encryption Stack/Table Properties.SSESpecification: it is encrypted with an AWS-owned key',
    ]);
    expect(findings(soundTable(), {}, { encryption: 'customer-managed' })).toEqual([
      'encryption Stack/Table Properties.SSESpecification: it is encrypted with an AWS-managed key',
    ]);
  });

  test('gives its advice in terms of the construct that makes the table', () => {
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
  test('non-compliant: off', () => {
    expect(findings(soundTable({}, { DeletionProtectionEnabled: false }))).toEqual([
      'deletion-protection Stack/Table Properties.Replicas: a single request can delete it',
    ]);
    expect(findings(soundPlainTable({ DeletionProtectionEnabled: undefined }))).toEqual([
      'deletion-protection Stack/Table Properties.DeletionProtectionEnabled: a single request can delete it',
    ]);
  });
});

describe('retention', () => {
  test.each(['Retain', 'RetainExceptOnCreate'])('compliant: %s', (DeletionPolicy) => {
    expect(findings({ ...soundTable(), DeletionPolicy })).toEqual([]);
  });

  test('non-compliant: deleted, replaced or unspecified', () => {
    expect(findings({ ...soundTable(), DeletionPolicy: 'Delete' })).toEqual([
      'retention Stack/Table DeletionPolicy: it is deleted when its stack is deleted',
    ]);
    expect(findings({ ...soundTable(), UpdateReplacePolicy: undefined })).toEqual([
      'retention Stack/Table UpdateReplacePolicy: it is deleted when a change replaces it',
    ]);
  });
});

describe('backup-coverage', () => {
  const none = ['backup-coverage Stack/Table Properties: no backup plan of this app selects it'];
  const selected = (Backup: ReturnType<typeof backup>, table = soundTable()) => findings(table, { Backup });
  const byTag = (ConditionValue: string) => ({
    Type: 'AWS::Backup::BackupSelection',
    Properties: { BackupSelection: { ListOfTags: [{ ConditionKey: 'backup', ConditionValue }] } },
  });

  test.each([
    ['its reference', arn],
    ['its ARN', 'arn:aws:dynamodb:eu-west-1:123456789012:table/orders'],
    [
      'an ARN of parts',
      { 'Fn::Join': ['', ['arn:aws:dynamodb:', { Ref: 'AWS::Region' }, ':1:table/', { Ref: 'Table' }]] },
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own
    ['an ARN with variables', { 'Fn::Sub': 'arn:aws:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${Table}' }],
    ['all tables', 'arn:aws:dynamodb:*:*:table/*'],
    ['everything', '*'],
  ])('compliant: selected by %s', (_, resource) => {
    expect(selected(backup(resource))).toEqual([]);
  });

  test('compliant: selected by a tag, for either kind of table', () => {
    const Tags = [{ Key: 'backup', Value: 'daily' }];
    expect(selected(byTag('daily'), soundTable({}, { Tags }))).toEqual([]);
    expect(selected(byTag('daily'), soundPlainTable({ Tags }))).toEqual([]);
    expect(selected(byTag('weekly'), soundTable({}, { Tags }))).toEqual(none);
  });

  test.each([
    ['an export', { 'Fn::ImportValue': 'orders-arn' }],
    ['an output', { 'Fn::GetStackOutput': { StackName: 'Stack', OutputName: 'Arn' } }],
  ])('compliant: selected in another stack, through %s', (_, resource) => {
    const Outputs = { Arn: { Value: arn, Export: { Name: 'orders-arn' } } };
    const tables = { Resources: { Table: soundTable({ TableName: undefined }) }, Outputs };
    expect(inStacks({ Stack: tables, Backups: { Resources: { Backup: backup(resource) } } })).toEqual([]);
  });

  test('non-compliant: not selected, another table selected, or excluded', () => {
    expect(inStacks({ Stack: { Resources: { Table: soundTable() } } })).toEqual(none);
    expect(selected(backup('arn:aws:dynamodb:*:*:table/other'))).toEqual(none);
    expect(selected(backup('arn:aws:s3:::orders'))).toEqual(none);
    const leftOut = { BackupSelection: { Resources: ['*'], NotResources: [arn] } };
    expect(selected({ Type: 'AWS::Backup::BackupSelection', Properties: leftOut })).toEqual(none);
  });
});

describe('tls-only', () => {
  test('non-compliant: no policy, or a policy that allows instead of denying', () => {
    const found = ['tls-only Stack/Table Properties.Replicas: it accepts unencrypted connections'];
    expect(findings(soundTable({}, { ResourcePolicy: undefined }))).toEqual(found);
    const Statement = {
      Effect: 'Allow',
      Action: 'dynamodb:*',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    expect(findings(soundTable({}, { ResourcePolicy: { PolicyDocument: { Statement } } }))).toEqual(found);
  });
});

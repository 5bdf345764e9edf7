import { Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Environment } from '../environment';

/**
 * Answers `TableChecks` for what an environment does without by its own word, so that the two never disagree. Whoever makes
 * backups for several tables answers for all of them.
 */
export function acknowledgeRelaxed(scope: Construct, environment: Environment): void {
  const { name, protectData, tlsOnly } = environment;
  const relaxed = [
    ...(protectData ? [] : [acknowledged('deletion-protection', name, 'protectData: false')]),
    ...(protectData ? [] : [acknowledged('retention', name, 'protectData: false')]),
    ...(tlsOnly ? [] : [acknowledged('tls-only', name, 'tlsOnly: false')]),
  ];
  if (relaxed.length > 0) Validations.of(scope).acknowledge(...relaxed);
}

/** The same of backups, where nobody else makes them. */
export function acknowledgeNoBackup(scope: Construct, { name, backup }: Environment): void {
  if (backup === 'none') Validations.of(scope).acknowledge(acknowledged('backup-coverage', name, "backup: 'none'"));
}

function acknowledged(rule: string, environment: string, says: string) {
  return { id: `tablewright::${rule}`, reason: `environment '${environment}' says so (${says})` };
}

import type { Construct } from 'constructs';
import type { Environment } from '../environment';

/**
 * Where `Validations.of(scope).acknowledge` keeps acknowledgements (`Validations.ACKNOWLEDGED_RULES_METADATA_KEY`). Calling it
 * would also trace the line of the app, which takes longer than making the table, and there is no such line for an environment.
 */
const ACKNOWLEDGED = 'aws:cdk:acknowledged-rules';

/**
 * Acknowledges the findings of `TableChecks` that an environment causes on purpose, so that the two never disagree. For
 * backups, the construct that makes them for several tables does so for all of them.
 */
export function acknowledgeRelaxed(scope: Construct, { name, protectData, tlsOnly }: Environment): void {
  acknowledge(scope, name, {
    ...(protectData ? {} : { 'deletion-protection': 'protectData: false', retention: 'protectData: false' }),
    ...(tlsOnly ? {} : { 'tls-only': 'tlsOnly: false' }),
  });
}

/** The same for backups, if nothing else makes them. */
export function acknowledgeNoBackup(scope: Construct, { name, backup }: Environment): void {
  if (backup === 'none') acknowledge(scope, name, { 'backup-coverage': "backup: 'none'" });
}

/** Acknowledges rules of `TableChecks`, each with the setting of the environment that is the reason. */
function acknowledge(scope: Construct, environment: string, rules: Readonly<Record<string, string>>): void {
  const answers = Object.entries(rules).map(([rule, says]) => [
    `tablewright::${rule}`,
    `environment '${environment}' says so (${says})`,
  ]);
  if (answers.length > 0) scope.node.addMetadata(ACKNOWLEDGED, Object.fromEntries(answers));
}

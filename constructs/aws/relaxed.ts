import type { Construct } from 'constructs';
import type { Environment } from '../environment';

/**
 * Where `Validations.of(scope).acknowledge` keeps what is acknowledged (`Validations.ACKNOWLEDGED_RULES_METADATA_KEY`). It
 * also traces each call back to a line of the app, which takes longer than the table itself; what an environment says has
 * no such line.
 */
const ACKNOWLEDGED = 'aws:cdk:acknowledged-rules';

/**
 * Answers `TableChecks` for what an environment does without by its own word, so that the two never disagree. Whoever makes
 * backups for several tables answers for all of them.
 */
export function acknowledgeRelaxed(scope: Construct, { name, protectData, tlsOnly }: Environment): void {
  acknowledge(scope, name, {
    ...(protectData ? {} : { 'deletion-protection': 'protectData: false', retention: 'protectData: false' }),
    ...(tlsOnly ? {} : { 'tls-only': 'tlsOnly: false' }),
  });
}

/** The same of backups, where nobody else makes them. */
export function acknowledgeNoBackup(scope: Construct, { name, backup }: Environment): void {
  if (backup === 'none') acknowledge(scope, name, { 'backup-coverage': "backup: 'none'" });
}

/** Rules of `TableChecks`, each with the words of the environment that answer it. */
function acknowledge(scope: Construct, environment: string, rules: Readonly<Record<string, string>>): void {
  const answers = Object.entries(rules).map(([rule, says]) => [
    `tablewright::${rule}`,
    `environment '${environment}' says so (${says})`,
  ]);
  if (answers.length > 0) scope.node.addMetadata(ACKNOWLEDGED, Object.fromEntries(answers));
}

import type { Construct } from 'constructs';
import type { Environment } from '../environment';

/**
 * The metadata key under which `Validations.of(scope).acknowledge` stores acknowledgements
 * (`Validations.ACKNOWLEDGED_RULES_METADATA_KEY`). Calling `acknowledge` would also trace where the app called it,
 * which is meaningless here and takes longer than creating the table.
 */
const ACKNOWLEDGED = 'aws:cdk:acknowledged-rules';

/**
 * The rules that each environment relaxes on purpose. They are computed once per environment, because every table needs
 * them.
 */
const answersOf = memoized(({ name, protectData, tlsOnly }) =>
  reasonsOf(name, {
    ...(protectData ? {} : { 'deletion-protection': 'protectData: false', retention: 'protectData: false' }),
    ...(tlsOnly ? {} : { 'tls-only': 'tlsOnly: false' }),
  }),
);
const answersOfBackup = memoized(({ name, backup }) =>
  reasonsOf(name, backup === 'none' ? { 'backup-coverage': "backup: 'none'" } : {}),
);

/**
 * Acknowledges the findings of `TableChecks` that an environment causes on purpose, so that the environment and the
 * review never disagree. Findings about backups are acknowledged separately, because one construct may back up several
 * tables.
 */
export function acknowledgeRelaxed(scope: Construct, environment: Environment): void {
  acknowledge(scope, answersOf(environment));
}

/** Like `acknowledgeRelaxed`, but for the rules about backups. The scope is a system, or a table outside a system. */
export function acknowledgeNoBackup(scope: Construct, environment: Environment): void {
  acknowledge(scope, answersOfBackup(environment));
}

/** Rules of `TableChecks`, each with the reason for its acknowledgement. */
type Answers = Readonly<Record<string, string>>;

function acknowledge(scope: Construct, answers: Answers | undefined): void {
  if (answers !== undefined) scope.node.addMetadata(ACKNOWLEDGED, answers);
}

/**
 * Returns the reason for relaxing each rule, which is a setting of the environment; undefined if the environment
 * relaxes no rule.
 */
function reasonsOf(environment: string, rules: Readonly<Record<string, string>>): Answers | undefined {
  const answers = Object.entries(rules).map(([rule, says]) => [
    `tablewright::${rule}`,
    `environment '${environment}' allows this (${says})`,
  ]);
  return answers.length === 0 ? undefined : Object.fromEntries(answers);
}

function memoized(work: (environment: Environment) => Answers | undefined) {
  const known = new WeakMap<Environment, Answers | undefined>();
  return (environment: Environment) => {
    if (!known.has(environment)) known.set(environment, work(environment));
    return known.get(environment);
  };
}

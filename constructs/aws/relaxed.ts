import type { Construct } from 'constructs';
import type { Environment } from '../environment';

/**
 * Where `Validations.of(scope).acknowledge` keeps what is acknowledged (`Validations.ACKNOWLEDGED_RULES_METADATA_KEY`). It
 * also traces each call back to a line of the app, which takes longer than the table itself; what an environment says has
 * no such line.
 */
const ACKNOWLEDGED = 'aws:cdk:acknowledged-rules';

/** What each environment does without, in its own words; worked out once, since every table says it. */
const answersOf = memoized(({ name, protectData, tlsOnly }) =>
  inWordsOf(name, {
    ...(protectData ? {} : { 'deletion-protection': 'protectData: false', retention: 'protectData: false' }),
    ...(tlsOnly ? {} : { 'tls-only': 'tlsOnly: false' }),
  }),
);
const answersOfBackup = memoized(({ name, backup }) =>
  inWordsOf(name, backup === 'none' ? { 'backup-coverage': "backup: 'none'" } : {}),
);

/**
 * Answers `TableChecks` for what an environment does without by its own word, so that the two never disagree. Whoever makes
 * backups for several tables answers for all of them.
 */
export function acknowledgeRelaxed(scope: Construct, environment: Environment): void {
  acknowledge(scope, answersOf(environment));
}

/** The same of backups, where nobody else makes them. */
export function acknowledgeNoBackup(scope: Construct, environment: Environment): void {
  acknowledge(scope, answersOfBackup(environment));
}

/** Rules of `TableChecks`, each with the answer to it. */
type Answers = Readonly<Record<string, string>>;

function acknowledge(scope: Construct, answers: Answers | undefined): void {
  if (answers !== undefined) scope.node.addMetadata(ACKNOWLEDGED, answers);
}

/** Rules, each with the words of the environment that answer it; undefined where there are none. */
function inWordsOf(environment: string, rules: Readonly<Record<string, string>>): Answers | undefined {
  const answers = Object.entries(rules).map(([rule, says]) => [
    `tablewright::${rule}`,
    `environment '${environment}' says so (${says})`,
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

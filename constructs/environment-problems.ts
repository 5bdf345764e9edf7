import { suggestion } from '../lib/design/names';
import { isObject, show } from '../lib/design/show';
import { AZURE_CHOICES } from './azure-environment';

/** Returns all problems with the value at a path. */
type Form = (value: unknown, place: string) => readonly string[];

/** Finds all problems in an environment, which may come from JSON that no compiler has checked. */
export function environmentProblems(environment: Readonly<Record<string, unknown>>): readonly string[] {
  return ENVIRONMENT(environment, 'environment');
}

const toggle = must('true or false', (value) => typeof value === 'boolean');
const aboveZero = must('a number above 0', (value) => Number.isFinite(value) && (value as number) > 0);
const wholeFromOne = must('a whole number of at least 1', isWholeFromOne);
const COLD_STORAGE_DAYS = 90;

const retention: Form = (value, place) => {
  const { days, coldAfterDays: cold } = isObject(value) ? value : {};
  const leaves = `a whole number of at least 1 that leaves at least ${COLD_STORAGE_DAYS} of the ${days} days in cold storage`;
  const isLegal = () => isWholeFromOne(cold) && (days as number) - (cold as number) >= COLD_STORAGE_DAYS;
  const form = object('an object such as { days: 14 }', {
    days: wholeFromOne,
    coldAfterDays: optional(isWholeFromOne(days) ? must(leaves, isLegal) : wholeFromOne),
  });
  return form(value, place);
};

const KINDS = ['daily', 'weekly', 'monthly'];
const BACKUP = `'none' or an object with at least one of ${KINDS.join(', ')}`;

const schedule: Form = (value, place) => {
  const fields = { ...Object.fromEntries(KINDS.map((kind) => [kind, optional(retention)])), lock: optional(LOCK) };
  const problems = object(BACKUP, fields)(value, place);
  const isEmpty = isObject(value) && KINDS.every((kind) => value[kind] === undefined);
  return isEmpty && problems.length === 0 ? [`${place} must be ${BACKUP}, got: ${show(value)}`] : problems;
};

const LOCK = choice('governance', 'compliance');

const ENVIRONMENT = object('an object', {
  name: must(
    'letters, digits and single hyphens',
    (value) => typeof value === 'string' && /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(value),
  ),
  azure: optional(
    object('an object', {
      replication: choice(...AZURE_CHOICES.replication),
      network: choice(...AZURE_CHOICES.network),
      deleteLock: toggle,
      diagnostics: toggle,
    }),
  ),
  recoveryPeriodInDays: must(
    'a whole number from 1 to 35',
    (value) => isWholeFromOne(value) && (value as number) <= 35,
  ),
  encryption: choice('aws-managed', 'customer-managed'),
  protectData: toggle,
  contributorInsights: choice('off', 'throttled-keys', 'accessed-and-throttled-keys'),
  tlsOnly: toggle,
  alarms: unlessNone(
    object("'none' or the thresholds of all alarms", {
      throttles: aboveZero,
      systemErrors: aboveZero,
      userErrors: aboveZero,
      latency: aboveZero,
      lag: aboveZero,
      periods: wholeFromOne,
    }),
  ),
  backup: unlessNone(schedule),
});

function isWholeFromOne(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

function must(be: string, accepts: (value: unknown) => boolean): Form {
  return (value, place) => (accepts(value) ? [] : [`${place} must be ${be}, got: ${show(value)}`]);
}

function choice(...known: readonly string[]): Form {
  return must(`one of ${known.join(', ')}`, (value) => (known as readonly unknown[]).includes(value));
}

function optional(form: Form): Form {
  return (value, place) => (value === undefined ? [] : form(value, place));
}

function unlessNone(form: Form): Form {
  return (value, place) => (value === 'none' ? [] : form(value, place));
}

function object(what: string, fields: Readonly<Record<string, Form>>): Form {
  const known = Object.keys(fields);
  return (value, place) => {
    if (!isObject(value)) return [`${place} must be ${what}, got: ${show(value)}`];
    const unknown = Object.keys(value).filter((name) => !known.includes(name));
    return [
      ...Object.entries(fields).flatMap(([name, form]) => form(value[name], `${place}.${name}`)),
      ...unknown.map((name) => `${place}.${name} is not a known field; ${suggestion(name, known)}`),
    ];
  };
}

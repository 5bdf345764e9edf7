import { isObject, show } from '../../design/show';
import { isIntact, ordered } from '../canonical';
import type { Plan } from '../plan/plan';
import { FORM, type Lock } from './lock';
import { lockFault } from './shape';

/** Thrown for an invalid lock, plan or step; the message explains what to do instead. */
export class EvolutionError extends Error {
  public override readonly name = 'EvolutionError';
}

/**
 * Thrown if the arguments are valid but no plan can be made: the change does not need a plan, or answers are missing.
 */
export class PlanRefused extends EvolutionError {}

/** Reads a lock from its file's text or from the parsed JSON; rejects anything else. */
export function readLock(given: unknown, place = 'lock'): Lock {
  const lock = intact<Lock>(given, place, 'lock', 'npx tablewright record');
  assertLock(lock, place);
  return lock;
}

/** Rejects a lock if any part of it is damaged or forged, before deeper code fails on it. */
export function assertLock(lock: unknown, place: string): void {
  const fault = lockFault(lock);
  if (fault === undefined) return;
  const advice =
    "restore it from version control, or write it again with 'npx tablewright record' from what is deployed";
  throw new EvolutionError(
    `${[place, fault.place].join('.')} does not fit the format of a lock (${fault.expected}); ${advice}`,
  );
}

/** Reads a plan from its file's text or from the parsed JSON; rejects anything else. */
export function readPlan(given: unknown, place = 'plan'): Plan {
  return intact<Plan>(given, place, 'plan', 'npx tablewright plan');
}

/** Rejects a lock of another system or environment. */
export function assertSame(lock: Lock, system: string, environment: string): void {
  if (lock.system !== system) {
    throw new EvolutionError(
      `the lock is for system '${lock.system}', but the design is for '${system}'; pass the lock of '${system}', or record one`,
    );
  }
  if (lock.environment !== environment) {
    throw new EvolutionError(
      `the lock is for environment '${lock.environment}', not '${environment}'; pass the lock of '${environment}', or record one`,
    );
  }
}

function intact<T>(given: unknown, place: string, what: 'lock' | 'plan', command: string): T {
  const value = typeof given === 'string' ? parsed(given, place, command) : given;
  if (!isObject(value) || value[what] === undefined || typeof value.hash !== 'string') {
    throw new EvolutionError(`${place} must be a ${what} that '${command}' wrote, got: ${show(value)}`);
  }
  if (value[what] !== FORM) {
    throw new EvolutionError(
      `${place} is a ${what} in format ${show(value[what])}, but this version reads format ${FORM}; write it again with '${command}'`,
    );
  }
  if (!isIntact(value as { hash: string })) {
    const advice =
      what === 'lock'
        ? "restore it from version control; if it is lost, delete the file, and run 'npx tablewright record' with the design that is deployed"
        : "restore it from version control; if none of its steps is recorded yet, write it again with 'npx tablewright plan' and its answers";
    throw new EvolutionError(
      `${place} was edited after it was written: its hash does not match its contents; ${advice}`,
    );
  }
  return ordered(value) as unknown as T;
}

function parsed(text: string, place: string, command: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EvolutionError(`${place} is not JSON; pass the JSON that '${command}' wrote`);
  }
}

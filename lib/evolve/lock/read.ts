import { isObject, show } from '../../design/show';
import { isIntact, ordered } from '../canonical';
import type { Plan } from '../plan/plan';
import { FORM, type Lock } from './lock';

/** Raised when a lock, a plan or a step is not what it should be; the message says what to do instead. */
export class EvolutionError extends Error {
  public override readonly name = 'EvolutionError';
}

/** Raised when the arguments are right but there is no plan: none is needed, or answers are missing. */
export class PlanRefused extends EvolutionError {}

/** Reads a lock from the text of its file, or from the parsed file; refuses anything else. */
export function readLock(given: unknown, place = 'lock'): Lock {
  return intact<Lock>(given, place, 'lock', 'tablewright record');
}

/** Reads a plan from the text of its file, or from the parsed file; refuses anything else. */
export function readPlan(given: unknown, place = 'plan'): Plan {
  return intact<Plan>(given, place, 'plan', 'tablewright plan');
}

function intact<T>(given: unknown, place: string, what: 'lock' | 'plan', command: string): T {
  const value = typeof given === 'string' ? parsed(given, place, command) : given;
  if (!isObject(value) || value[what] === undefined || typeof value.hash !== 'string') {
    throw new EvolutionError(`${place} must be a ${what} that '${command}' wrote, got: ${show(value)}`);
  }
  if (value[what] !== FORM) {
    throw new EvolutionError(
      `${place} is a ${what} of form ${show(value[what])}, but this version reads form ${FORM}; write it again with '${command}'`,
    );
  }
  if (!isIntact(value as { hash: string })) {
    const advice =
      what === 'lock'
        ? "take it back from version control, or write it again with 'tablewright record' from what is deployed"
        : "take it back from version control, or write it again with 'tablewright plan' and its answers";
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
    throw new EvolutionError(`${place} must be JSON that '${command}' wrote; it is not JSON`);
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertDesign } from '../../lib/check/language/well-formed';
import type { SystemDesign } from '../../lib/design/system';
import { readAnswers } from '../../lib/evolve/diff/answers';
import type { Answers } from '../../lib/evolve/diff/change';
import type { Lock } from '../../lib/evolve/lock/lock';
import { systemOf } from '../../lib/evolve/lock/make';
import { EvolutionError, readLock, readPlan } from '../../lib/evolve/lock/read';
import type { Plan } from '../../lib/evolve/plan/plan';
import { FileProblem } from '../../lib/files/problem';
import { readJson } from '../../lib/files/read';
import { FileError, UsageError } from './command';
import { readProject } from './config';
import { sourcesNamed } from './designs';

/** The options shared by all verbs that compare a design with what is deployed. */
export const EVOLUTION = {
  environment: { type: 'string' },
  lock: { type: 'string' },
  answers: { type: 'string' },
} as const;

export interface Subject {
  readonly system: SystemDesign;
  /** The file that exports the design. */
  readonly file?: string;
  readonly environment: string;
  /** The path of the system's lock, which may not exist yet. */
  readonly lockFile: string;
  readonly answers: Answers;
}

/** Finds the named system, its environment, and the path of its lock. */
export async function subjectOf(
  names: readonly string[],
  given: { readonly environment?: string; readonly lock?: string; readonly answers?: string },
): Promise<Subject> {
  const sources = await sourcesNamed(names);
  const found = sources.flatMap(({ file, designs }) => designs.map((design) => ({ file, system: systemOf(design) })));
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) {
    const all = found.map(({ system }) => system.name).join(', ');
    throw new UsageError(`a lock belongs to one system; choose one of ${all}`);
  }
  const environment = given.environment ?? (await readProject())?.environment ?? 'prod';
  const { system, file } = only;
  assertDesign(system);
  return {
    system,
    ...(file === undefined ? {} : { file }),
    environment,
    lockFile: given.lock ?? lockFileOf(system.name, environment),
    answers:
      given.answers === undefined ? {} : used(() => readAnswers(readJson(given.answers as string), given.answers)),
  };
}

/** The default path of a system's lock. */
export function lockFileOf(system: string, environment: string): string {
  return fileOf(system, environment, 'lock');
}

/** The default path of a system's plan. */
export function planFileOf(system: string, environment: string): string {
  return fileOf(system, environment, 'plan');
}

/** Returns the path of a file in the project's folder; refuses names that would lead out of this folder. */
function fileOf(system: string, environment: string, kind: 'lock' | 'plan'): string {
  for (const [what, name] of Object.entries({ system, environment })) {
    if (isFileName(name)) continue;
    throw new FileError(
      `the name of the ${what}, ${JSON.stringify(name)}, cannot be part of a file name; rename the ${what}, using letters, digits, '-' and '_'`,
    );
  }
  return join('tablewright', `${system}.${environment}.${kind}.json`);
}

/**
 * Whether a file with this name stays in its folder on every operating system. The name must not contain path
 * separators, drive letters, stream names or control characters.
 */
export function isFileName(name: string): boolean {
  return /^[^/\\:*?"|\p{Cc}]{1,100}$/u.test(name) && !/^\.+$/.test(name);
}

/** Reads the lock in a file; if the file is missing, the error names the command that writes a lock. */
export function lockIn(file: string): Lock {
  if (!existsSync(file))
    throw new FileError(`there is no lock '${file}'; write one with 'npx tablewright record' first`);
  return used(() => readLock(readJson(file), `'${file}'`));
}

export function planIn(file: string): Plan {
  return used(() => readPlan(readJson(file), `'${file}'`));
}

/** Calls the given reader, and turns an error about the file into a FileError. */
export function used<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EvolutionError || error instanceof FileProblem) throw new FileError(error.message);
    throw error;
  }
}

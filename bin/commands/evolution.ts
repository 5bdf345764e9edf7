import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertDesign } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import {
  type Answers,
  EvolutionError,
  type Lock,
  type Plan,
  readAnswers,
  readLock,
  readPlan,
  systemOf,
} from '../../lib/evolve';
import { canonicalFile } from '../../lib/evolve/canonical';
import { FileProblem } from '../../lib/files/problem';
import { readJson } from '../../lib/files/read';
import { replaceWhole } from '../../lib/files/write';
import { FileError, UsageError } from './command';
import { readProject } from './config';
import { sourcesNamed } from './designs';

/** The options of every verb that compares a design with what is deployed. */
export const EVOLUTION = {
  environment: { type: 'string' },
  lock: { type: 'string' },
  answers: { type: 'string' },
} as const;

export interface Subject {
  readonly system: SystemDesign;
  /** The file that the design is from. */
  readonly file?: string;
  readonly environment: string;
  /** Where its lock is, or is to be. */
  readonly lockFile: string;
  readonly answers: Answers;
}

/** The one system that was named, its environment, and where its lock is. */
export async function subjectOf(
  names: readonly string[],
  given: { readonly environment?: string; readonly lock?: string; readonly answers?: string },
): Promise<Subject> {
  const sources = await sourcesNamed(names);
  const found = sources.flatMap(({ file, designs }) => designs.map((design) => ({ file, system: systemOf(design) })));
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) {
    const all = found.map(({ system }) => system.name).join(', ');
    throw new UsageError(`a lock is for one system; name one of ${all}`);
  }
  const environment = given.environment ?? (await readProject())?.environment ?? 'prod';
  const { system, file } = only;
  assertDesign(system);
  return {
    system,
    ...(file === undefined ? {} : { file }),
    environment,
    lockFile: given.lock ?? join('tablewright', `${system.name}.${environment}.lock.json`),
    answers:
      given.answers === undefined ? {} : used(() => readAnswers(readJson(given.answers as string), given.answers)),
  };
}

/** The lock of a file; what to do where there is none. */
export function lockIn(file: string): Lock {
  if (!existsSync(file))
    throw new FileError(`there is no lock '${file}'; record what is deployed first: tablewright record`);
  return used(() => readLock(readJson(file), `'${file}'`));
}

export function planIn(file: string): Plan {
  return used(() => readPlan(readJson(file), `'${file}'`));
}

/** What cannot be used as it was given is a wrong call, told without the usage, which has nothing to do with it. */
export function used<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EvolutionError || error instanceof FileProblem) throw new FileError(error.message);
    throw error;
  }
}

/** Writes a lock or a plan: whole, or not at all; in the place of one that is there. */
export function writeData(file: string, value: object): Promise<void> {
  return replaceWhole(file, (append) => append(canonicalFile(value)));
}

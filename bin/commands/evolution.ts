import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertDesign } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
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
import { knownOf, resourcesIn } from '../../lib/evolve/deployed/assembly';
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
  /** The file that the design comes from. */
  readonly file?: string;
  readonly environment: string;
  /** Where its lock is, or will be. */
  readonly lockFile: string;
  readonly answers: Answers;
}

/** The named system, which must be only one, its environment, and where its lock is. */
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
    lockFile: given.lock ?? lockFileOf(system.name, environment),
    answers:
      given.answers === undefined ? {} : used(() => readAnswers(readJson(given.answers as string), given.answers)),
  };
}

/** Where the lock of a system is by default. */
export function lockFileOf(system: string, environment: string): string {
  return join('tablewright', `${system}.${environment}.lock.json`);
}

/** Where the plan of a system is by default. */
export function planFileOf(system: string, environment: string): string {
  return join('tablewright', `${system}.${environment}.plan.json`);
}

/** The resources of a synthesized assembly that a lock or a plan must know; none without an assembly. */
export function deployedIn(assembly: string | undefined, { system, environment }: Subject): Deployed {
  if (assembly === undefined) return {};
  const found = used(() => resourcesIn(system, readAssembly(assembly), environment));
  return Object.fromEntries(Object.entries(found).map(([table, resources]) => [table, knownOf(resources)]));
}

type Deployed = Readonly<Record<string, ReturnType<typeof knownOf>>>;

/** The lock in a file; if there is none, the error says what to do. */
export function lockIn(file: string): Lock {
  if (!existsSync(file))
    throw new FileError(`there is no lock '${file}'; record what is deployed first: tablewright record`);
  return used(() => readLock(readJson(file), `'${file}'`));
}

export function planIn(file: string): Plan {
  return used(() => readPlan(readJson(file), `'${file}'`));
}

/** Reads what the caller gave; what cannot be used becomes a FileError. */
export function used<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EvolutionError || error instanceof FileProblem) throw new FileError(error.message);
    throw error;
  }
}

/** Writes a lock or a plan, whole or not at all; it replaces an existing one. */
export function writeData(file: string, value: object): Promise<void> {
  return replaceWhole(file, (append) => append(canonicalFile(value)));
}

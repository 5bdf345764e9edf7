import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environments } from '../../constructs/environment';
import { suggestion } from '../../lib/design/names';
import { readAnswers } from '../../lib/evolve';
import { evolutionView } from '../../lib/explore/evolution';
import { proofView, systemsIn } from '../../lib/explore/proof';
import type { Explored } from '../../lib/explore/system';
import { readJson } from '../../lib/files/read';
import { FileError, UsageError } from './command';
import { readProject } from './config';
import { lockIn, used } from './evolution';

interface Named {
  readonly environment?: string;
  readonly endpoint?: string;
  readonly 'azure-endpoint'?: string;
}

/** The environment that was named, if it is one, or else that of the configuration. */
export async function environmentNamed(named: Named, systems: readonly string[]): Promise<string> {
  const { environment } = named;
  if (environment === undefined) return (await readProject())?.environment ?? 'prod';
  const isKnown =
    Object.hasOwn(environments, environment) ||
    systems.some((system) => existsSync(lockFile(system, environment))) ||
    // Whether it is one is seen there: its tables are looked for.
    (named.endpoint ?? named['azure-endpoint']) !== undefined;
  if (isKnown) return environment;
  const hint = suggestion(environment, Object.keys(environments));
  throw new UsageError(
    `--environment: '${environment}' is not an environment; ${hint}, or one of your own that has a lock: ${lockFile('<system>', environment)}`,
  );
}

function lockFile(system: string, environment: string): string {
  return join('tablewright', `${system}.${environment}.lock.json`);
}

export interface Reports {
  readonly proof?: string;
  readonly lock?: string;
  readonly answers?: string;
  readonly environment: string;
}

/** Adds the last proof and the lock to what is shown, where there are such. */
export function reportsOn({ proof: file, lock, answers: given, environment }: Reports, systems: readonly string[]) {
  for (const [option, value] of Object.entries({ lock, answers: given }))
    if (value !== undefined && systems.length > 1)
      throw new UsageError(`--${option} is for one system; name one of ${systems.join(', ')}`);
  const report = file === undefined ? undefined : reportIn(file, systems);
  const answers = given === undefined ? {} : used(() => readAnswers(readJson(given), `'${given}'`));
  return (one: Explored): Explored => {
    const locked = lock ?? lockFile(one.view.name, environment);
    const isThere = lock !== undefined || given !== undefined || existsSync(locked);
    const evolution = isThere ? used(() => evolutionView(one.system, lockIn(locked), answers)) : undefined;
    return {
      ...one,
      view: {
        ...one.view,
        ...(report === undefined ? {} : { proof: proofView(report, one) }),
        ...(evolution === undefined ? {} : { evolution }),
      },
    };
  };
}

function reportIn(file: string, systems: readonly string[]): unknown {
  const report = used(() => readJson(file));
  let found: readonly string[];
  try {
    found = systemsIn(report);
  } catch (error) {
    throw new FileError(`--proof: '${file}': ${(error as Error).message}`);
  }
  if (found.some((name) => systems.includes(name))) return report;
  throw new FileError(
    `--proof: '${file}' is about ${found.join(', ')}, and not about ${systems.join(', ')}; name the report of that`,
  );
}

import { existsSync } from 'node:fs';

import { environments } from '../../constructs/environment';
import { suggestion } from '../../lib/design/names';
import { isObject } from '../../lib/design/show';
import { readAnswers } from '../../lib/evolve';
import { evolutionView } from '../../lib/explore/evolution';
import { proofView, systemsIn } from '../../lib/explore/proof';
import type { Explored } from '../../lib/explore/system';
import { readJson } from '../../lib/files/read';
import { FileError, UsageError } from './command';
import { readProject } from './config';
import { isFileName, lockFileOf, lockIn, used } from './evolution';

interface Named {
  readonly environment?: string;
  readonly endpoint?: string;
  readonly 'azure-endpoint'?: string;
}

/** Returns the named environment, or the configured one if no name is given; throws if the named environment does not exist. */
export async function environmentNamed(named: Named, systems: readonly string[]): Promise<string> {
  const { environment } = named;
  if (environment === undefined) return (await readProject())?.environment ?? 'prod';
  const isKnown =
    Object.hasOwn(environments, environment) ||
    systems.some((system) => hasLock(system, environment)) ||
    // If the user gave an endpoint, a wrong environment name is reported later, because the endpoint has no tables with
    // that environment's names.
    (named.endpoint ?? named['azure-endpoint']) !== undefined;
  if (isKnown) return environment;
  const hint = suggestion(environment, Object.keys(environments));
  throw new UsageError(
    `--environment: '${environment}' is not an environment; ${hint}; any other environment needs a lock (${lockFileOf('<system>', environment)})`,
  );
}

/** Whether a system has a lock at the default path; false if the system's name cannot be a file name. */
function hasLock(system: string, environment: string): boolean {
  return isFileName(system) && isFileName(environment) && existsSync(lockFileOf(system, environment));
}

export interface Reports {
  readonly proof?: readonly string[];
  readonly lock?: string;
  readonly answers?: string;
  readonly environment: string;
}

/**
 * Returns a function that extends a system's view with the results from the given proof reports, and with the changes
 * since the lock. If no lock is given, uses the lock at the default path, if there is one.
 */
export function reportsOn(
  { proof: files = [], lock, answers: given, environment }: Reports,
  systems: readonly string[],
) {
  for (const [option, value] of Object.entries({ lock, answers: given }))
    if (value !== undefined && systems.length > 1)
      throw new UsageError(`--${option} applies to one system; choose one of ${systems.join(', ')}`);
  const reports = files.map((file) => reportIn(file, systems));
  const answers = given === undefined ? {} : used(() => readAnswers(readJson(given), `'${given}'`));
  return (explored: Explored): Explored => {
    const { name } = explored.view;
    const isThere = lock !== undefined || given !== undefined || hasLock(name, environment);
    const evolution = isThere
      ? used(() => evolutionView(explored.system, lockIn(lock ?? lockFileOf(name, environment)), answers))
      : undefined;
    return {
      ...explored,
      view: {
        ...explored.view,
        ...(reports.length === 0 ? {} : { proofs: proofsOf(explored, reports) }),
        ...(evolution === undefined ? {} : { evolution }),
      },
    };
  };
}

/**
 * Returns a system's results from the reports. If no report covers the system, uses the first report; the view then
 * lists every pattern as missing.
 */
function proofsOf(explored: Explored, reports: readonly unknown[]) {
  const own = reports.filter((report) => systemsIn(report).includes(explored.system.name));
  return (own.length === 0 ? reports.slice(0, 1) : own).map((report) => proofView(report, explored));
}

function reportIn(file: string, systems: readonly string[]): unknown {
  const envelope = used(() => readJson(file));
  const report = isObject(envelope) ? envelope.result : undefined;
  let found: readonly string[];
  try {
    found = systemsIn(report);
  } catch (error) {
    throw new FileError(`--proof: '${file}': ${(error as Error).message}`);
  }
  if (found.some((name) => systems.includes(name))) return report;
  throw new FileError(`--proof: '${file}' covers ${found.join(', ')}, not ${systems.join(', ')}; pass another report`);
}

import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deploymentOf, type PhysicalTables } from '../../lib/blueprint/physical-table';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import type { Lock, LockOptions, Plan } from '../../lib/evolve';
import { canonicalFile } from '../../lib/evolve/canonical';
import { tablesOfSystem } from '../../lib/evolve/deployed/assembly';
import { replacePublic } from '../../lib/files/write';
import { type Subject, used } from './evolution';

// Code shared by the verbs that write locks and plans.

/**
 * Reads a synthesized assembly, and returns the facts about deployed tables that a lock or a plan records; returns no
 * facts if no assembly is given.
 */
export function deployedIn(assembly: string | undefined, { system, environment }: Subject): Deployed {
  if (assembly === undefined) return {};
  return deployedOf(used(() => tablesOfSystem(system, readAssembly(assembly), environment)));
}

/** Returns the facts about each table that come from its deployment, not from the design. */
export function deployedOf(found: PhysicalTables): Deployed {
  return Object.fromEntries(Object.entries(found).map(([name, table]) => [name, deploymentOf(table)]));
}

type Deployed = NonNullable<LockOptions['deployed']>;

/**
 * Writes or replaces a lock or a plan atomically. Every user can read the file, because releases may run as other
 * users.
 */
export function writeData(file: string, value: object): Promise<void> {
  return replacePublic(file, canonicalFile(value));
}

/** Returns the folder for a system's finished plans, next to the system's lock. */
export function historyOf(lockFile: string, { system, environment }: Pick<Plan, 'system' | 'environment'>): string {
  return join(dirname(lockFile), 'history', `${system}.${environment}`);
}

/**
 * Archives a finished plan, and the lock that it started from, under the next free number. Returns the path of the
 * archived plan.
 */
export async function keepFinished(lockFile: string, plan: Plan, began: Lock): Promise<string> {
  const folder = historyOf(lockFile, plan);
  const numbers = existsSync(folder) ? readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0) : [];
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
  await writeData(join(folder, `${next}.lock.json`), began);
  const file = join(folder, `${next}.plan.json`);
  await writeData(file, plan);
  return file;
}

export function remove(file: string): Promise<void> {
  return rm(file, { force: true });
}

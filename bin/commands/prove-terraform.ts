import { dirname, resolve } from 'node:path';
import { azureTableNames } from '../../lib/azure-tables/equivalents/tables';
import {
  azureTablesIn,
  readStack,
  type StackFile,
  stacksIn,
  type TerraformJson,
} from '../../lib/azure-tables/terraform';
import { suggestion } from '../../lib/design/names';
import type { SystemDesign } from '../../lib/design/system';
import { FileError, UsageError } from './command';
import type { Found, TemplateOptions } from './prove-template';

/** Finds an Azure system's stack: the one that the user named, or else the one that belongs to the system. */
export function terraformOf(
  system: SystemDesign,
  folder: string,
  named: readonly string[],
  { environment = 'dev', isAsked = false }: Pick<TemplateOptions, 'environment' | 'isAsked'>,
): Found<TerraformJson> {
  const all = stacksIn(folder);
  const own = `${system.name}-${environment}`;
  if (isAsked && all.length > 0 && !all.some(({ name }) => name === own)) {
    const names = all.map(({ name }) => name);
    throw new UsageError(`--environment: there is no stack '${own}' in '${folder}'; ${suggestion(own, names)}`);
  }
  const found = named.length > 0 ? all.filter(({ name }) => named.includes(name)) : stacksOf(system, folder, all, own);
  const [stack, ...others] = found;
  if (others.length > 0) {
    throw new UsageError(
      `'${system.name}' has several stacks in '${folder}' (${found.map(({ name }) => name).join(', ')}); choose one with --stack`,
    );
  }
  if (stack !== undefined) return { template: readStack(stack.file), from: `stack ${stack.name} (${stack.file})` };
  const there = all.map(({ name }) => name).join(', ');
  if (all.length === 0) throw noStackIn(folder);
  if (named.length === 0) {
    throw new UsageError(`no stack in '${folder}' belongs to '${system.name}'; choose a stack with --stack: ${there}`);
  }
  const wanted = named.map((name) => `'${name}'`).join(', ');
  throw new UsageError(`--stack: there is no stack ${wanted} in '${folder}'; choose from ${there}`);
}

/** Returns the error for a folder without stacks; the message names the command that synthesizes them. */
export function noStackIn(folder: string): FileError {
  return new FileError(
    `there is no stack in '${folder}'; run your app first (with 'node dist/app.js' or 'npx cdktn synth'; in a clone, with 'npm run synth:azure'), or use --terraform to pass its output folder or the folder of a stack`,
  );
}

/**
 * Returns the stacks that belong to a system, by the first rule that finds any: the folder is the stack's own folder;
 * the stack has the names of the system and the environment; the stack has the system's name; the stack creates all of
 * the system's tables.
 */
function stacksOf(
  system: SystemDesign,
  folder: string,
  all: readonly StackFile[],
  inEnvironment: string,
): readonly StackFile[] {
  const { name } = system;
  const own = all.filter(({ file }) => [file, dirname(file)].some((place) => resolve(place) === resolve(folder)));
  if (own.length > 0) return own;
  const meant = all.filter((stack) => stack.name === inEnvironment);
  if (meant.length > 0) return meant;
  const byName = all.filter((stack) => stack.name === name || stack.name.startsWith(`${name}-`));
  if (byName.length > 0) return byName;
  return all.filter(({ file }) => {
    const made = azureTablesIn(readStack(file));
    return azureTableNames(system).every((table) => made.includes(table));
  });
}

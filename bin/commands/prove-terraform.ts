import { azureTablesIn, readStack, stacksIn, type TerraformJson } from '../../lib/azure-tables/terraform';
import type { SystemDesign } from '../../lib/design/system';
import { UsageError } from './command';

/** The stack of an Azure system: the one that is named, that of dev, or the only one it has in the folder. */
export function terraformOf(system: SystemDesign, folder: string, named: readonly string[]): TerraformJson {
  const all = stacksIn(folder);
  const found = named.length === 0 ? stacksOf(system, folder, all) : all.filter((name) => named.includes(name));
  const [stack, ...others] = found;
  if (others.length > 0) {
    throw new UsageError(
      `'${system.name}' has several stacks in '${folder}' (${found.join(', ')}); name one with --stack`,
    );
  }
  if (stack !== undefined) return readStack(folder, stack);
  if (named.length > 0 && all.length > 0) {
    const wanted = named.map((name) => `'${name}'`).join(', ');
    throw new UsageError(`--stack: there is no ${wanted} in '${folder}'; there are ${all.join(', ')}`);
  }
  return readStack(folder, named[0] ?? `${system.name}-dev`);
}

/** By its name, whatever the environment; where none is named so, by the tables it makes. */
function stacksOf({ name, tables }: SystemDesign, folder: string, all: readonly string[]): readonly string[] {
  if (all.includes(`${name}-dev`)) return [`${name}-dev`];
  const byName = all.filter((stack) => stack === name || stack.startsWith(`${name}-`));
  if (byName.length > 0) return byName;
  return all.filter((stack) => {
    const made = azureTablesIn(readStack(folder, stack));
    return Object.keys(tables).every((table) => made.includes(table));
  });
}

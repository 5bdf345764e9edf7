import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AZURE_TABLES } from '../blueprint/clouds';

/** A synthesized stack as parsed JSON (`cdk.tf.json`): resources by type, then by their id. */
export interface TerraformJson {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Block | readonly Block[]>>>>;
}

interface Block {
  readonly type?: unknown;
  readonly name?: unknown;
}

const TABLE_TYPE = /^Microsoft\.Storage\/storageAccounts\/tableServices\/tables@/i;

/** The names of the Azure tables that a stack makes, in its order. One that Azure would refuse is an error. */
export function azureTablesIn({ resource = {} }: TerraformJson): readonly string[] {
  return Object.entries(resource.azapi_resource ?? {}).flatMap(([id, block]) => {
    const { type, name } = (Array.isArray(block) ? block[0] : block) as Block;
    if (typeof type !== 'string' || !TABLE_TYPE.test(type)) return [];
    if (typeof name !== 'string' || !AZURE_TABLES.name.form.test(name)) {
      throw new Error(
        `azapi_resource.${id}: the name must be that of an Azure table (${AZURE_TABLES.name.words}), got: ${JSON.stringify(name)}`,
      );
    }
    return [name];
  });
}

/** The names of the stacks that were synthesized into a folder. */
export function stacksIn(folder: string): readonly string[] {
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) return [];
  return readdirSync(stacks)
    .filter((name) => existsSync(join(stacks, name, 'cdk.tf.json')))
    .sort();
}

/** The stack of a system in an environment, as it was synthesized into a folder. */
export function readStack(folder: string, name: string): TerraformJson {
  const file = join(folder, 'stacks', name, 'cdk.tf.json');
  if (!existsSync(file)) {
    throw new Error(
      `'${file}' is missing; run your app first (such as 'node dist/app.js' or 'npx cdktn synth'; in a clone 'npm run synth:azure'), or name its folder (--terraform) or the stack (--stack)`,
    );
  }
  return JSON.parse(readFileSync(file, 'utf8')) as TerraformJson;
}

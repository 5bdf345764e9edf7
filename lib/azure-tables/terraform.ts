import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AZURE_TABLES } from '../blueprint/clouds';
import { isObject } from '../design/show';
import { FileProblem, fileProblem } from '../files/problem';
import { readJson } from '../files/read';

/** A synthesized stack as parsed JSON (`cdk.tf.json`), with its resources keyed by type and id. */
export interface TerraformJson {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Block | readonly Block[]>>>>;
}

interface Block {
  readonly type?: unknown;
  readonly name?: unknown;
}

const TABLE_TYPE = /^Microsoft\.Storage\/storageAccounts\/tableServices\/tables@/i;

/** Returns the names of the Azure tables that a stack creates, in stack order. Throws if Azure would refuse a name. */
export function azureTablesIn({ resource = {} }: TerraformJson): readonly string[] {
  return Object.entries(resource.azapi_resource ?? {}).flatMap(([id, block]) => {
    const { type, name } = (Array.isArray(block) ? (block[0] ?? {}) : block) as Block;
    if (typeof type !== 'string' || !TABLE_TYPE.test(type)) return [];
    if (typeof name !== 'string' || !AZURE_TABLES.name.form.test(name)) {
      throw new Error(
        `azapi_resource.${id}: the name must be a legal Azure table name (${AZURE_TABLES.name.words}), got: ${JSON.stringify(name)}`,
      );
    }
    return [name];
  });
}

/** Returns a stack that contains only the tables with the given names. */
export function stackOfTables(names: readonly string[]): TerraformJson {
  const type = 'Microsoft.Storage/storageAccounts/tableServices/tables@2024-01-01';
  return { resource: { azapi_resource: Object.fromEntries(names.map((name) => [name, { type, name }])) } };
}

/** The name and the file of a synthesized stack. */
export interface StackFile {
  readonly name: string;
  readonly file: string;
}

const FILE = 'cdk.tf.json';

/** Finds stacks. `folder` is an output folder, its `stacks` folder, or the folder or file of a single stack. */
export function stacksIn(folder: string): readonly StackFile[] {
  if (basename(folder) === FILE && existsSync(folder))
    return [{ name: basename(dirname(resolve(folder))), file: folder }];
  if (existsSync(join(folder, FILE))) return [{ name: basename(resolve(folder)), file: join(folder, FILE) }];
  const stacks = existsSync(join(folder, 'stacks')) ? join(folder, 'stacks') : folder;
  return namesIn(stacks)
    .map((name) => ({ name, file: join(stacks, name, FILE) }))
    .filter(({ file }) => existsSync(file));
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw fileProblem(error, folder, 'read');
  }
}

/** Reads a synthesized stack. */
export function readStack(file: string): TerraformJson {
  const stack = readJson(file);
  const problem = problemOf(stack);
  if (problem === undefined) return stack as TerraformJson;
  throw new FileProblem(file, 'damaged', `'${file}' is not Terraform JSON: ${problem}; run your app again`);
}

function problemOf(stack: unknown): string | undefined {
  if (!isObject(stack)) return 'the stack must be an object';
  const { resource = {} } = stack;
  if (!isObject(resource)) return "'resource' must be an object";
  const { azapi_resource: blocks = {} } = resource;
  if (!isObject(blocks)) return "'resource.azapi_resource' must be an object";
  const [wrong] = Object.entries(blocks).find(([, block]) => ![block].flat().every(isObject)) ?? [];
  return wrong === undefined ? undefined : `'resource.azapi_resource.${wrong}' must be an object`;
}

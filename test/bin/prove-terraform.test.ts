import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TemplateOptions, templateFinder } from '../../bin/commands/prove-template';
import { azureTableNames } from '../../lib/azure-tables/equivalents/tables';
import { azureTablesIn, type TerraformJson } from '../../lib/azure-tables/terraform';
import { controlePgm } from '../../lib/systems';
import { support } from '../fixtures/sound/support';
import { stackOf } from '../support/azurite';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

const made = stackOf(...Object.keys(controlePgm.tables));

/** Writes a folder with the given stacks, as an app for Azure does. */
function synthesized(...stacks: readonly string[]): string {
  const terraform = mkdtempSync(join(folder, 'terraform-'));
  for (const stack of stacks) {
    mkdirSync(join(terraform, 'stacks', stack), { recursive: true });
    writeFileSync(join(terraform, 'stacks', stack, 'cdk.tf.json'), JSON.stringify(made));
  }
  return terraform;
}

const found = async (options: TemplateOptions) => templateFinder(options, [controlePgm])(controlePgm);

test.each([
  ["the system's only stack", ['controle-pgm-prod', 'blog-prod'], [], 'controle-pgm-prod'],
  ["a stack that creates the system's tables, whatever its name", ['pgm'], [], 'pgm'],
  [
    'the stack that the user names',
    ['controle-pgm-prod', 'controle-pgm-staging'],
    ['controle-pgm-prod'],
    'controle-pgm-prod',
  ],
])('uses a stack other than the one for dev: %s', async (_, stacks, stack, name) => {
  const terraform = synthesized(...stacks);
  expect(await found({ terraform, stack })).toEqual({
    template: made,
    from: `stack ${name} (${join(terraform, 'stacks', name, 'cdk.tf.json')})`,
  });
});

test.each([
  ['stacks', ['controle-pgm-prod']],
  ['stacks/controle-pgm-prod', []],
  ['stacks/controle-pgm-prod/cdk.tf.json', []],
])('accepts a folder or a file inside the output folder: %s', async (place, stack) => {
  const terraform = join(synthesized('controle-pgm-prod', 'controle-pgm-staging'), place);
  expect((await found({ terraform, stack })).from).toMatch(/^stack controle-pgm-prod \(/);
});

test.each([
  [{}, /'controle-pgm' has several stacks in .*; choose one with --stack/],
  [{ stack: ['nope'] }, /--stack: there is no stack 'nope' in .*; choose from controle-pgm-prod, controle-pgm-staging/],
  [{ table: ['Users=x'] }, /--stack and --table need --assembly/],
])('refuses the options %j if there are several stacks', async (options, message) => {
  const terraform = synthesized('controle-pgm-prod', 'controle-pgm-staging');
  await expect(found({ terraform, ...options })).rejects.toThrow(message);
});

test("derives the Azure tables for a DynamoDB system's tables and indexes from the design if there is no stack", async () => {
  const options: TemplateOptions = { on: 'azure' };
  const { template, from } = await templateFinder(options, [support])(support);
  expect(from).toBe("the design (no stack in 'cdktf.out')");
  expect(azureTablesIn(template as TerraformJson)).toEqual(azureTableNames(support));
});

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlePgm } from '../../lib/systems';
import { azurite, stackOf } from '../support/azurite';
import { tablewrightIn } from '../support/command';

const { engine, send } = azurite(controlePgm);
const command = join(__dirname, '../../dist/bin/tablewright.js');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command as a user does, with no account in the environment variables. */
function run(args: readonly string[], { flags = [], env = {} }: { flags?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const { AZURE_STORAGE_CONNECTION_STRING: _, ...rest } = process.env;
  const child = spawn(process.execPath, [...flags, command, ...args], { cwd: folder, env: { ...rest, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
}
const MEANT = ['--because', 'the test asks for it'];
const at = () => ['--azure-endpoint', engine().endpoint];

describe('export and import', () => {
  test.each([
    [['backup', 'export'], 'pass a file that exports designs, or write tablewright.config.ts:'],
    [['backup', 'export', 'a', 'b'], 'pass one system (controle-pgm), or a file that exports one'],
    [
      ['backup', 'export', 'blog', '--output', 'x'],
      "'blog' is on aws; pass a system on Azure Tables (controle-pgm, or a file that exports one)",
    ],
    [
      ['backup', 'export', 'controle-pgm', '--on', 'azure', '--output', 'x'],
      "'controle-pgm' is on azure; pass a system on DynamoDB, or leave out --on azure",
    ],
    [
      ['backup', 'export', 'nope', '--output', 'x'],
      "'nope' is neither a design nor a file, and this folder has no tablewright.config.ts",
    ],
    [['backup', 'export', 'controle-pgm'], 'there is no file to write to; pass --output <file>'],
    [['backup', 'export', 'controle-pgm', '--output', 'x'], 'no Azure account given'],
    [['backup', 'import'], "pass one file written by 'backup export'"],
    [['backup', 'import', 'nowhere.jsonl'], "there is no file 'nowhere.jsonl'"],
    [['backup', 'import', command, '--resume', '--overwrite'], 'pass either --resume or --overwrite, not both'],
  ])('exits with 2 for invalid arguments %p', async (args, message) => {
    const { status, stderr } = await tablewrightIn(folder, args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    // The output omits the usage text of other commands, which would not help.
    expect(stderr).not.toContain('tablewright portability');
  });

  test('`backup` exits with 1 if a table is missing, and with 2 if the file is not an export', async () => {
    await engine().drop('Sequences');
    const exported = await run(['backup', 'export', 'controle-pgm', '--output', 'missing.jsonl', ...at()]);
    expect(exported).toEqual({
      code: 1,
      stdout: '',
      stderr: "tablewright: the account has no table Sequences; create the table first, with 'terraform apply'\n",
    });
    expect(existsSync(join(folder, 'missing.jsonl'))).toBe(false);
    writeFileSync(join(folder, 'damaged.jsonl'), '{}\n');
    const imported = await run(['backup', 'import', 'damaged.jsonl', ...MEANT, ...at()]);
    expect(imported).toEqual({
      code: 2,
      stdout: '',
      stderr: "tablewright: 'damaged.jsonl' is not an export; pass a file that 'tablewright backup export' wrote\n",
    });
  });

  describe("backup of a user's own system", () => {
    const entity = `{ attributes: z.object({ name: z.string() }), keys: { PartitionKey: 'P', RowKey: '<name>' } }`;
    const table = (name: string) =>
      `{ name: '${name}', key: { partition: 'PartitionKey', sort: 'RowKey' }, entities: { Customer: ${entity} } }`;
    const system = (name: string, cloud = 'azure') =>
      `{ name: '${name}', cloud: '${cloud}', tables: { Customers: ${table('Customers')} } }`;
    const write = (name: string, exported: string) =>
      writeFileSync(
        join(folder, name),
        `const z = require(${JSON.stringify(require.resolve('zod'))});\nmodule.exports = { ${exported} };`,
      );

    test("exports and restores a user's own system, given its file", async () => {
      const name = 'Customers';
      await engine().provision(stackOf(name));
      const entity = { partitionKey: 'P', rowKey: 'ana', Age: { type: 'Int64', value: '5' } } as const;
      await send(name, { method: 'createEntity', args: [entity] });
      write('crm.js', `crm: ${system('crm')}`);
      expect(await run(['backup', 'export', 'crm.js', '--output', 'crm.jsonl', ...at()])).toMatchObject({
        code: 0,
        stderr: '',
      });
      await send(name, { method: 'deleteEntity', args: ['P', 'ana', { etag: '*' }] });
      expect(await run(['backup', 'import', 'crm.jsonl', ...MEANT, ...at()])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^crm, exported .*: 1 entity written/),
      });
      const { entity: restored } = await send(name, { method: 'getEntity', args: ['P', 'ana', {}] } as never);
      expect(restored).toMatchObject({ rowKey: 'ana' });
      await engine().drop(name);
    });

    test('exports and restores a single table as a system', async () => {
      const name = 'Customers';
      await engine().provision(stackOf(name));
      const entity = { partitionKey: 'P', rowKey: 'ana', Age: { type: 'Int64', value: '5' } } as const;
      await send(name, { method: 'createEntity', args: [entity] });
      write('table.js', `customers: ${table(name)}`);
      const exported = await run(['backup', 'export', 'table.js', '--output', 'table.jsonl', ...at()]);
      expect(exported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}Customers +1\n1 entity from /) });
      await send(name, { method: 'deleteEntity', args: ['P', 'ana', { etag: '*' }] });
      const imported = await run(['backup', 'import', 'table.jsonl', ...MEANT, ...at()]);
      expect(imported).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Customers, .*: 1 entity written/) });
      const { entity: restored } = await send(name, { method: 'getEntity', args: ['P', 'ana', {}] } as never);
      expect(restored).toMatchObject({ rowKey: 'ana', Age: 5n });
      await engine().drop(name);
    });

    test.each([
      ['two.js', `a: ${system('a')}, b: ${system('b')}`, "exports several systems: 'a', 'b'"],
      ['aws.js', `shop: ${system('shop', 'aws')}`, "'shop' is on aws; pass a system on Azure Tables"],
    ])('exits with 2 for an unusable module: %s', async (name, exported, message) => {
      write(name, exported);
      const { code, stderr } = await run(['backup', 'export', name, '--output', 'x', ...at()]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    });
  });

  test('Ctrl+C in the middle of an export leaves no partial file', async () => {
    const there = mkdtempSync(join(folder, 'interrupted-'));
    const hook = join(there, 'hook.cjs');
    // Sends Ctrl+C as soon as the export has begun to write the file.
    writeFileSync(
      hook,
      `const timer = setInterval(() => {
        if (!require('node:fs').readdirSync('${there}').some((name) => name.endsWith('.partial'))) return;
        clearInterval(timer);
        process.kill(process.pid, 'SIGINT');
      }, 1);`,
    );
    const args = ['backup', 'export', 'controle-pgm', '--output', join(there, 'pgm.jsonl'), ...at()];
    expect(await run(args, { flags: ['--require', hook] })).toMatchObject({ code: 130, stdout: '' });
    expect(readdirSync(there)).toEqual(['hook.cjs']);
  });

  /** Prints the peak memory of the process, in MB, when it ends. */
  const MEASURED = `process.on('exit', () => require('node:fs').writeSync(2, 'peak ' + Math.round(process.resourceUsage().maxRSS / 1024)));`;

  test('a process with 64 MB of memory exports and restores 80 MB of entities', async () => {
    const hook = join(folder, 'hook.cjs');
    writeFileSync(hook, MEASURED);
    const flags = ['--max-old-space-size=64', '--require', hook];
    const measured = async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, ...at()], { flags });
      // On a busy machine, the export may take so long that it prints its progress.
      const [, peak] = /^(?:(?:\w+: \d+|\d+ of \d+) entities\n)*peak (\d+)$/.exec(stderr) ?? [];
      expect({ code, stderr, peak }).toEqual({ code: 0, stderr, peak: expect.any(String) });
      return { stdout, peak: Number(peak) };
    };
    // The test uses few but large entities, because Azurite takes a long time for each entity.
    const count = 10_000;
    const Note = 'x'.repeat(8_000);
    const partitions = 20;
    const perPartition = count / partitions;
    for (let p = 0; p < partitions; p++) {
      const partitionKey = `LOG_${2020 + Math.floor(p / 12)}_${String((p % 12) + 1).padStart(2, '0')}`;
      for (let n = 0; n < perPartition; n += 100) {
        const entityAt = (i: number) => ({
          ...{ partitionKey, rowKey: `${String(n + i).padStart(8, '0')}_row` },
          ...{
            Number: n + i + 1,
            DocumentTypeName: 'Ofício',
            UserEmail: "d'avila@itajai.sc.gov.br",
            Note,
            Long: { type: 'Int64', value: '5' },
          },
          GeneratedAt: { type: 'DateTime', value: '2025-06-15T14:30:00.123Z' },
        });
        const actions = Array.from({ length: 100 }, (_, i) => ['create', entityAt(i)]);
        await send('NumberLogs', { method: 'submitTransaction', args: [actions as never] });
      }
    }

    const exported = await measured('backup', 'export', 'controle-pgm', '--output', 'all.jsonl');
    expect(exported.stdout).toContain(`${count} entities from ${engine().endpoint} written to all.jsonl`);
    await engine().drop('NumberLogs');
    await engine().provision({
      resource: {
        azapi_resource: {
          logs: { type: 'Microsoft.Storage/storageAccounts/tableServices/tables@1', name: 'NumberLogs' },
        },
      },
    });
    const imported = await measured('backup', 'import', 'all.jsonl', ...MEANT);
    expect(imported.stdout).toContain(`: ${count} entities written to ${engine().endpoint}`);
    await measured('backup', 'export', 'controle-pgm', '--output', 'again.jsonl');
    const [first, second] = ['all.jsonl', 'again.jsonl'].map((name) =>
      readFileSync(join(folder, name), 'utf8').split('\n'),
    );
    expect(second?.slice(1, -2)).toEqual(first?.slice(1, -2));
    expect(second).toHaveLength(count + 3);
    console.info(`80 MB: export ${exported.peak} MB, import ${imported.peak} MB at most`);
    expect(Math.max(exported.peak, imported.peak)).toBeLessThan(250);
  }, 900_000);
});

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { tablewrightIn } from '../support/command';
import { until } from '../support/processes';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'envelope-'));
const zod = JSON.stringify(join(root, 'node_modules/zod'));
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const design = (attributes: string, more = '') => `const { z } = require(${zod});
const notes = { name: 'notes', key: { partition: 'PK' },${more}
  entities: { Note: { attributes: z.object({ ${attributes} }), keys: { PK: 'NOTE#<id>' } } },
  patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] } } };
exports.pad = { name: 'pad', cloud: 'aws', tables: { notes } };
exports.cases = { system: exports.pad, tables: { notes: {
  items: { first: ['Note', { id: '1', text: 'one' }] }, stored: { first: { PK: 'NOTE#1' } },
  patterns: { note: { values: { id: '1' }, returns: ['first'] } } } } };`;
const sound = design('id: z.string(), text: z.string()');
beforeEach(() => write('design.js', sound));
write('unsound.js', design('id: z.string(), text: z.string()', "\n  ttl: 'nothing',"));
write('failing.js', sound.replace("returns: ['first'] }", 'returns: [] }'));
write('answers.json', '{}');
mkdirSync(join(folder, 'cdk.out'));
write('cdk.out/manifest.json', JSON.stringify({ version: '48.0.0', artifacts: {} }));

const schema = z.fromJSONSchema(
  JSON.parse(readFileSync(join(root, 'docs/reference/envelope.schema.json'), 'utf8')),
) as z.ZodType<Envelope>;

interface Envelope {
  readonly command: string;
  readonly ok: boolean;
  readonly exitCode: number;
  readonly findings: readonly { readonly code: string; readonly message: string }[];
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Runs a command and validates its output against the published schema. */
async function enveloped(...args: readonly string[]): Promise<Envelope> {
  const { status, stdout, stderr } = await tablewrightIn(folder, [...args, '--json']);
  expect(stdout.split('\n')).toHaveLength(2);
  const envelope = schema.parse(JSON.parse(stdout));
  expect(envelope).toMatchObject({ command: args[0], exitCode: status, ok: status === 0 });
  expect(stderr).toBe('');
  return envelope;
}

const codes = ({ findings }: Envelope) => findings.map(({ code }) => code);

test.each([
  [['cases', './design.js', '--output', 'design.js'], 'written'],
  [['check', './design.js'], 'designs'],
  [['costs', './design.js', '--environment', 'dev'], 'stacks'],
  [['draw', './design.js'], 'drawn'],
  [['explain'], 'codes'],
  [['explain', 'case-failed'], 'fix'],
  [['explain', 'unused-index'], 'example'],
  [['explore', './design.js', '--static', 'site'], 'files'],
  [['iam', './design.js'], 'policy'],
  [['init', 'app', '--yes'], 'files'],
  [['portability', './design.js'], 'systems'],
  [['prove', './design.js'], 'proofs'],
  [['record', './design.js'], 'lock'],
  [['diff', './design.js'], 'changes'],
  [['status', './design.js'], 'environments'],
  [['tables'], 'stacks'],
  [['help'], 'lines'],
  [['version'], 'lines'],
] as const)('%j succeeds, and its result contains %s', async (args, field) => {
  const { ok, findings, result } = await enveloped(...args);
  expect({ ok, findings }).toEqual({ ok: true, findings: [] });
  expect(result).toHaveProperty(field);
});

test('`record`, `diff`, `plan` and `prove` put their findings and results into envelopes throughout a change', async () => {
  await enveloped('record', './design.js');
  write('design.js', design('id: z.string(), text: z.string(), more: z.string()'));
  expect(codes(await enveloped('diff', './design.js'))).toEqual(['attribute-required']);
  expect(codes(await enveloped('record', './design.js'))).toEqual(['attribute-required']);
  expect((await enveloped('plan', './design.js')).result).toHaveProperty('plan.phases');
  expect(codes(await enveloped('plan', './design.js', '--down'))).toEqual(['plan-refused']);
  expect(codes(await enveloped('prove', './design.js', '--plan', 'tablewright/pad.prod.plan.json'))).not.toEqual([]);
});

test.each([
  [['check', './unsound.js'], 'unknown-name'],
  [['check', './nowhere.js'], 'wrong-call'],
  [['iam', './unsound.js'], 'unknown-name'],
  [['iam', './design.js', 'nots'], 'wrong-call'],
  [['prove', './failing.js'], 'case-failed'],
  [['backup', 'export', '--output', 'x'], 'wrong-call'],
  [['backup', 'import', 'nowhere.jsonl'], 'unusable-file'],
  [['cases', './unsound.js'], 'unknown-name'],
  [['costs', './design.js', '--prices', 'nowhere.json'], 'unusable-file'],
  [['dev', './unsound.js'], 'unknown-name'],
  [['dev', './design.js', '--handler', 'nowhere.js'], 'unusable-file'],
  [['diff', './design.js', '--lock', 'nowhere.json'], 'unusable-file'],
  [['draw', './design.js', '--index', 'GSI9'], 'wrong-call'],
  [['explain', 'unused-indexes'], 'wrong-call'],
  [['explore', './design.js', '--proof', 'answers.json'], 'unusable-file'],
  [['init', 'a', 'b'], 'wrong-call'],
  [['migrate'], 'wrong-call'],
  [['plan', './design.js', '--environment', 'elsewhere'], 'unusable-file'],
  [['portability', 'nope'], 'wrong-call'],
  [['record', './design.js', '--plan', 'x'], 'wrong-call'],
  [['recreate', './design.js', '--environment', 'prod'], 'wrong-call'],
  [['status', './design.js', '--environment', 'elsewhere'], 'not-recorded'],
  [['sweep', './design.js', '--grace', '0'], 'wrong-call'],
  [['recreate', './design.js', '--endpoint', 'http://127.0.0.1:1'], 'failed'],
  [['tables', 'nowhere'], 'unusable-file'],
  [['chekc'], 'wrong-call'],
  [['check', '--nope'], 'wrong-call'],
  [['diff', '--format', 'markdown'], 'wrong-call'],
] as const)('%j is refused with the code %s', async (args, code) => {
  const envelope = await enveloped(...args);
  expect(envelope.ok).toBe(false);
  expect(codes(envelope)[0]).toBe(code);
  for (const one of codes(envelope)) {
    expect((await tablewrightIn(folder, ['explain', one])).status).toBe(0);
  }
});

test('a finding in an envelope contains a file and a line', async () => {
  const { findings } = await enveloped('check', './unsound.js');
  expect(findings[0]).toMatchObject({ file: 'unsound.js', line: 3, path: 'tables.notes.ttl', severity: 'error' });
});

test('the same input produces byte-for-byte identical envelopes', async () => {
  for (const args of [
    ['check', './unsound.js', '--json'],
    ['prove', './design.js', '--json'],
  ]) {
    const [first, second] = [await tablewrightIn(folder, args), await tablewrightIn(folder, args)];
    expect(second.stdout).toBe(first.stdout);
  }
});

test.each([['dev', 'tables'] as const, ['explore', 'address'] as const])(
  '%s prints its envelope as soon as its server is ready',
  async (verb, field) => {
    const args = [join(root, 'dist/bin/tablewright.js'), verb, './design.js', '--port', '0', '--json'];
    const child = spawn(process.execPath, args, { cwd: folder });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(() => output.includes('\n'));
      expect(schema.parse(JSON.parse(output))).toMatchObject({ command: verb, ok: true });
      expect(JSON.parse(output).result).toHaveProperty(field);
    } finally {
      child.kill('SIGINT');
      await ended;
    }
    expect(output.split('\n')).toHaveLength(2);
  },
);

test('a command still prints an envelope if the module that it loads exits the process', async () => {
  write('ends.js', 'process.exit(0);');
  const child = spawn(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'check', './ends.js', '--json'], {
    cwd: folder,
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(schema.parse(JSON.parse(output))).toMatchObject({ ok: false, findings: [{ code: 'failed' }] });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isObject } from '../../lib/design/show';
import { readJson } from '../../lib/files/read';
import { readArguments, readChoice } from './arguments';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { configFilesIn } from './config';
import { packageFolder } from './package-folder';
import { columns } from './printable';

const OPTIONS = {
  cloud: { type: 'string' },
  name: { type: 'string' },
  workflow: { type: 'string' },
  agents: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

type Cloud = 'aws' | 'azure';

interface Choices {
  readonly cloud: Cloud;
  readonly name: string;
  readonly workflow: boolean;
  readonly agents: boolean;
}

export const init: Command = {
  usage: '[folder] [--cloud aws|azure] [--name name] [--workflow yes|no] [--agents yes|no] [--yes]',
  summary: 'creates an app, or adds the missing files to yours',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [folder = '.', ...more] = positionals;
    if (more.length > 0) throw new UsageError(`init takes one folder, got: ${positionals.join(' ')}`);
    const name = nameOf(values.name, folder);
    const given = {
      cloud: values.cloud && readChoice('--cloud', values.cloud, ['aws', 'azure']),
      workflow: values.workflow && readChoice('--workflow', values.workflow, ['yes', 'no']),
      agents: values.agents && readChoice('--agents', values.agents, ['yes', 'no']),
    };
    const ask = values.yes ? undefined : questions();
    const cloud = given.cloud ?? (await ask?.('DynamoDB or Azure Tables? (aws, azure)', ['aws', 'azure'])) ?? 'aws';
    const workflow = given.workflow ?? (await ask?.('add a GitHub workflow? (yes, no)', ['yes', 'no'])) ?? 'yes';
    const agents =
      given.agents ?? (await ask?.('add an AGENTS.md for coding agents? (yes, no)', ['yes', 'no'])) ?? 'yes';
    const choices = { cloud: cloud as Cloud, name, workflow: workflow === 'yes', agents: agents === 'yes' };
    return begin(folder, choices, terminal);
  },
};

/** The files of the sample design; if the user already has any of them, init adds no others. */
const SAMPLE = ['design.ts', 'cases.ts', 'design.test.ts', 'tablewright.config.ts'];

/**
 * Returns a function that asks the user a question. Without a terminal, returns undefined, so that the first choice
 * applies.
 */
function questions() {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async <C extends string>(question: string, choices: readonly [C, ...C[]]): Promise<C> => {
    const reader = createInterface({ input: process.stdin, output: process.stdout });
    try {
      for (;;) {
        const answer = (await reader.question(`${question} [${choices[0]}] `)).trim().toLowerCase();
        const chosen = answer === '' ? choices[0] : choices.find((choice) => choice === answer);
        if (chosen !== undefined) return chosen;
      }
    } finally {
      reader.close();
    }
  };
}

function nameOf(given: string | undefined, folder: string): string {
  const made = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const name = given ?? (made || 'app');
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return name;
  throw new UsageError(`--name must be a package name, such as 'shop', got: '${name}'`);
}

function begin(folder: string, choices: Choices, terminal: Terminal): number {
  assertNotNested(folder);
  const template = join(packageFolder(), 'examples/start', choices.cloud, 'typescript');
  const isApp = existsSync(join(folder, 'package.json'));
  const isOwn = isApp && ['cdk.json', 'cdktf.json'].some((file) => existsSync(join(folder, file)));
  const manifest = manifestOf(folder, template, choices);
  const hasStack = isOwn && importsStack(folder, choices.cloud);
  // All checks that can stop the command come before this line. From here on, the command writes files.
  const cloud = choices.cloud === 'aws' ? 'DynamoDB' : 'Azure Tables';
  terminal.line(
    isApp ? `adding missing files for ${cloud} to ${shown(folder)}` : `writing an app for ${cloud} to ${shown(folder)}`,
  );
  const files: Record<string, string> = {};
  const hasDesign = SAMPLE.some((file) => existsSync(join(folder, file)));
  for (const file of filesIn(template)) {
    if (file === 'package.json' || !isWanted(file, choices, isOwn)) continue;
    if (hasDesign && SAMPLE.includes(file) && !existsSync(join(folder, file))) continue;
    const target = join(folder, file === 'gitignore' ? '.gitignore' : file);
    files[shown(target)] = existsSync(target) ? 'kept' : 'written';
    if (existsSync(target)) {
      terminal.line(`${shown(target)}: kept unchanged`);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(join(template, file)), { flag: 'wx' });
    terminal.line(`${shown(target)}: written`);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), manifest.text);
  terminal.line(`${shown(join(folder, 'package.json'))}: ${manifest.said}`);
  files[shown(join(folder, 'package.json'))] = manifest.said;
  terminal.report({ files });
  for (const line of nextSteps(folder, choices, { isOwn, hasDesign, hasStack })) terminal.line(line);
  return 0;
}

/** Refuses to create an app directly inside another app, because the user probably meant that app. */
function assertNotNested(folder: string): void {
  const parent = dirname(resolve(folder));
  if (resolve(folder) === process.cwd() || existsSync(folder)) return;
  const [config] = configFilesIn(parent);
  if (config === undefined) return;
  const isHere = parent === process.cwd();
  const add = `npx tablewright init${isHere ? '' : ` ${shown(parent)}`}`;
  throw new UsageError(
    `the parent folder of '${folder}' already contains an app (${shown(config)}); '${add}' adds the app's missing files; to create another app, change to a folder outside this app, or create '${folder}' first`,
  );
}

function shown(file: string): string {
  return relative('.', file) || '.';
}

function filesIn(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/**
 * Whether to add a file from the template. Leaves out the app file and its settings files if the app already has its
 * own.
 */
function isWanted(file: string, { workflow, agents }: Choices, isOwn: boolean): boolean {
  if (file.startsWith('.github')) return workflow;
  if (file === 'AGENTS.md') return agents;
  return !(isOwn && ['app.ts', 'cdk.json', 'cdktf.json', 'tsconfig.json', 'gitignore'].includes(file));
}

type Manifest = Readonly<Record<string, unknown>>;

const FIELDS = ['scripts', 'dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** Adds missing packages and scripts to the app's package.json, and leaves the rest unchanged. */
function manifestOf(
  folder: string,
  template: string,
  { name }: Choices,
): { readonly text: string; readonly said: string } {
  const wanted = ofThisVersion(readJson(join(template, 'package.json')) as Manifest);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return { text: textOf({ ...wanted, name }, '  '), said: 'written' };
  const own = readJson(file);
  if (!isObject(own)) throw new FileError(`'${file}' must contain an object, like the file that 'npm init' writes`);
  const installed = Object.assign({}, ...FIELDS.slice(1).map((field) => asObject(own[field])));
  const added: string[] = [];
  const merged = FIELDS.map((field) => {
    const before = asObject(own[field]);
    const known = field === 'scripts' ? before : installed;
    const missing = Object.entries(asObject(wanted[field])).filter(([key]) => !Object.hasOwn(known, key));
    added.push(...missing.map(([key]) => key));
    return [field, { ...before, ...Object.fromEntries(missing) }] as const;
  });
  const { indent = '  ' } = /^(?<indent>[ \t]+)"/m.exec(readFileSync(file, 'utf8'))?.groups ?? {};
  const filled = merged.filter(([, value]) => Object.keys(value).length > 0);
  const text = textOf({ ...own, ...Object.fromEntries(filled) }, indent);
  return { text, said: added.length === 0 ? 'kept unchanged' : `added ${added.join(', ')}` };
}

/** Returns the manifest with a dependency on the running version of tablewright. */
function ofThisVersion(manifest: Manifest): Manifest {
  const { version } = readJson(join(packageFolder(), 'package.json')) as { version: string };
  return { ...manifest, dependencies: { ...asObject(manifest.dependencies), tablewright: `^${version}` } };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function textOf(value: object, indent: string): string {
  return `${JSON.stringify(value, null, indent)}\n`;
}

/** Whether a source file of the app imports the constructs, so that the app probably has its stack already. */
function importsStack(folder: string, cloud: Cloud): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !/^\.|^node_modules$|\.out$/.test(entry.name) && importsStack(path, cloud);
    const isSource = entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name);
    return isSource && new RegExp(`['"]tablewright/${cloud}['"]`).test(readFileSync(path, 'utf8'));
  });
}

/** What an existing app already has. */
interface Existing {
  readonly isOwn: boolean;
  readonly hasDesign: boolean;
  readonly hasStack: boolean;
}

function nextSteps(folder: string, { cloud }: Choices, { isOwn, hasDesign, hasStack }: Existing): readonly string[] {
  const path = shown(folder);
  const quoted = /^[\w./\\-]+$/.test(path) ? path : `"${path}"`;
  const to = resolve(folder) === process.cwd() ? '' : `cd ${quoted} && `;
  const system = hasDesign ? '<system>' : cloud === 'aws' ? 'shop' : 'register';
  const stack = `new SystemStack(app, '${system}-dev', { design: ${system}, environment: 'dev' }), from tablewright/${cloud}`;
  const steps = [
    [
      `${to}npm install`,
      `downloads ${cloud === 'aws' ? 'CDK, the AWS SDK' : 'cdktn, the Azure SDK'} and a local engine`,
    ],
    ['npm test', 'checks the design, proves its patterns, and runs the tests'],
    ['npm run dev', 'runs the tables on this machine, for your app'],
    ...(isOwn ? [] : [['npm run synth', 'writes the template to deploy']]),
  ];
  return [
    '',
    'next:',
    ...columns(steps).map((step) => `  ${step}`),
    ...(isOwn && !hasStack ? [`  add this to your app: ${stack}`] : []),
    '  then edit design.ts; the documentation is in node_modules/tablewright/docs',
  ];
}

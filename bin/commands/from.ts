import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { hasAzureKeys } from '../../lib/blueprint/clouds';
import { type Finding, review } from '../../lib/check';
import { nearNames, suggestion } from '../../lib/design/names';
import { counted } from '../../lib/design/show';
import { fileProblem } from '../../lib/files/problem';
import { readJson } from '../../lib/files/read';
import { type Description, designOf } from '../../lib/import/description';
import { FILE_KINDS, type FileKind, kindOfFile, readModel } from '../../lib/import/recognize';
import { sourceOf } from '../../lib/import/source';
import { verified } from '../../lib/import/verify';
import { readArguments } from './arguments';
import { type Command, FileError, type Reported, type Terminal, UsageError } from './command';
import { reportedOf } from './envelope';
import { readingOf } from './modules';
import { assertFolder } from './output';

const OPTIONS = {
  output: { type: 'string' },
  endpoint: { type: 'string' },
  units: { type: 'string' },
  key: { type: 'string' },
} as const;

type Values = { readonly [O in keyof typeof OPTIONS]?: string | undefined };

type Reader = (source: string, values: Values, terminal: Terminal) => Promise<Description>;

/** Each format's code is loaded only when that format is read. */
const READERS: Readonly<Record<string, Reader>> = {
  table: readTable,
  workbench: async (file) => (await import('../../lib/import/workbench')).fromWorkbench(readJson(file), file),
  'aws-model': async (file) => (await import('../../lib/import/aws-model')).fromAwsModel(readModel(file), file),
  template: async (path) =>
    (await import('../../lib/import/template')).fromTemplate(path, statSync(path).isDirectory()),
  electrodb: async (file) =>
    (await import('../../lib/import/electrodb')).fromElectroDb(await readingOf(file, (all) => all), file),
  'dynamodb-toolbox': async (file) =>
    (await import('../../lib/import/toolbox')).fromToolbox(
      await readingOf(file, (all) => all),
      file,
      libraryOf(file, 'dynamodb-toolbox').PutItemCommand,
    ),
  onetable: async (file) =>
    (await import('../../lib/import/onetable')).fromOneTable(await readingOf(file, (all) => all), file),
};

export const from: Command = {
  usage:
    'table|workbench|aws-model|template source | electrodb|dynamodb-toolbox|onetable module | file [--output file] [--key PK,SK] [--endpoint url] [--units 100]',
  summary: 'turns a table or a model into a design; exit code 1 on findings',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [kind, source] = kindAndSource(positionals);
    const { output } = values;
    assertFolder('--output', output);
    if (output !== undefined && existsSync(output))
      throw new FileError(`--output: '${output}' already exists; choose another name, or remove the existing file`);
    const read = READERS[kind] as Reader;
    const description = verified(onDynamoDb(await read(source, values, terminal)));
    const { text, unsure } = sourceOf(description);
    const errors = errorsIn(description);
    if (output !== undefined) writeNew(output, text);
    const { evidence = [] } = description;
    const compared = evidence.length;
    const heldOut = evidence.filter(({ isHeldOut }) => isHeldOut).length;
    const place = output === undefined ? {} : { file: output };
    const marked = unsure.map(({ path: [design, ...path], text: message }): Reported => {
      const where = { ...(design !== undefined && { design }), ...place, path: path.join('.') };
      return { code: 'unsure-detail', severity: 'warning', ...where, message };
    });
    const found = [...marked, ...errors.map((finding) => reportedOf(finding, place))];
    terminal.report({ kind, source, compared, heldOut, ...(output === undefined ? { design: text } : place) }, found);
    if (output === undefined) terminal.text(text.trimEnd());
    terminal.note(
      summaryOf(description, { file: output, unsure: unsure.length, errors: errors.length, compared, heldOut }),
    );
    return found.length > 0 ? 1 : 0;
  },
};

/** Loads the version of a library that the given module uses, by resolving the library from the module's folder. */
function libraryOf(file: string, name: string): Readonly<Record<string, unknown>> {
  return createRequire(resolve(file))(name);
}

function kindAndSource(given: readonly string[]): readonly [string, string] {
  const [first, second, ...more] = given;
  if (first === undefined) throw new UsageError('pass a table, a file or a folder to import');
  if (more.length > 0) throw new UsageError(`'tablewright from' imports one source, got: ${given.join(' ')}`);
  if (Object.hasOwn(READERS, first)) {
    if (second === undefined) throw new UsageError(`from ${first}: pass the source to import`);
    return [first, checked(first, second)];
  }
  if (second !== undefined)
    throw new UsageError(
      `'${first}' is not a format that 'tablewright from' can import; ${suggestion(first, Object.keys(READERS))}`,
    );
  if (!existsSync(first)) {
    const near = nearNames(first, Object.keys(READERS));
    throw new UsageError(
      `there is no file '${first}'; ${near.length > 0 ? suggestion(first, near) : `to read a live table, write: npx tablewright from table ${first}`}`,
    );
  }
  return [checked(undefined, first), first];
}

/**
 * Returns the source if its format is given; otherwise, detects and returns the file's format. Refuses a file that is
 * not in the given format.
 */
function checked(kind: string | undefined, source: string): string {
  const isFileKind = kind === undefined || Object.hasOwn(FILE_KINDS, kind);
  if (!existsSync(source)) {
    // A live table is not a file.
    if (kind === 'table') return source;
    throw new FileError(`there is no file or folder '${source}'`);
  }
  if (/\.[cm]?[jt]sx?$/.test(source)) {
    if (kind !== undefined && !isFileKind) return source;
    throw new FileError(
      `'${source}' is code; specify the library that its models use, such as: npx tablewright from electrodb ${source} (or dynamodb-toolbox, or onetable)`,
    );
  }
  if (!isFileKind) return source;
  const found = kindOfFile(source);
  // If the file is meant to be JSON but is not, the place of the mistake helps most.
  if (found === undefined && source.endsWith('.json')) readModel(source);
  if (found === undefined)
    throw new FileError(
      `'${source}' is not in a format that 'tablewright from' can import; tried: ${Object.values(FILE_KINDS).join('; ')}`,
    );
  if (kind !== undefined && found !== kind)
    throw new FileError(
      `'${source}' is ${FILE_KINDS[found]}, not ${FILE_KINDS[kind as FileKind]}; write: npx tablewright from ${found} ${source}`,
    );
  return kind === undefined ? found : source;
}

async function readTable(source: string, { endpoint, units, key }: Values, terminal: Terminal): Promise<Description> {
  const { fromItemFiles, fromLiveTable } = await import('../../lib/import/table');
  if (existsSync(source)) return fromItemFiles(source, key?.split(','));
  const most = units ?? '100';
  if (!/^[1-9]\d{0,5}$/.test(most))
    throw new UsageError(`--units must be a whole number of at least 1, got: '${most}'`);
  const place = endpoint === undefined || endpoint === 'aws' ? {} : { endpoint };
  return fromLiveTable(source, { ...place, units: Number(most), note: (text) => terminal.note(text) }).catch(
    (error: Error) => {
      if (!error.message.startsWith('no AWS region')) throw error;
      throw new Error(`${error.message}, or pass --endpoint with the address of a local DynamoDB`);
    },
  );
}

/**
 * Without a system, the check takes a single table whose keys have Azure's names for an Azure table. Wrapping the table
 * in a system makes clear that it is on DynamoDB.
 */
function onDynamoDb(description: Description): Description {
  const [table] = description.tables;
  if (description.system !== undefined || table === undefined || !hasAzureKeys(table)) return description;
  return { ...description, system: { name: table.name, cloud: 'aws' } };
}

function errorsIn({ tables, system }: Description): readonly Finding[] {
  const designs = tables.map(designOf);
  const named = Object.fromEntries(designs.map((design) => [design.name, design]));
  const all = system === undefined ? designs : [{ ...system, tables: named }];
  return all.flatMap((design) => review(design).findings).filter(({ severity }) => severity === 'error');
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw fileProblem(error, file, 'written');
  }
}

interface Report {
  readonly file: string | undefined;
  readonly unsure: number;
  readonly errors: number;
  readonly compared: number;
  readonly heldOut: number;
}

function summaryOf({ tables }: Description, { file, unsure, errors, compared, heldOut }: Report): string {
  const entities = tables.flatMap((table) => Object.keys(table.entities));
  return [
    `${counted(tables.length, 'table')} with ${counted(entities.length, 'entity', 'entities')}${file === undefined ? '' : `, written to ${file}`}`,
    compared === 0
      ? 'there were no items to compare the keys with'
      : `keys compared with ${counted(compared, 'item')}${heldOut === 0 ? '' : `, ${heldOut} of them held out`}`,
    unsure === 0
      ? 'the source determines every detail'
      : `${counted(unsure, 'detail')} marked as unsure: look for '// unsure:'`,
    ...(errors === 0 ? [] : [`the check finds ${counted(errors, 'error')}: npx tablewright check ${file ?? '<file>'}`]),
  ].join('\n');
}

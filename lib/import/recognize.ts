import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../design/show';
import { assertRegular, parsedJson } from '../files/read';
import { isAwsModel } from './aws-model';
import { exportIn } from './table';
import { isTemplate } from './template';
import { isWorkbench } from './workbench';

export type FileKind = 'workbench' | 'aws-model' | 'template' | 'table';

/** How messages describe each kind of file, with the field or the file name that identifies it. */
export const FILE_KINDS: Readonly<Record<FileKind, string>> = {
  workbench: 'a NoSQL Workbench model (DataModel)',
  'aws-model': 'dynamodb_data_model.json or schema.json (tables)',
  template: "a template (Resources) or a folder that 'cdk synth' wrote (manifest.json)",
  table: 'items as JSON lines, or an export to S3 (manifest-files.json)',
};

/** Returns the kind of a file or folder from its contents, or undefined if no importer can read it. */
export function kindOfFile(path: string): FileKind | undefined {
  if (statSync(path).isDirectory()) {
    if (existsSync(join(path, 'manifest.json'))) return 'template';
    return exportIn(path) === undefined ? undefined : 'table';
  }
  const bytes = readFileSync(path);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'table';
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const json = parsed(text) ?? parsed(inJson(text));
  if (isWorkbench(json)) return 'workbench';
  if (isAwsModel(json)) return 'aws-model';
  if (isTemplate(json)) return 'template';
  return isObject(parsed(text.trimStart().split('\n')[0] ?? '')) ? 'table' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the contents of a model like `readJson`, but also accepts Python literals. */
export function readModel(file: string): unknown {
  assertRegular(file);
  return parsedJson(inJson(readFileSync(file, 'utf8')), file);
}

const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Converts Python's True, False and None to JSON. */
function inJson(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:True|False|None)\b/g, (found) => WORDS[found] ?? found);
}

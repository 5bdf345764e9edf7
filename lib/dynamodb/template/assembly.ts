import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { FileProblem, fileProblem } from '../../files/problem';
import { isRecord, readJson } from '../../files/read';
import { templateProblem } from './legible';
import type { TemplateJson } from './tables';

/** A stack as it was synthesized. */
export interface SynthesizedStack {
  readonly name: string;
  readonly template: TemplateJson;
}

/**
 * Every stack of the last `cdk synth` into a folder, by name, those of stages included. The manifest tells which: the
 * folder also keeps the templates of earlier runs. Nothing outside of the folder is read, whatever the manifest says.
 */
export function readAssembly(folder: string): readonly SynthesizedStack[] {
  return [...stacksIn(folder, { root: folder, seen: new Set() })].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Visit {
  readonly root: string;
  /** The folders that were read, as they really are: one that contains itself would be read forever. */
  readonly seen: Set<string>;
}

function* stacksIn(folder: string, visit: Visit): Iterable<SynthesizedStack> {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) {
    throw new FileProblem(
      folder,
      'unusable',
      `'${folder}' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or name its output`,
    );
  }
  const place = realpathSync(folder);
  if (visit.seen.has(place)) throw damaged(file, `leads back to '${folder}'`);
  visit.seen.add(place);
  const manifest = readJson(file);
  const artifacts = isRecord(manifest) ? (manifest.artifacts ?? {}) : undefined;
  if (!isRecord(artifacts)) throw damaged(file, "must have 'artifacts' that are an object");
  for (const [id, artifact] of Object.entries(artifacts)) {
    const { directoryName, templateFile, stackName = id } = propertiesOf(file, id, artifact);
    if (directoryName !== undefined) yield* stacksIn(inside(file, folder, directoryName, visit), visit);
    else if (templateFile !== undefined) {
      yield { name: stackName, template: readTemplate(inside(file, folder, templateFile, visit)) };
    }
  }
}

/** A stage has the first, a stack the second and, where it is not its id, the third. */
const PROPERTIES = ['directoryName', 'templateFile', 'stackName'] as const;

type ArtifactProperties = { readonly [P in (typeof PROPERTIES)[number]]?: string };

function propertiesOf(file: string, id: string, artifact: unknown): ArtifactProperties {
  const properties = isRecord(artifact) ? (artifact.properties ?? {}) : undefined;
  if (!isRecord(properties)) throw damaged(file, `artifact '${id}' must be an object, and so must its properties`);
  return Object.fromEntries(
    PROPERTIES.flatMap((name) => {
      const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (value === undefined) return [];
      if (typeof value !== 'string') throw damaged(file, `'${name}' of artifact '${id}' must be a string`);
      return [[name, value]];
    }),
  );
}

/** Where something that a manifest names really is, which must be in the folder that was named. */
function inside(file: string, folder: string, name: string, { root }: Visit): string {
  const path = join(folder, name);
  let place: string;
  try {
    place = realpathSync(path);
  } catch (error) {
    throw fileProblem(error, path, 'read');
  }
  if (!place.startsWith(`${realpathSync(root)}${sep}`)) throw damaged(file, `leads out of '${root}', to '${name}'`);
  return path;
}

function readTemplate(file: string): TemplateJson {
  const template = readJson(file);
  const problem = templateProblem(template);
  if (problem !== undefined) throw new FileProblem(file, 'damaged', `'${file}' is not a template: ${problem}`);
  return template as TemplateJson;
}

function damaged(file: string, what: string): FileProblem {
  return new FileProblem(file, 'damaged', `'${file}' ${what}; run 'npx cdk synth' anew`);
}

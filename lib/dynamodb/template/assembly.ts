import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isObject } from '../../design/show';
import { FileProblem, fileProblem } from '../../files/problem';
import { readJson } from '../../files/read';
import { templateProblem } from './legible';
import type { TemplateJson } from './tables';

/** A synthesized stack. */
export interface SynthesizedStack {
  readonly name: string;
  readonly template: TemplateJson;
}

/**
 * Reads the stacks that the last `cdk synth` wrote to a folder, including the stacks of stages, and sorts them by name.
 * Takes the list of stacks from the manifest, because the folder also keeps templates of earlier runs. Never reads a
 * file outside the folder, even if the manifest refers to one.
 */
export function readAssembly(folder: string): readonly SynthesizedStack[] {
  return [...stacksIn(folder, { root: folder, seen: new Set() })].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Visit {
  readonly root: string;
  /** The real paths of the folders already read, to end the recursion if a folder contains itself. */
  readonly seen: Set<string>;
}

function* stacksIn(folder: string, visit: Visit): Iterable<SynthesizedStack> {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) {
    throw new FileProblem(
      folder,
      'unusable',
      `'${folder}' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or pass its output folder`,
    );
  }
  const place = realpathSync(folder);
  if (visit.seen.has(place)) throw damaged(file, `points back to '${folder}'`);
  visit.seen.add(place);
  const manifest = readJson(file);
  const artifacts = isObject(manifest) ? (manifest.artifacts ?? {}) : undefined;
  if (!isObject(artifacts)) throw damaged(file, "must have an 'artifacts' object");
  for (const [id, artifact] of Object.entries(artifacts)) {
    const { directoryName, templateFile, stackName = id } = propertiesOf(file, id, artifact);
    if (directoryName !== undefined) yield* stacksIn(inside(file, folder, directoryName, visit), visit);
    else if (templateFile !== undefined) {
      yield { name: stackName, template: readTemplate(inside(file, folder, templateFile, visit)) };
    }
  }
}

/** A stage has `directoryName`; a stack has `templateFile` and, if its name differs from its id, `stackName`. */
const PROPERTIES = ['directoryName', 'templateFile', 'stackName'] as const;

type ArtifactProperties = { readonly [P in (typeof PROPERTIES)[number]]?: string };

function propertiesOf(file: string, id: string, artifact: unknown): ArtifactProperties {
  const properties = isObject(artifact) ? (artifact.properties ?? {}) : undefined;
  if (!isObject(properties)) throw damaged(file, `artifact '${id}' and its properties must be objects`);
  return Object.fromEntries(
    PROPERTIES.flatMap((name) => {
      const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (value === undefined) return [];
      if (typeof value !== 'string') throw damaged(file, `'${name}' of artifact '${id}' must be a string`);
      return [[name, value]];
    }),
  );
}

/** Returns the path of a file that a manifest refers to; refuses a path that leads outside the root folder. */
function inside(file: string, folder: string, name: string, { root }: Visit): string {
  const path = join(folder, name);
  let place: string;
  try {
    place = realpathSync(path);
  } catch (error) {
    throw fileProblem(error, path, 'read');
  }
  if (!place.startsWith(`${realpathSync(root)}${sep}`)) throw damaged(file, `points outside '${root}', to '${name}'`);
  return path;
}

function readTemplate(file: string): TemplateJson {
  const template = readJson(file);
  const problem = templateProblem(template);
  if (problem !== undefined) throw new FileProblem(file, 'damaged', `'${file}' is not a template: ${problem}`);
  return template as TemplateJson;
}

function damaged(file: string, what: string): FileProblem {
  return new FileProblem(file, 'damaged', `'${file}' ${what}; run 'npx cdk synth' again`);
}

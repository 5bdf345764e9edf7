import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemplateJson } from './tables';

/** A stack as it was synthesized. */
export interface SynthesizedStack {
  readonly name: string;
  readonly template: TemplateJson;
}

/**
 * Every stack of the last `cdk synth` into a folder, by name, those of stages included. The manifest tells which: the
 * folder also keeps the templates of earlier runs.
 */
export function readAssembly(folder: string): readonly SynthesizedStack[] {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) {
    throw new Error(
      `'${folder}' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or name its output`,
    );
  }
  const { artifacts = {} } = readJson(manifest) as Manifest;
  return Object.entries(artifacts)
    .flatMap(([id, { properties: { directoryName, templateFile, stackName = id } = {} }]) => {
      if (directoryName !== undefined) return readAssembly(join(folder, directoryName));
      if (templateFile === undefined) return [];
      return [{ name: stackName, template: readJson(join(folder, templateFile)) as TemplateJson }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Manifest {
  readonly artifacts?: { readonly [id: string]: { readonly properties?: ArtifactProperties } };
}

/** A stage has the first, a stack the second and, where it is not its id, the third. */
interface ArtifactProperties {
  readonly directoryName?: string;
  readonly templateFile?: string;
  readonly stackName?: string;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

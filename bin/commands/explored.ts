import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import type { CasesOf } from '../../lib/proof/cases';
import { cases as ofLibrary } from '../../lib/systems/cases';
import { readProject } from './config';
import { type Source, sourcesNamed } from './designs';
import { readingOf } from './modules';
import { isCases } from './prove-cases';

/** A system, and what proves it, where there is something: its items are what is shown. */
export interface Shown {
  readonly system: SystemDesign;
  readonly cases?: CasesOf;
}

/** The systems that were named, or else those of the configuration. One without cases is shown without items. */
export async function shownNamed(names: readonly string[], demo = false): Promise<readonly Shown[]> {
  const sources = await sourcesNamed(names, demo);
  const found = await casesBeside(sources, names.length === 0 && !demo);
  return sources.flatMap(({ designs }) =>
    designs.map((design) => {
      const system = systemOf(design);
      const cases = found.find((one) => one.system.name === system.name);
      return { system, ...(cases === undefined ? {} : { cases }) };
    }),
  );
}

/** The cases in the files of the designs, those of the configuration, and those of the library. */
async function casesBeside(sources: readonly Source[], isConfigured: boolean): Promise<readonly CasesOf[]> {
  const files = new Set(sources.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const project = isConfigured || files.size > 0 ? await readProject() : undefined;
  for (const file of project?.cases ?? []) files.add(file);
  const found = await Promise.all([...files].map((file) => readingOf(file, (exported) => exported.filter(isCases))));
  return [...found.flat(), ...Object.values(ofLibrary)];
}

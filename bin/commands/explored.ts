import { relative, resolve } from 'node:path';
import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import { identifier } from '../../lib/explore/call';
import type { OriginView } from '../../lib/explore/view';
import type { CasesOf } from '../../lib/proof/cases';
import { cases as ofLibrary } from '../../lib/systems/cases';
import { readProject } from './config';
import { type Design, isSystem, type Source, sourcesNamed } from './designs';
import { loadModule, readingOf } from './modules';
import { isCases } from './prove-cases';

/** A system and its cases, if it has any: their items are what is shown. */
export interface Shown {
  readonly system: SystemDesign;
  readonly cases?: CasesOf;
  /** Where to import it from. @default - the file does not export it by name */
  readonly origin?: OriginView;
}

/** The named systems, or else those of the configuration. A system without cases is shown without items. */
export async function shownNamed(names: readonly string[], demo = false): Promise<readonly Shown[]> {
  const sources = await sourcesNamed(names, demo);
  const found = await casesBeside(sources, names.length === 0 && !demo);
  const shown = sources.map(async ({ file, designs }) => {
    const loaded = file === undefined ? undefined : Object((await loadModule(resolve(file))).loaded);
    return designs.map((design) => {
      const system = systemOf(design);
      const cases = found.find((known) => known.system.name === system.name);
      const origin = originOf(design, file, loaded);
      return {
        system,
        ...(cases === undefined ? {} : { cases }),
        ...(origin === undefined ? {} : { origin }),
      };
    });
  });
  return (await Promise.all(shown)).flat();
}

/** How code in this folder would import a design. */
function originOf(design: Design, file: string | undefined, loaded: object | undefined): OriginView | undefined {
  if (file === undefined) return { module: 'tablewright/systems', name: identifier(design.name) };
  // Compared by name, because a module that is loaded twice has two copies of its designs.
  const isIt = (value: unknown) => Object(value).name === design.name && isSystem(value) === isSystem(design);
  const name = Object.entries(loaded ?? {}).find(([, value]) => isIt(value))?.[0];
  if (name === undefined || name === 'default') return undefined;
  const path = relative('.', file)
    .replaceAll('\\', '/')
    .replace(/\.[cm]?[jt]sx?$/, '');
  const module = path.startsWith('.') ? path : `./${path}`;
  return { module, name, ...(isSystem(design) ? {} : { isTable: true }) };
}

/** The cases in the files of the designs, in the configuration and of the bundled systems. */
async function casesBeside(sources: readonly Source[], isConfigured: boolean): Promise<readonly CasesOf[]> {
  const files = new Set(sources.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const project = isConfigured || files.size > 0 ? await readProject() : undefined;
  for (const file of project?.cases ?? []) files.add(file);
  const found = await Promise.all([...files].map((file) => readingOf(file, (exported) => exported.filter(isCases))));
  return [...found.flat(), ...Object.values(ofLibrary)];
}

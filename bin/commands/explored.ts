import { relative, resolve } from 'node:path';
import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import { identifier } from '../../lib/explore/call';
import type { OriginView } from '../../lib/explore/view';
import type { CasesOf } from '../../lib/proof/cases';
import { bundledCases } from './bundled';
import { FileError } from './command';
import { readProject } from './config';
import { type Design, isSystem, type Source, sourcesNamed } from './designs';
import { loadModule, readingOf } from './modules';
import { isCases } from './prove-cases';

/** A system and its cases, if any; the explorer shows the items of the cases. */
export interface Shown {
  readonly system: SystemDesign;
  readonly cases?: CasesOf;
  /**
   * The module that exports the design, and the name of the export.
   * @default - none, because the file does not export the design by name
   */
  readonly origin?: OriginView;
}

/**
 * Returns the named systems, or the configured systems if no name is given. A system without cases is shown without
 * items.
 */
export async function shownNamed(names: readonly string[], demo?: boolean): Promise<readonly Shown[]> {
  const sources = await sourcesNamed(names, demo);
  return shownIn(sources, await casesBeside(sources, names.length === 0 && !demo));
}

/** Returns the systems in the sources, each with its cases, if there are any. */
export async function shownIn(sources: readonly Source[], found: readonly CasesOf[]): Promise<readonly Shown[]> {
  for (const { designs } of sources) for (const design of designs) assertShowable(design);
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

/** No cloud accepts a key with more parts than this, and drawing such a key would take minutes. */
const MOST_PARTS = 250;

/** Refuses a design if a key has too many parts to be shown in a picture or on a page. */
export function assertShowable(design: Design): void {
  const tables = isSystem(design) ? Object.values(design.tables) : [design];
  for (const table of tables) {
    for (const [entity, { keys = {} }] of Object.entries(Object(table).entities ?? {}) as [
      string,
      { keys?: object },
    ][]) {
      for (const [attribute, template] of Object.entries(Object(keys))) {
        const parts = String(template).split('<').length - 1;
        if (parts <= MOST_PARTS) continue;
        throw new FileError(
          `entities.${entity}.keys.${attribute} of '${table.name}' has ${parts} parts, but at most ${MOST_PARTS} can be shown; shorten the key, since a DynamoDB key has at most 2,048 bytes`,
        );
      }
    }
  }
}

/** Returns the import that code in the current folder would use to load a design. */
function originOf(design: Design, file: string | undefined, loaded: object | undefined): OriginView | undefined {
  if (file === undefined) return { module: 'tablewright/systems', name: identifier(design.name) };
  // Compares names, because loading a module twice creates two copies of its designs.
  const isIt = (value: unknown) => Object(value).name === design.name && isSystem(value) === isSystem(design);
  const name = Object.entries(loaded ?? {}).find(([, value]) => isIt(value))?.[0];
  if (name === undefined || name === 'default') return undefined;
  const path = relative('.', file)
    .replaceAll('\\', '/')
    .replace(/\.[cm]?[jt]sx?$/, '');
  const module = path.startsWith('.') ? path : `./${path}`;
  return { module, name, ...(isSystem(design) ? {} : { isTable: true }) };
}

/** Loads the cases from the designs' files, from the configuration and from the bundled systems. */
async function casesBeside(sources: readonly Source[], isConfigured: boolean): Promise<readonly CasesOf[]> {
  const files = new Set(sources.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const project = isConfigured || files.size > 0 ? await readProject() : undefined;
  for (const file of project?.cases ?? []) files.add(file);
  const found = await Promise.all([...files].map((file) => readingOf(file, (exported) => exported.filter(isCases))));
  const isBundled = sources.some(({ file }) => file === undefined);
  return [...found.flat(), ...(isBundled ? Object.values(await bundledCases()) : [])];
}

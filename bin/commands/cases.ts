import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { assertSound } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { draftOf } from '../../lib/draft/draft';
import { fileOf, textWith, Unplaceable } from '../../lib/draft/source';

import { replacePublic } from '../../lib/files/write';
import type { CasesOf } from '../../lib/proof/cases';
import { readArguments } from './arguments';
import { type Command, FileError, type Reported, UsageError } from './command';
import { readProject } from './config';
import { sourcesNamed } from './designs';
import { type Shown, shownIn } from './explored';
import { readingOf } from './modules';
import { assertFolder } from './output';
import { isCases } from './prove-cases';
import { startEngines } from './prove-engines';
import { ENVIRONMENT, templateFinder } from './prove-template';

export const cases: Command = {
  usage: '[design or file] [--output file]',
  summary: 'writes cases for patterns that have none, for a person to confirm',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { output: { type: 'string' } });
    assertFolder('--output', values.output);
    // Does not load the configured cases: their file may not exist yet, because this command writes it.
    const shown = await shownIn(await sourcesNamed(positionals), []);
    const [one, ...more] = shown;
    if (one === undefined || more.length > 0)
      throw new UsageError(
        `the command 'cases' takes one system; choose one of ${shown.map(({ system }) => system.name).join(', ')}`,
      );
    const { system } = one;
    assertSound(system);
    const file = values.output ?? (await fileFor(positionals));
    const known = existsSync(file) ? await knownIn(file, one) : { system, tables: {} };
    const { template } = await templateFinder({ isAsked: false }, [system])(system);
    const engines = await startEngines([system], {});
    try {
      const draft = await draftOf(engines.of(system), { system, cases: known, template, environment: ENVIRONMENT });
      const names = [
        ...Object.values(draft.tables).flatMap(({ patterns }) => Object.keys(patterns)),
        ...Object.keys(draft.patterns),
      ];
      if (names.length > 0) {
        const text = existsSync(file)
          ? added(file, draft)
          : fileOf(draft, system.name, system.cloud, originOf(one, file));
        await replacePublic(file, text);
      }
      const unconfirmed = counted(names.length, 'unconfirmed case');
      const none = Object.keys(draft.open).length === 0 ? 'every pattern has a case' : 'no case could be generated';
      const written = names.length === 0 ? none : `${unconfirmed} written: ${names.join(', ')}`;
      terminal.line(`${relative('.', file)}: ${written}`);
      for (const [name, why] of Object.entries(draft.open))
        terminal.line(`  ${name}: no case could be generated: ${why}`);
      if (names.length > 0)
        terminal.line("next: check that each expected result is correct, then remove 'unconfirmed: true'");
      const open = Object.entries(draft.open).map(
        ([path, message]): Reported => ({
          code: 'case-not-drawn',
          severity: 'warning',
          design: system.name,
          path,
          message,
        }),
      );
      terminal.report({ file, written: names }, open);
      return 0;
    } finally {
      await engines.stop();
    }
  },
};

/** Returns the configured cases file, or `cases.ts` next to the design. */
async function fileFor(names: readonly string[]): Promise<string> {
  const project = names.length === 0 ? await readProject() : undefined;
  if (project?.casesPaths[0] !== undefined) return project.casesPaths[0];
  const [source] = await sourcesNamed(names);
  if (source?.file === undefined) throw new UsageError('there is no file to write the cases to; pass --output <file>');
  return join(dirname(source.file), 'cases.ts');
}

/** Returns the system's cases from an existing file. */
async function knownIn(file: string, { system }: Shown): Promise<CasesOf> {
  const found = await readingOf(file, (exported) => exported.filter(isCases));
  const own = found.find((candidate) => candidate.system.name === system.name);
  if (own !== undefined) return own;
  throw new FileError(`'${file}' exports no cases for '${system.name}'; choose another file with --output`);
}

function added(file: string, draft: Parameters<typeof textWith>[1]): string {
  try {
    return textWith(readFileSync(file, 'utf8'), draft);
  } catch (error) {
    if (!(error instanceof Unplaceable)) throw error;
    throw new FileError(
      `nothing was added to '${file}': ${error.message}; add the cases by hand, or choose a new file with --output`,
    );
  }
}

/** Returns the import of the design for the cases file; a relative path starts from the cases file. */
function originOf({ origin, system }: Shown, file: string) {
  if (origin === undefined)
    throw new FileError(
      `the file that defines '${system.name}' must export the system by name, so that the cases file can import it`,
    );
  if (!origin.module.startsWith('.')) return origin;
  const path = relative(dirname(resolve(file)), resolve(origin.module)).replaceAll('\\', '/');
  return { ...origin, module: path.startsWith('.') ? path : `./${path}` };
}

import type { Copy } from '../../lib/explore/engine/copy';
import { kept } from '../../lib/explore/kept';
import type { Explored } from '../../lib/explore/system';
import type { RunView } from '../../lib/explore/view';
import type { Reported, Terminal } from './command';

/** Adds the result of each case or example, because a static site has no engine to run patterns. */
export async function withAnswers(
  system: Explored,
  copy: Copy,
  terminal: Terminal,
): Promise<{ readonly explored: Explored; readonly isWhole: boolean; readonly problems: readonly Reported[] }> {
  const { view, cases } = system;
  let ran = 0;
  const problems: string[] = [];
  const answerOf = async (name: string, values: object | undefined): Promise<{ run?: RunView }> => {
    if (values === undefined || problems.length > 0) return {};
    terminal.status(`  ${view.name}: ${name}`);
    try {
      const run = kept(await copy.run(name, values as Record<string, unknown>));
      ran++;
      return { run };
    } catch (error) {
      const what = ran === 0 ? 'no pattern was run' : `${name} and the patterns after it were not run`;
      problems.push(`${what}: ${(error as Error).message}`);
      return {};
    }
  };
  const tables = [];
  for (const table of view.tables) {
    const patterns = [];
    for (const pattern of table.patterns) {
      patterns.push({
        ...pattern,
        ...(await answerOf(pattern.name, cases.tables[table.name]?.patterns[pattern.name]?.values ?? pattern.example)),
      });
    }
    tables.push({ ...table, patterns });
  }
  const procedures = [];
  for (const procedure of view.procedures) {
    procedures.push({ ...procedure, ...(await answerOf(procedure.name, cases.procedures?.[procedure.name]?.values)) });
  }
  // A design that cannot be read has no patterns to run.
  if (view.tables.length === 0) problems.push('no pattern was run: no table can be created from the design');
  for (const problem of problems) terminal.note(`${view.name}: ${problem}`);
  return {
    explored: { ...system, view: { ...view, tables, procedures, problems: [...view.problems, ...problems] } },
    isWhole: problems.length === 0,
    problems: problems.map((message) => ({ code: 'not-answered', severity: 'error', design: view.name, message })),
  };
}

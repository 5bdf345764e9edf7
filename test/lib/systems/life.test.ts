import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasSteps, isRead } from '../../../lib/blueprint/accesses';
import { namesIn, reservedNames } from '../../../lib/blueprint/system';
import type { PatternDesign, ReleaseStep, Write } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import { systems } from '../../../lib/systems';

/**
 * Returns the rows of the table on a system's docs page that shows which patterns and procedures create, change and end
 * each entity.
 */
function livesOf(system: string): readonly (readonly string[])[] {
  const page = readFileSync(join(__dirname, `../../../docs/systems/${system}.md`), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| entity'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

type Step = Write | ReleaseStep;

const namesInCell = (cell: string) => [...cell.matchAll(/`([a-zA-Z]+)`/g)].map(([, name]) => name as string);

/** Returns the writes of a pattern or, for a procedure, the writes of all patterns that it uses. */
function writesOf({ tables, procedures = {} }: SystemDesign, name: string): readonly Step[] {
  const patterns = Object.assign({}, ...Object.values(tables).map((table) => table.patterns)) as Record<
    string,
    PatternDesign
  >;
  const used = Object.hasOwn(procedures, name) ? (procedures[name]?.uses ?? []) : [name];
  return used.flatMap((one): readonly Step[] => {
    const pattern = patterns[one];
    if (pattern === undefined || isRead(pattern)) return [];
    return hasSteps(pattern) ? Object.values(pattern.steps) : [pattern];
  });
}

/** Returns every grantable pattern and procedure that writes an entity. */
function writersOf(system: SystemDesign, entity: string): readonly string[] {
  const names = namesIn(system).filter((name) => reservedNames(system, [name]).length === 0);
  return names.filter((name) => writesOf(system, name).some((step) => step.entity === entity && step.op !== 'require'));
}

const makes = (step: Step) => step.op === 'put' || (step.op === 'update' && step.upsert === true);
const changes = (step: Step) => step.op === 'update' || (step.op === 'put' && step.replace === true);
const ends = (step: Step) => step.op === 'delete' || step.op === 'release' || changes(step);

describe.each(Object.keys(systems))('the lives of %s', (name) => {
  const system = systems[name] as SystemDesign;
  const entities = Object.values(system.tables).flatMap((table) => Object.keys(table.entities));
  const lives = livesOf(name);

  test('the documented lives cover every entity', () => {
    expect(lives.map(([entity]) => entity).toSorted()).toEqual(entities.toSorted());
  });

  test.each(lives)(
    '%s is written only by the patterns and procedures in its row in the docs',
    (entity = '', ...cells) => {
      expect(writersOf(system, entity).filter((name) => !cells.flatMap(namesInCell).includes(name))).toEqual([]);
    },
  );

  test.each(lives)(
    "the patterns and procedures in the docs' row for %s create, change and end the entity as documented, and can be granted",
    (entity, made, changed, ended) => {
      const does = (cell: string, kind: (step: Step) => boolean) =>
        namesInCell(cell)
          .filter((one) => !['ttl', 'lastUsedAt', 'analysis', 'PendingLog', 'FormattedNumber'].includes(one))
          .filter((one) => !writesOf(system, one).some((step) => step.entity === entity && kind(step)));
      expect([does(made as string, makes), does(changed as string, changes), does(ended as string, ends)]).toEqual([
        [],
        [],
        [],
      ]);
      expect([made, changed, ended].filter((cell) => cell === '')).toEqual([]);
      expect(reservedNames(system, [made, changed, ended].join().match(/[a-zA-Z]+/g) ?? [])).toEqual([]);
    },
  );
});

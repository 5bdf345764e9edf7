import { suggestion } from '../../lib/design/names';
import { drawCollections } from '../../lib/explore/draw/collections';
import { drawMap } from '../../lib/explore/draw/map';
import { svgFile } from '../../lib/explore/draw/shape';
import { type Explored, explore } from '../../lib/explore/system';
import type { TableView } from '../../lib/explore/view';
import { replacePublic } from '../../lib/files/write';
import { readArguments, readChoice } from './arguments';
import { type Command, UsageError } from './command';
import { DEMO } from './designs';
import { shownNamed } from './explored';
import { assertFolder } from './output';

const OPTIONS = {
  ...DEMO,
  table: { type: 'string' },
  index: { type: 'string' },
  picture: { type: 'string' },
  partitions: { type: 'string' },
  rows: { type: 'string' },
  output: { type: 'string' },
} as const;

export const draw: Command = {
  usage:
    '[design or file] [--demo] [--picture collections|map] [--table name] [--index name] [--partitions 12] [--rows 5] [--output file]',
  summary: "draws a table's items, or a map of the design, as SVG",
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const picture = readChoice('--picture', values.picture, ['collections', 'map']);
    const extent = { partitions: count('--partitions', values.partitions, 12), rows: count('--rows', values.rows, 5) };
    assertFolder('--output', values.output);
    const all = (await shownNamed(positionals, values.demo)).map(({ system, cases }) => explore(system, cases));
    const { output } = values;
    const drawn = svgFile(drawnOf(all, picture, values, extent));
    terminal.report(output === undefined ? { drawn } : { file: output });
    if (output === undefined) terminal.text(drawn.trimEnd());
    else {
      await replacePublic(output, drawn);
      terminal.line(`${output}: written`);
    }
    return 0;
  },
};

type Values = { readonly table?: string; readonly index?: string };

function drawnOf(
  all: readonly Explored[],
  picture: 'collections' | 'map',
  { table, index }: Values,
  extent: { partitions: number; rows: number },
) {
  const { explored, view } = chosen(all, table);
  if (picture === 'map') return drawMap(view);
  const places = view.places.map((place) => place.index);
  const place = view.places[places.indexOf(index)];
  if (place === undefined) {
    const known = places.filter((name) => name !== undefined);
    throw new UsageError(`--index: '${view.name}' has no index '${index}'; ${suggestion(index as string, known)}`);
  }
  const items = explored.items.get(view.name);
  if (items === undefined || items.all.length === 0) {
    throw new UsageError(
      `'${view.name}' has no items to draw; export its cases from the same file, or pass --picture map`,
    );
  }
  return drawCollections(view, place, items, extent);
}

/** Returns the table to draw. */
function chosen(all: readonly Explored[], table: string | undefined): { explored: Explored; view: TableView } {
  const tables = all.flatMap((explored) => explored.view.tables.map((view) => ({ explored, view })));
  const found = table === undefined ? tables : tables.filter(({ view }) => view.name === table);
  const [one, ...more] = found;
  const known = tables.map(({ view }) => view.name);
  if (one === undefined) {
    const problems = all.flatMap(({ view }) => [...view.problems, ...view.findings.map(({ message }) => message)]);
    if (table === undefined) throw new UsageError(`there is no table to draw: ${problems[0] ?? 'the design has none'}`);
    throw new UsageError(`--table: there is no table '${table}'; ${suggestion(table, known)}`);
  }
  if (more.length > 0) throw new UsageError(`a picture shows one table; choose one with --table: ${known.join(', ')}`);
  return one;
}

function count(option: string, given: string | undefined, usual: number): number {
  if (given === undefined) return usual;
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new UsageError(`${option} must be a number from 1 to 9999, got: '${given}'`);
  return Number(given);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileProblem } from '../../files/problem';
import { replacePublic } from '../../files/write';
import { escaped } from '../draw/shape';
import type { Items } from '../items';
import type { Explored } from '../system';
import type { KeptItems, PageData, SiteView, SystemView } from '../view';
import { GENERATOR, pageOf, readable, stillPage } from './html';

/** The maximum number of items per table in a static site. */
const KEPT = 2000;

/**
 * Writes a static site: an index, and one file for each system. Returns the path of the index, followed by the paths of
 * the systems' files.
 */
export async function writeSite(folder: string, explored: readonly Explored[]): Promise<readonly string[]> {
  const names = explored.map(({ view }) => view.name);
  const files = fileNames(names);
  const siblings = names.map((name, i) => ({ name, href: files[i] as string }));
  for (const [i, system] of explored.entries()) {
    const data = dataOf(system, siblings);
    await replacePublic(join(folder, files[i] as string), pageOf(data, system.view.name, readable(data)).html);
  }
  const index = join(folder, INDEX);
  await replacePublic(
    index,
    listOf(
      explored.map(({ view }) => view),
      files,
    ),
  );
  return [index, ...files.map((file) => join(folder, file))];
}

const INDEX = 'index.html';

/** Throws if the site would overwrite a file that Tablewright did not write. */
export function assertOurs(folder: string, explored: readonly Pick<Explored, 'view'>[]): void {
  for (const name of [INDEX, ...fileNames(explored.map(({ view }) => view.name))]) {
    const file = join(folder, name);
    if (!existsSync(file) || readFileSync(file, 'utf8').includes(GENERATOR)) continue;
    const what = `'${file}' already exists, and 'tablewright explore' did not write it`;
    throw new FileProblem(file, 'unusable', `${what}; choose another folder, or remove the file`);
  }
}

/** Returns a file name for each system. A system's name may contain characters that a file name must not contain. */
function fileNames(names: readonly string[]): readonly string[] {
  const plain = names.map((name) => name.replaceAll(/[^\w-]+/g, '-'));
  return plain.map((name, i) =>
    plain.indexOf(name) === i && name !== 'index' ? `${name}.html` : `${name}-${i + 1}.html`,
  );
}

function dataOf({ view, items }: Explored, siblings: NonNullable<SiteView['siblings']>): PageData {
  const kept = [...items].map(([table, all]) => [table, keptOf(all)] as const);
  const cut = [...items].filter(([, { all }]) => all.length > KEPT);
  const problems = cut.map(
    ([table, { all }]) => `${table}: the site contains only the first ${KEPT} of ${all.length} items`,
  );
  const system: SystemView = { ...view, problems: [...view.problems, ...problems] };
  return { site: { systems: [system], live: false, siblings }, items: { [view.name]: Object.fromEntries(kept) } };
}

function keptOf(items: Items): KeptItems {
  const orders = ['', ...items.indexes].map((index) => {
    const { partitions } = items.in(index === '' ? undefined : index);
    const order = partitions.map(({ key, rows }) => [key, rows.map(({ id }) => id).filter((id) => id < KEPT)] as const);
    return [index, order.filter(([, ids]) => ids.length > 0)] as const;
  });
  return { items: items.all.slice(0, KEPT), orders: Object.fromEntries(orders) };
}

function listOf(systems: readonly SystemView[], files: readonly string[]): string {
  const lines = systems.map(
    ({ name, purpose = '', cloud }, i) =>
      `<li class="card"><h2><a href="${escaped(files[i] as string)}">${escaped(name)}</a></h2>
<p>${escaped(purpose)}</p><p class="soft">${cloud === 'aws' ? 'DynamoDB' : 'Azure Tables'}</p></li>`,
  );
  return stillPage(
    'Tablewright',
    `<main class="document"><h1>Systems</h1><ul class="findings">${lines.join('\n')}</ul></main>`,
  ).html;
}

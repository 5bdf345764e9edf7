import { useEffect, useRef, useState } from 'preact/hooks';
import { textOf } from '../rows';
import type { Cursor, PartitionView, PlaceView, RowsView, SystemView, TableView } from '../view';
import { FindingsAt } from './findings';
import { count, Entity, Marks, PatternLinks, Under } from './parts';
import { Rows } from './rows';
import { links, type Source } from './state';

interface Shown {
  readonly system: SystemView;
  readonly table: TableView;
  readonly place: PlaceView;
}

/** Shows everything about a table or an index except its items: purpose, findings, patterns and key templates. */
export function PlaceHead({ system, table, place }: Shown) {
  return (
    <>
      <nav class="tabs" aria-label="The table and its indexes">
        {table.places.map(({ index, items }) => (
          <a
            key={index ?? ''}
            href={links.place(system, table.name, index)}
            aria-current={index === place.index ? 'page' : undefined}
          >
            {index ?? 'Table'} {items !== undefined && <span class="soft small">{items.toLocaleString('en')}</span>}
          </a>
        ))}
      </nav>
      {place.purpose !== undefined && <p class="lead">{place.purpose}</p>}
      <FindingsAt
        system={system}
        isHere={({ table: at, index, pattern, entity }) =>
          at === table.name && index === place.index && pattern === undefined && entity === undefined
        }
      />
      {place.projected !== undefined && (
        <p class="soft">
          This index contains only {place.projected.join(', ')} of each item; the other attributes are grayed out.
        </p>
      )}
      {place.readBy.length > 0 && (
        <p>
          Read by <PatternLinks system={system} table={table} names={place.readBy} />
        </p>
      )}
      <KeyTemplates system={system} table={table} place={place} />
    </>
  );
}

/** Shows the entities that share a partition, and their keys. */
function KeyTemplates({ system, table, place }: Shown) {
  const { partition, sort, index, collections } = place;
  return (
    <details class="card" open>
      <summary>Key templates</summary>
      <div class="scroll">
        <table class="plain-table collections">
          <thead>
            <tr>
              <th scope="col">{partition.join(' + ')}</th>
              {sort.length > 0 && <th scope="col">{sort.join(' + ')}</th>}
              <th scope="col">Entity</th>
              {index !== undefined && <th scope="col">In it</th>}
            </tr>
          </thead>
          {collections.map(({ partitions, entities }, n) => (
            <tbody key={n}>
              {entities.map(({ name, sort: template, while: tests }, i) => (
                <tr key={name}>
                  {i === 0 && (
                    <th scope="rowgroup" rowSpan={entities.length}>
                      <Under partitions={partitions} />
                    </th>
                  )}
                  {sort.length > 0 && (
                    <td>
                      <Marks marks={template} />
                    </td>
                  )}
                  <td>
                    <Entity system={system} table={table} name={name} />
                  </td>
                  {index !== undefined && <td class="soft">{tests.join(' and ') || 'always'}</td>}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </details>
  );
}

/** The pages that have been read so far. */
interface Pages {
  readonly rows: RowsView;
  readonly partitions: readonly PartitionView[];
}

function countOf({ rows: { total, cursor }, partitions }: Pages): string {
  if (total !== undefined) return count(total, 'item');
  const shown = partitions.reduce((sum, { rows }) => sum + rows.length, 0);
  return cursor === undefined ? count(shown, 'item') : `${count(shown, 'item')} so far`;
}

/** Shows the items of a table or index, one page at a time. */
export function Items({ source, filter, ...shown }: Shown & { source: Source; filter: string }) {
  const { system, table, place } = shown;
  const [text, setText] = useState(filter);
  const [pages, setPages] = useState<Pages>();
  const [problem, setProblem] = useState('');
  const asked = useRef(0);
  const load = (cursor: Cursor | undefined, before: readonly PartitionView[], wanted = text) => {
    const number = ++asked.current;
    source.rows(system.name, table.name, place.index, { cursor, filter: wanted }).then(
      (rows) => {
        // The user may keep typing before a response arrives, so only the response to the last request is used.
        if (number !== asked.current) return;
        setProblem('');
        setPages({ rows, partitions: joined(before, rows.partitions) });
      },
      (error: Error) => setProblem(error.message),
    );
  };
  // When the user selects another table or index, the list starts again at the first page.
  useEffect(() => load(undefined, []), [system.name, table.name, place.index]);
  const title = place.index === undefined ? table.name : `${table.name} / ${place.index}`;
  const next = pages?.rows.cursor;
  return (
    <>
      <h1>{title}</h1>
      {table.purpose !== undefined && place.index === undefined && <p class="lead">{table.purpose}</p>}
      <PlaceHead {...shown} />
      <div class="bar">
        <h2>Items</h2>
        <label class="field inline">
          <span>Filter</span>
          <input
            type="search"
            value={text}
            placeholder="a key, a value, an entity"
            onInput={({ currentTarget }) => {
              const wanted = currentTarget.value;
              history.replaceState(
                null,
                '',
                links.place(system, table.name, place.index, wanted === '' ? {} : { filter: wanted }),
              );
              setText(wanted);
              load(undefined, [], wanted);
            }}
          />
        </label>
        <p class="soft" role="status">
          {pages === undefined ? 'Reading…' : countOf(pages)}
        </p>
      </div>
      {problem !== '' && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {system.source !== undefined && (
        <p class="soft">
          Read from <code>{system.source}</code>, and never written to. Patterns that read run there; with{' '}
          <code>--copy</code>, all patterns run on a copy of its first items. Reload the page to refresh the copy.
        </p>
      )}
      {table.items === 0 && (
        <p class="soft">
          There are no example items. Export cases with the design (docs/guides/proof.md) to see their items here.
        </p>
      )}
      {pages !== undefined && pages.partitions.length > 0 && <Rows {...shown} partitions={pages.partitions} />}
      {next !== undefined && pages !== undefined && (
        <button type="button" class="button" onClick={() => load(next, pages.partitions)}>
          {pages.rows.total === undefined ? 'Show more' : `Show more of ${count(pages.rows.total, 'item')}`}
        </button>
      )}
    </>
  );
}

/** Appends a page. Merges a partition that continues from the previous page. */
function joined(before: readonly PartitionView[], more: readonly PartitionView[]): readonly PartitionView[] {
  const last = before.at(-1);
  const [first, ...rest] = more;
  if (last === undefined || first === undefined || textOf(last.key) !== textOf(first.key)) return [...before, ...more];
  const rows = [...last.rows, ...first.rows];
  return [...before.slice(0, -1), { ...last, rows, of: Math.max(last.of, rows.length) }, ...rest];
}

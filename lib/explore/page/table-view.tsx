import { useEffect, useRef, useState } from 'preact/hooks';
import type { PartitionView, PlaceView, RowsView, SystemView, TableView } from '../view';
import { count, Entity, Marks } from './parts';
import { Rows } from './rows';
import { links, type Source } from './state';

interface Shown {
  readonly system: SystemView;
  readonly table: TableView;
  readonly place: PlaceView;
}

/** A table, or one of its indexes: its keys, and then its items. */
export function PlaceHead({ system, table, place }: Shown) {
  const here = table.entities.filter(
    ({ indexes }) => place.index === undefined || indexes.some(({ name }) => name === place.index),
  );
  const attributes = [place.partition, ...(place.sort === undefined ? [] : [place.sort])];
  return (
    <>
      <nav class="tabs" aria-label="The table and its indexes">
        {table.places.map(({ index, items }) => (
          <a
            key={index ?? ''}
            href={links.place(system, table.name, index)}
            aria-current={index === place.index ? 'page' : undefined}
          >
            {index ?? 'Table'} <span class="soft small">{items.toLocaleString('en')}</span>
          </a>
        ))}
      </nav>
      {place.purpose !== undefined && <p class="lead">{place.purpose}</p>}
      {place.projected !== undefined && (
        <p class="soft">This index holds {place.projected.join(', ')} of each item; the rest is greyed.</p>
      )}
      <details class="card" open>
        <summary>Key templates</summary>
        <div class="scroll">
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">Entity</th>
                {attributes.map((attribute) => (
                  <th key={attribute} scope="col">
                    {attribute}
                  </th>
                ))}
                {place.index !== undefined && <th scope="col">In it</th>}
              </tr>
            </thead>
            <tbody>
              {here.map((entity) => (
                <tr key={entity.name}>
                  <th scope="row">
                    <Entity system={system} table={table} name={entity.name} />
                  </th>
                  {attributes.map((attribute) => (
                    <td key={attribute}>
                      <Marks marks={entity.keys.find((key) => key.attribute === attribute)?.template ?? []} />
                    </td>
                  ))}
                  {place.index !== undefined && (
                    <td class="soft">
                      {entity.indexes.find(({ name }) => name === place.index)?.while.join(' and ') || 'always'}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** The items of a place, a page at a time. */
export function Items({ source, filter, ...shown }: Shown & { source: Source; filter: string }) {
  const { system, table, place } = shown;
  const [text, setText] = useState(filter);
  const [pages, setPages] = useState<{ readonly rows: RowsView; readonly partitions: readonly PartitionView[] }>();
  const [problem, setProblem] = useState('');
  const asked = useRef(0);
  const load = (cursor: number, before: readonly PartitionView[], wanted = text) => {
    const number = ++asked.current;
    source.rows(system.name, table.name, place.index, { cursor, filter: wanted }).then(
      (rows) => {
        // Who types goes on typing: only the last answer counts.
        if (number !== asked.current) return;
        setProblem('');
        setPages({ rows, partitions: joined(before, rows.partitions) });
      },
      (error: Error) => setProblem(error.message),
    );
  };
  // It is another page.
  useEffect(() => load(0, []), [system.name, table.name, place.index]);
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
              setText(currentTarget.value);
              load(0, [], currentTarget.value);
            }}
          />
        </label>
        <p class="soft" role="status">
          {pages === undefined ? 'Reading…' : count(pages.rows.total, 'item')}
        </p>
      </div>
      {problem !== '' && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {table.items === 0 && (
        <p class="soft">
          There are no example items. Export cases with the design (docs/proof.md), and they show up here.
        </p>
      )}
      {pages !== undefined && pages.partitions.length > 0 && <Rows {...shown} partitions={pages.partitions} />}
      {next !== undefined && pages !== undefined && (
        <button type="button" class="button" onClick={() => load(next, pages.partitions)}>
          Show more of {count(pages.rows.total, 'item')}
        </button>
      )}
    </>
  );
}

/** A partition that goes on is one. */
function joined(before: readonly PartitionView[], more: readonly PartitionView[]): readonly PartitionView[] {
  const last = before.at(-1);
  const [first, ...rest] = more;
  if (last === undefined || first === undefined || first.from === 0) return [...before, ...more];
  return [...before.slice(0, -1), { ...last, rows: [...last.rows, ...first.rows] }, ...rest];
}

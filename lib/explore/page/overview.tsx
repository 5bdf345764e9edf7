import type { SystemView, TableView } from '../view';
import { Finding } from './findings';
import { count, Entity, PatternLinks, Problems, Under } from './parts';
import { links } from './state';

/** Shows a summary of a system. Errors come first. */
export function Overview({ system }: { system: SystemView }) {
  const { name, purpose, cloud, tables, findings, procedures, problems, source } = system;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const sum = (countIn: (table: TableView) => number) => tables.reduce((all, table) => all + countIn(table), 0);
  return (
    <>
      <h1>{name}</h1>
      {purpose !== undefined && <p class="lead">{purpose}</p>}
      {errors.length > 0 && (
        <section aria-label="Errors">
          <p class="alert">
            {count(errors.length, 'error')}: no table is created from this design until{' '}
            {errors.length === 1 ? 'it is' : 'they are'} fixed.
          </p>
          <ul class="findings">
            {errors.map((finding, i) => (
              <Finding key={i} system={system} finding={finding} />
            ))}
          </ul>
        </section>
      )}
      <Problems problems={problems} />
      <ul class="tiles">
        <Tile label={cloud === 'aws' ? 'DynamoDB tables' : 'Azure tables'} value={tables.length} />
        <Tile label="indexes" value={sum(({ places }) => places.length - 1)} />
        <Tile label="entities" value={sum(({ entities }) => entities.length)} />
        <Tile label="patterns" value={sum(({ patterns }) => patterns.length)} />
        {procedures.length > 0 && <Tile label="procedures" value={procedures.length} />}
        {source === undefined && <Tile label="example items" value={sum(({ items = 0 }) => items)} />}
        <Tile label="findings" value={findings.length} href={links.view(system, 'findings')} />
      </ul>
      {tables.map((table) => (
        <section key={table.name} class="card">
          <h2>
            <a href={links.place(system, table.name)}>{table.name}</a>
          </h2>
          {table.purpose !== undefined && <p class="soft">{table.purpose}</p>}
          <Places system={system} table={table} />
          <p>
            <a href={links.map(system, table.name)}>The map</a>: which entity is in which index, and which pattern
            reaches it
          </p>
        </section>
      ))}
    </>
  );
}

function Tile({ label, value, href }: { label: string; value: number; href?: string }) {
  const shown = (
    <>
      <strong>{value.toLocaleString('en')}</strong> {label}
    </>
  );
  return <li>{href === undefined ? shown : <a href={href}>{shown}</a>}</li>;
}

/**
 * Shows a summary of a table and its indexes: the entities that share a partition, and the patterns that read the table
 * or index.
 */
function Places({ system, table }: { system: SystemView; table: TableView }) {
  return (
    <div class="scroll">
      <table class="plain-table places">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Kept together</th>
            <th scope="col">Read by</th>
          </tr>
        </thead>
        <tbody>
          {table.places.map(({ index, local, purpose, collections, readBy }) => (
            <tr key={index ?? ''}>
              <th scope="row">
                <a href={links.place(system, table.name, index)}>{index ?? 'Table'}</a>
                {local && <span class="line soft small">local</span>}
                {purpose !== undefined && <span class="line soft small">{purpose}</span>}
              </th>
              <td>
                <ul class="kept">
                  {collections.map(({ partitions, entities }, i) => (
                    <li key={i}>
                      <Under partitions={partitions.slice(0, 1)} />
                      <span class="entities">
                        {entities.map(({ name }) => (
                          <Entity key={name} system={system} table={table} name={name} />
                        ))}
                      </span>
                    </li>
                  ))}
                </ul>
              </td>
              <td>
                {readBy.length === 0 ? (
                  <span class="soft">no pattern</span>
                ) : (
                  <PatternLinks system={system} table={table} names={readBy} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

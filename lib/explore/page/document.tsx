import { renderToString } from 'preact-render-to-string';
import type { PageData, SystemView, TableView } from '../view';
import { Equivalent } from './equivalent';
import { Evolution } from './evolution';
import { Findings } from './findings';
import { MapView } from './map-view';
import { Overview } from './overview';
import { Grant, json } from './parts';
import { PatternHead } from './pattern-view';
import { Proof } from './proof';
import { Rows } from './rows';
import { keptRows } from './state';
import { PlaceHead } from './table-view';

/** How many items of a table are in the text of a page; with scripts, all of them can be looked at. */
const SHOWN = 200;

/** All there is to read of a site, one after the other, for readers without scripts. */
export function documentOf(data: PageData): string {
  return renderToString(
    <main class="document">
      {data.site.systems.map((system) => (
        <article key={system.name}>
          <Overview system={system} />
          {system.tables.map((table) => (
            <Table key={table.name} data={data} system={system} table={table} />
          ))}
          <Findings system={system} />
          {system.proof !== undefined && <Proof system={system} />}
          {system.evolution !== undefined && <Evolution system={system} />}
          {system.equivalent !== undefined && <Equivalent system={system} />}
        </article>
      ))}
    </main>,
  );
}

function Table({ data, system, table }: { data: PageData; system: SystemView; table: TableView }) {
  const kept = data.items?.[system.name]?.[table.name];
  return (
    <section>
      <MapView table={table} />
      {table.places.map((place) => {
        const { partitions, total } = keptRows(kept, place.index, { size: SHOWN });
        return (
          <section key={place.index ?? ''}>
            <h2>
              {table.name} {place.index}
            </h2>
            <PlaceHead system={system} table={table} place={place} />
            <Rows system={system} table={table} place={place} partitions={partitions} />
            {total > SHOWN && (
              <p class="soft">
                These are the first {SHOWN} of {total} items.
              </p>
            )}
          </section>
        );
      })}
      {table.patterns.map((pattern) => (
        <section key={pattern.name}>
          <PatternHead system={system} table={table} pattern={pattern} />
          <Grant grant={{ lines: pattern.grant.lines }} />
          {pattern.run !== undefined && (
            <>
              <p>With these values, it comes to this:</p>
              <pre>{json(pattern.run.values)}</pre>
              <pre>{json(pattern.run.requests)}</pre>
              <pre>{json(pattern.run.error ?? pattern.run.answer)}</pre>
            </>
          )}
        </section>
      ))}
    </section>
  );
}

import { renderToString } from 'preact-render-to-string';
import type { PageData, RunView, SystemView, TableView } from '../view';
import { EntityPage } from './entity-page';
import { Equivalent } from './equivalent';
import { Evolution } from './evolution';
import { Findings } from './findings';
import { MapView } from './map-view';
import { Siblings } from './navigation';
import { Costs } from './outcome';
import { Overview } from './overview';
import { Grant, json } from './parts';
import { PatternHead, ProcedureHead } from './pattern-view';
import { Proof } from './proof';
import { Rows } from './rows';
import { keptRows, links } from './state';
import { PlaceHead } from './table-view';

/**
 * The maximum number of items per table that readers without JavaScript can see. With JavaScript, they can see all
 * items.
 */
const SHOWN = 200;

/** Renders the whole site as one document, for readers without JavaScript. */
export function documentOf(data: PageData): string {
  return renderToString(
    <main class="document">
      {data.site.siblings !== undefined && (
        <nav aria-label="Systems">
          <Siblings siblings={data.site.siblings} system={{ name: data.site.systems[0]?.name ?? '' }} />
        </nav>
      )}
      {data.site.systems.map((system) => (
        <article key={system.name} id={idOf(links.system(system))}>
          <Overview system={system} />
          {system.tables.map((table) => (
            <Table key={table.name} data={data} system={system} table={table} />
          ))}
          {system.procedures.map((procedure) => (
            <section key={procedure.name} id={idOf(links.procedure(system, procedure.name))}>
              <ProcedureHead system={system} procedure={procedure} />
              <Grant grant={{ lines: procedure.grant.lines }} />
              <Run run={procedure.run} />
            </section>
          ))}
          <section id={idOf(links.view(system, 'findings'))}>
            <Findings system={system} />
          </section>
          {system.proofs !== undefined && <Proof system={system} />}
          {system.evolution !== undefined && <Evolution system={system} />}
          {system.equivalent !== undefined && <Equivalent system={system} />}
        </article>
      ))}
    </main>,
  );
}

/**
 * Returns the id of a link's target. Without JavaScript, a link jumps to the element whose id equals the link's
 * fragment.
 */
function idOf(href: string): string {
  return href.slice(1);
}

function Table({ data, system, table }: { data: PageData; system: SystemView; table: TableView }) {
  const kept = data.items?.[system.name]?.[table.name];
  return (
    <section>
      <div id={idOf(links.map(system, table.name))}>
        <MapView system={system} table={table} />
      </div>
      {table.places.map((place) => {
        const { partitions, total } = keptRows(kept, place.index, { size: SHOWN });
        return (
          <section key={place.index ?? ''} id={idOf(links.place(system, table.name, place.index))}>
            <h2>
              {table.name} {place.index}
            </h2>
            <PlaceHead system={system} table={table} place={place} />
            <Rows system={system} table={table} place={place} partitions={partitions} isWhole />
            {total > SHOWN && (
              <p class="soft">
                These are the first {SHOWN} of {total} items.
              </p>
            )}
          </section>
        );
      })}
      {table.entities.map((entity) => (
        <section key={entity.name} id={idOf(links.entity(system, table.name, entity.name))}>
          <EntityPage system={system} table={table} entity={entity} />
        </section>
      ))}
      {table.patterns.map((pattern) => (
        <section key={pattern.name} id={idOf(links.pattern(system, table.name, pattern.name))}>
          <PatternHead system={system} table={table} pattern={pattern} />
          <Grant grant={{ lines: pattern.grant.lines }} />
          <Run run={pattern.run} />
        </section>
      ))}
    </section>
  );
}

function Run({ run }: { run: RunView | undefined }) {
  if (run === undefined) return null;
  return (
    <>
      <h3>Values of the example</h3>
      <pre>{json(run.values)}</pre>
      <h3>{run.requests.length === 1 ? 'The request' : 'The requests'}</h3>
      <pre>{json(run.requests)}</pre>
      <h3>{run.error === undefined ? 'The answer' : 'The refusal'}</h3>
      <pre>{run.error === undefined ? json(run.answer) : `${run.error.name}: ${run.error.message}`}</pre>
      <h3>What it costs</h3>
      <Costs outcome={run} />
    </>
  );
}

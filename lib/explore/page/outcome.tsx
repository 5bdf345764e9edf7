import { textOf } from '../rows';
import type { ChangedItem, PlaceView, RunView, SystemView, TableView } from '../view';
import { Code, count, Entity, json } from './parts';
import { Rows } from './rows';
import type { Runner } from './run';
import { links } from './state';

/** Shows the outcome of a run: the items that it changed or read, its requests and its result. */
export function Outcome({
  system,
  outcome: known,
  problem,
  isRunning,
  cursor,
  pageAt,
}: Pick<Runner, 'outcome' | 'problem' | 'isRunning' | 'cursor'> & {
  system: SystemView;
  /**
   * Returns the address of the page of results at this cursor, or of the first page if no cursor is given.
   * @default - the result has only one page
   */
  pageAt?: (cursor?: string) => string;
}) {
  // While a run is in progress, the outcome of the previous run is hidden.
  const outcome = isRunning ? undefined : known;
  return (
    <section aria-labelledby="outcome" aria-busy={isRunning}>
      <h2 id="outcome">Result</h2>
      {problem !== '' && !isRunning && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {outcome === undefined && (problem === '' || isRunning) && (
        <p class="soft" role="status">
          {isRunning ? 'Running…' : 'Nothing was run.'}
        </p>
      )}
      {outcome !== undefined && (
        <>
          <p class="stats" role="status">
            {outcome.error === undefined ? summary(outcome) : 'It was refused.'}
          </p>
          <Costs outcome={outcome} />
          {outcome.error !== undefined && (
            <p class="alert" role="alert">
              <strong>{outcome.error.name}</strong>: {outcome.error.message}
            </p>
          )}
          {outcome.changes.map((change, i) => (
            <Change key={i} system={system} change={change} />
          ))}
          <Read system={system} read={outcome.read} />
          {pageAt !== undefined && (cursor ?? outcome.cursor) !== undefined && (
            <nav class="pages" aria-label="Pages of the result">
              {cursor !== undefined && (
                <a class="button" href={pageAt()}>
                  First page
                </a>
              )}
              {outcome.cursor !== undefined && outcome.error === undefined && (
                <a class="button" href={pageAt(outcome.cursor)}>
                  Next page
                </a>
              )}
            </nav>
          )}
          <div class="columns later">
            <section class="card">
              <h3>{outcome.requests.length === 1 ? 'The request' : 'The requests'}</h3>
              {outcome.requests.length === 0 && <p class="soft">No request was sent.</p>}
              {outcome.requests.map(({ command, input, units: own }, i) => (
                <div key={i}>
                  <p>
                    <strong>{command}</strong>
                    {own !== undefined && <span class="soft"> {count(own, 'unit')}</span>}
                  </p>
                  <Code label={`Input of ${command}`} text={json(input)} />
                </div>
              ))}
            </section>
            {outcome.error === undefined && (
              <section class="card">
                <h3>The answer</h3>
                <Code label="Answer" text={json(outcome.answer)} />
              </section>
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** Shows the capacity that one call consumes, and the cost of a million such calls. */
export function Costs({ outcome: { requests, units, cost, uncounted } }: { outcome: RunView }) {
  return (
    <>
      <dl class="costs">
        <div>
          <dt>Requests</dt>
          <dd>{requests.length}</dd>
        </div>
        {units !== undefined && (
          <div>
            <dt>Capacity units</dt>
            <dd>{units}</dd>
          </div>
        )}
        {cost !== undefined && (
          <div>
            <dt>A million such calls</dt>
            <dd>
              {cost.million} <span class="soft small">at {cost.at}</span>
            </dd>
          </div>
        )}
      </dl>
      {uncounted !== undefined && <p class="soft">{uncounted}</p>}
    </>
  );
}

function summary({ answer, changes, read, cursor }: RunView): string {
  if (changes.length > 0) return `The call changes ${count(changes.length, 'item')}; all changes were undone.`;
  const items = (answer as { items?: readonly unknown[] } | undefined)?.items;
  if (items !== undefined)
    return `The call returns ${count(items.length, 'item')}${cursor === undefined ? '' : ', and there is another page'}.`;
  if (read.length === 0) return 'The call changes nothing.';
  return answer === undefined ? 'The call finds nothing.' : 'The call returns an item.';
}

function Read({ system, read }: { system: SystemView; read: RunView['read'] }) {
  return (
    <>
      {read.map(({ table: name, index, partitions, lit }, i) => {
        const table = system.tables.find((candidate) => candidate.name === name);
        const place = table?.places.find((candidate) => candidate.index === index);
        if (table === undefined || place === undefined || partitions.length === 0) return null;
        return (
          <div key={i}>
            <h3>
              What it reads from{' '}
              <a href={links.place(system, name, index)}>{index === undefined ? name : `${name} / ${index}`}</a>
            </h3>
            <Rows system={system} table={table} place={place as PlaceView} partitions={partitions} lit={new Set(lit)} />
          </div>
        );
      })}
    </>
  );
}

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

function Change({ system, change }: { system: SystemView; change: ChangedItem }) {
  const { kind, table: name, entity, attributes, entries } = change;
  const table = system.tables.find((candidate) => candidate.name === name) as TableView;
  return (
    <section class="card">
      <h3>
        <span class={`badge ${kind}`}>
          {SIGNS[kind]} {kind}
        </span>{' '}
        <Entity system={system} table={table} name={entity} />
      </h3>
      <div class="scroll">
        <table class="plain-table changes">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ index, before, after }) => (
              <tr key={index ?? ''} class={before === after ? 'same' : ''}>
                <th scope="row">{index === undefined ? 'entry in the table' : `entry in ${index}`}</th>
                <Side value={before} />
                <Side value={after} />
              </tr>
            ))}
            {attributes.map(({ name: attribute, before, after }) => (
              <tr key={attribute}>
                <th scope="row">
                  <code>{attribute}</code>
                </th>
                <Side value={before} />
                <Side value={after} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Side({ value }: { value: unknown }) {
  return <td>{value === undefined ? <span class="soft">none</span> : <code>{textOf(value)}</code>}</td>;
}

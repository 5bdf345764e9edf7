import { drawMap } from '../draw/map';
import type { EntityView, SystemView, TableView } from '../view';
import { count, Entity, Finding, Marks, Picture } from './parts';
import { links } from './state';

/** A system at a glance; what is wrong with it comes first. */
export function Overview({ system }: { system: SystemView }) {
  const { name, purpose, cloud, tables, findings, procedures, problems } = system;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const sum = (of: (table: TableView) => number) => tables.reduce((all, table) => all + of(table), 0);
  return (
    <>
      <h1>{name}</h1>
      {purpose !== undefined && <p class="lead">{purpose}</p>}
      {errors.length > 0 && (
        <section aria-label="Errors">
          <p class="alert">
            {count(errors.length, 'error')}: no table is made from this design until{' '}
            {errors.length === 1 ? 'it is' : 'they are'} mended.
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
        <Tile label="example items" value={sum(({ items }) => items)} />
        <Tile label="findings" value={findings.length} href={links.view(system, 'findings')} />
      </ul>
      {tables.map((table) => (
        <section key={table.name} class="card">
          <h2>
            <a href={links.place(system, table.name)}>{table.name}</a>
          </h2>
          {table.purpose !== undefined && <p class="soft">{table.purpose}</p>}
          <ul class="entity-list">
            {table.entities.map((entity) => (
              <li key={entity.name}>
                <Entity system={system} table={table} name={entity.name} />
              </li>
            ))}
          </ul>
          <p>
            {table.places.slice(1).map(({ index, purpose: why }) => (
              <span key={index} class="index-line">
                <a href={links.place(system, table.name, index)}>{index}</a> <span class="soft">{why}</span>
              </span>
            ))}
          </p>
          <p>
            <a href={links.map(system, table.name)}>The map</a>: which entity is in which index, and which pattern goes
            where
          </p>
        </section>
      ))}
    </>
  );
}

export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map((problem) => (
        <li key={problem} class="alert">
          {problem}
        </li>
      ))}
    </ul>
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

export function MapView({ table }: { table: TableView }) {
  return (
    <>
      <h1>The map of {table.name}</h1>
      <p class="lead">
        Which entity is in which index, and which pattern reads or writes what. Dashed lines write; what no pattern
        reaches has a dashed border.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard */}
      <section class="scroll picture" tabIndex={0} aria-label={`The map of ${table.name}`}>
        <Picture shape={drawMap(table)} />
      </section>
      <details>
        <summary>The same in words</summary>
        <ul>
          {table.places.map(({ index }) => {
            const there = table.entities.filter(
              (e) => index === undefined || e.indexes.some(({ name }) => name === index),
            );
            const served = table.patterns.filter(({ accesses }) => accesses.some((access) => access.index === index));
            return (
              <li key={index ?? ''}>
                <strong>{index ?? table.name}</strong> holds {there.map(({ name }) => name).join(', ') || 'nothing'},
                and serves {served.map(({ name }) => name).join(', ') || 'no pattern'}.
              </li>
            );
          })}
        </ul>
      </details>
    </>
  );
}

export function EntityPage({ system, table, entity }: { system: SystemView; table: TableView; entity: EntityView }) {
  const using = table.patterns.filter(({ accesses }) =>
    accesses.some(({ entities }) => entities.includes(entity.name)),
  );
  const findings = system.findings.filter((one) => one.table === table.name && one.entity === entity.name);
  return (
    <>
      <h1>
        <Entity system={system} table={table} name={entity.name} />
      </h1>
      <p class="lead">
        An entity of <a href={links.place(system, table.name)}>{table.name}</a>
        {entity.type !== undefined && (
          <>
            , stored with {table.typeAttribute} <code>{entity.type}</code>
          </>
        )}
      </p>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding, i) => (
            <Finding key={i} system={system} finding={finding} />
          ))}
        </ul>
      )}
      <div class="columns">
        <section class="card">
          <h2>Keys</h2>
          <dl class="facts">
            {entity.keys.flatMap(({ attribute, template, natural }) => [
              <dt key={`${attribute} name`}>{attribute}</dt>,
              <dd key={attribute}>
                {natural ? <span class="soft">the attribute itself</span> : <Marks marks={template} />}
              </dd>,
            ])}
          </dl>
          <h2>Indexes</h2>
          {entity.indexes.length === 0 && <p class="soft">It is in none.</p>}
          <ul>
            {entity.indexes.map(({ name, while: tests }) => (
              <li key={name}>
                <a href={links.place(system, table.name, name)}>{name}</a>
                {tests.length > 0 && <span class="soft"> while {tests.join(' and ')}</span>}
              </li>
            ))}
          </ul>
          <h2>Patterns</h2>
          {using.length === 0 && <p class="alert">No pattern reaches it.</p>}
          <ul>
            {using.map(({ name, op }) => (
              <li key={name}>
                <a href={links.pattern(system, table.name, name)}>{name}</a> <span class="soft">{op}</span>
              </li>
            ))}
          </ul>
        </section>
        <section class="card">
          <h2>Attributes</h2>
          <dl class="facts">
            {entity.attributes.flatMap(({ name, kind, optional, values, format }) => [
              <dt key={`${name} name`}>{name}</dt>,
              <dd key={name}>
                {format ?? kind}
                {optional && <span class="soft">, optional</span>}
                {values !== undefined && <span class="soft">: {values.join(', ')}</span>}
              </dd>,
            ])}
          </dl>
        </section>
      </div>
    </>
  );
}

export function Findings({ system }: { system: SystemView }) {
  const { findings, acknowledged } = system;
  return (
    <>
      <h1>Findings</h1>
      <p class="lead">
        {findings.length === 0
          ? 'The check found nothing wrong.'
          : `${count(findings.length, 'finding')} of the check.`}
      </p>
      <Problems problems={system.problems} />
      <ul class="findings">
        {findings.map((finding, i) => (
          <Finding key={i} system={system} finding={finding} />
        ))}
      </ul>
      {acknowledged.length > 0 && (
        <>
          <h2>Acknowledged</h2>
          <ul class="findings">
            {acknowledged.map((finding, i) => (
              <Finding key={i} system={system} finding={finding} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export function Proof({ system }: { system: SystemView }) {
  const { proof } = system;
  const tableOf = (pattern: string) =>
    system.tables.find(({ patterns }) => patterns.some(({ name }) => name === pattern));
  if (proof === undefined) {
    return (
      <>
        <h1>Proof</h1>
        <p class="lead">No report was given.</p>
        <p>
          Write one with <code>npx tablewright prove --format json</code>, and name it with <code>--proof</code>.
        </p>
      </>
    );
  }
  return (
    <>
      <h1>Proof</h1>
      <p class="lead">
        {proof.failed === 0 ? 'All proved' : `${proof.failed} failed`}: {proof.passed} passed, on {proof.engine}
      </p>
      <div class="scroll">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Name</th>
              <th scope="col">Operation</th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Items
              </th>
              <th scope="col" class="number">
                Units
              </th>
            </tr>
          </thead>
          <tbody>
            {[...proof.proofs]
              .sort((a, b) => Number(a.failure === undefined) - Number(b.failure === undefined))
              .map(({ name, kind, operation, requests, items, capacity, failure }) => {
                const table = tableOf(name);
                return (
                  <tr key={`${kind} ${name}`}>
                    <td>
                      <span class={`badge ${failure === undefined ? 'ok' : 'error'}`}>
                        {failure === undefined ? 'passed' : 'failed'}
                      </span>
                    </td>
                    <th scope="row">
                      {table === undefined ? name : <a href={links.pattern(system, table.name, name)}>{name}</a>}
                      {failure !== undefined && <p class="alert">{failure}</p>}
                    </th>
                    <td>{operation}</td>
                    <td class="number">{requests}</td>
                    <td class="number">{items}</td>
                    <td class="number">{capacity}</td>
                  </tr>
                );
              })}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function Evolution({ system }: { system: SystemView }) {
  const { evolution } = system;
  if (evolution === undefined) {
    return (
      <>
        <h1>Evolution</h1>
        <p class="lead">There is no lock for this system.</p>
        <p>
          Record what is deployed with <code>npx tablewright record</code>, and later changes show up here.
        </p>
      </>
    );
  }
  const { environment, verdict, changes, sides, phases, problem } = evolution;
  return (
    <>
      <h1>Evolution</h1>
      <p class="lead">
        From what is deployed in {environment} to this design: {count(changes.length, 'change')}, verdict{' '}
        <strong>{verdict}</strong>
      </p>
      {phases.length > 0 && (
        <section class="card">
          <h2>The plan</h2>
          <ol class="phases">
            {phases.map(({ step, kind, wave, runs, until, back }) => (
              <li key={step}>
                <h3>
                  {step} <span class="badge note">{kind}</span>
                </h3>
                {wave.length > 0 && <p>{wave.join(', ')}</p>}
                <dl class="facts">
                  <dt>Code</dt>
                  <dd>{runs}</dd>
                  <dt>Until</dt>
                  <dd>{until}</dd>
                  <dt>Way back</dt>
                  <dd>{back ?? 'none'}</dd>
                </dl>
              </li>
            ))}
          </ol>
        </section>
      )}
      {problem !== undefined && <p class="alert">{problem}</p>}
      <ul class="findings">
        {changes.map(({ path, verdict: own, message, fix, was, is, breaks }) => (
          <li key={`${path} ${message}`} class="finding note">
            <p class="finding-head">
              <span class={`badge ${own === 'safe' ? 'ok' : own === 'replace' ? 'error' : 'warning'}`}>{own}</span>{' '}
              <code>{path}</code>
            </p>
            <p class="finding-message">{message}</p>
            <dl class="facts">
              {was !== undefined && [
                <dt key="a">Was</dt>,
                <dd key="b">
                  <code>{was}</code>
                </dd>,
              ]}
              {is !== undefined && [
                <dt key="c">Is</dt>,
                <dd key="d">
                  <code>{is}</code>
                </dd>,
              ]}
              {breaks.length > 0 && [<dt key="e">Breaks</dt>, <dd key="f">{breaks.join('; ')}</dd>]}
              <dt>Fix</dt>
              <dd>{fix}</dd>
            </dl>
          </li>
        ))}
      </ul>
      <section class="card">
        <h2>Side by side</h2>
        <div class="scroll">
          <table class="plain-table changes">
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">Deployed</th>
                <th scope="col">Design</th>
              </tr>
            </thead>
            <tbody>
              {sides.map(({ path, before, after }) => (
                <tr key={path} class={before === after ? 'same' : 'differs'}>
                  <th scope="row">{path}</th>
                  <td>{before === undefined ? <span class="soft">none</span> : <code>{before}</code>}</td>
                  <td>{after === undefined ? <span class="soft">none</span> : <code>{after}</code>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}

export function Equivalent({ system }: { system: SystemView }) {
  const { equivalent } = system;
  if (equivalent === undefined) {
    return (
      <>
        <h1>Azure</h1>
        <p class="lead">
          {system.cloud === 'azure'
            ? 'It is designed for Azure Tables.'
            : 'It has no equivalent: its findings say why.'}
        </p>
      </>
    );
  }
  return (
    <>
      <h1>On Azure Tables</h1>
      <p class="lead">
        It becomes {count(equivalent.tables.length, 'table')} there, and {count(equivalent.lines.length, 'line')} of
        what does not carry over.
      </p>
      <div class="scroll">
        <table class="plain-table">
          <thead>
            <tr>
              <th scope="col">Azure table</th>
              <th scope="col">Stands for</th>
              <th scope="col">PartitionKey</th>
              <th scope="col">RowKey</th>
            </tr>
          </thead>
          <tbody>
            {equivalent.tables.map(({ name, of, partition, row }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{of}</td>
                <td>
                  <code>{partition}</code>
                </td>
                <td>
                  <code>{row}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>What does not carry over</h2>
      <ul class="findings">
        {equivalent.lines.map(({ path, message, fix, acknowledged }) => (
          <li key={`${path} ${message}`} class="finding note">
            <p class="finding-head">
              <code>{path}</code>
            </p>
            <p class="finding-message">{message}</p>
            <p class="soft">{acknowledged === undefined ? fix : `Acknowledged: ${acknowledged}`}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

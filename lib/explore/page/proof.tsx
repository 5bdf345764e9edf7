import type { SystemView } from '../view';
import { links } from './state';

export function Proof({ system }: { system: SystemView }) {
  const { proof } = system;
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
                return (
                  <tr key={`${kind} ${name}`}>
                    <td>
                      <span class={`badge ${failure === undefined ? 'ok' : 'error'}`}>
                        {failure === undefined ? 'passed' : 'failed'}
                      </span>
                    </td>
                    <th scope="row">
                      <Name system={system} name={name} />
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

/** What was proved, and the way to it, if it is a pattern or a procedure. */
function Name({ system, name }: { system: SystemView; name: string }) {
  const table = system.tables.find(({ patterns }) => patterns.some((pattern) => pattern.name === name));
  if (table !== undefined) return <a href={links.pattern(system, table.name, name)}>{name}</a>;
  const isProcedure = system.procedures.some((procedure) => procedure.name === name);
  return isProcedure ? <a href={links.procedure(system, name)}>{name}</a> : <span>{name}</span>;
}

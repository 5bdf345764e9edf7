import type { SystemView } from '../view';
import { count } from './parts';
import { links } from './state';

/** Shows whether the patterns are proved on Azure. */
function OnAzure({ system }: { system: SystemView }) {
  const proof = system.proofs?.find(({ on }) => on === 'Azure');
  return (
    <p>
      {proof === undefined ? (
        <>
          Prove every pattern there with <code>npx tablewright prove --on azure --json</code>, and name the report with{' '}
          <code>--proof</code>.
        </>
      ) : (
        <>
          {proof.verdict}, on {proof.engine}: <a href={links.view(system, 'proof')}>the proof</a>.
        </>
      )}
    </p>
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
            ? 'This system is designed for Azure Tables.'
            : 'This system has no equivalent on Azure Tables; its findings explain why.'}
        </p>
      </>
    );
  }
  return (
    <>
      <h1>On Azure Tables</h1>
      <p class="lead">
        There, this system becomes {count(equivalent.tables.length, 'table')}.{' '}
        {equivalent.notes.length === 0
          ? 'Everything carries over.'
          : `${count(equivalent.notes.length, 'thing')} to know before you move the system.`}
      </p>
      <OnAzure system={system} />
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
      <h2>What costs more, or has lower limits, on Azure</h2>
      <ul class="findings">
        {equivalent.notes.map(({ paths, message, fix, acknowledged }) => (
          <li key={paths.join(' ') + message} class="finding note">
            <p class="finding-message">{message}</p>
            <p class="soft">{acknowledged === undefined ? fix : `Acknowledged: ${acknowledged}`}</p>
            <p class="paths">
              {paths.map((path) => (
                <code key={path}>{path}</code>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

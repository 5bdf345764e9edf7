import type { SystemView } from '../view';
import { Code, count } from './parts';

export function Evolution({ system }: { system: SystemView }) {
  const { evolution } = system;
  if (evolution === undefined) {
    return (
      <>
        <h1>Evolution</h1>
        <p class="lead">There is no lock for this system.</p>
        <p>
          Record what is deployed with <code>npx tablewright record</code>; later changes then show up here.
        </p>
      </>
    );
  }
  const { environment, verdict, changes, sides, phases, problem, answer } = evolution;
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
      {problem !== undefined && <p class="alert lines">{problem}</p>}
      {answer !== undefined && (
        <section class="card">
          <h2>To answer</h2>
          <p>
            Write the answers to a file, and pass it with <code>--answers</code>; <code>tablewright plan</code> takes
            the same file.
          </p>
          <Code label="Answers" text={answer.file} />
          <Code label="Command" text={answer.command} />
        </section>
      )}
      <ul class="findings">
        {changes.map(({ path, verdict: own, message, fix, was, is, breaks, because }) => (
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
              {breaks.map(({ who, how }) => [
                <dt key={`${who} ${how}`}>Breaks {who}</dt>,
                <dd key={`${how} ${who}`}>{how}</dd>,
              ])}
              {because !== undefined && [<dt key="e">Because</dt>, <dd key="f">{because}</dd>]}
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

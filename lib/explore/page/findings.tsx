import type { FindingView, SystemView } from '../view';
import { count, Problems, Words } from './parts';
import { links } from './state';

export function Findings({ system }: { system: SystemView }) {
  const { findings, acknowledged } = system;
  return (
    <>
      <h1>Findings</h1>
      <p class="lead">
        {findings.length === 0
          ? 'The check found nothing wrong.'
          : `The check reports ${count(findings.length, 'finding')}.`}
      </p>
      <Problems problems={system.problems} />
      <List system={system} findings={findings} />
      {acknowledged.length > 0 && (
        <>
          <h2>Acknowledged</h2>
          <List system={system} findings={acknowledged} />
        </>
      )}
    </>
  );
}

function List({ system, findings }: { system: SystemView; findings: readonly FindingView[] }) {
  return (
    <ul class="findings">
      {findings.map((finding, i) => (
        <Finding key={i} system={system} finding={finding} />
      ))}
    </ul>
  );
}

/** Shows the findings about one part of the design next to that part. Acknowledged findings are collapsed. */
export function FindingsAt({ system, isHere }: { system: SystemView; isHere(finding: FindingView): boolean }) {
  const [open, acknowledged] = [system.findings, system.acknowledged].map((all) => all.filter(isHere));
  return (
    <>
      {open !== undefined && open.length > 0 && <List system={system} findings={open} />}
      {acknowledged !== undefined && acknowledged.length > 0 && (
        <details class="aside">
          <summary>{count(acknowledged.length, 'acknowledged finding')}</summary>
          <List system={system} findings={acknowledged} />
        </details>
      )}
    </>
  );
}

export function Finding({ system, finding }: { system: SystemView; finding: FindingView }) {
  const { severity, rule, path, message, fix, why, reason, table, pattern, entity, index } = finding;
  const at =
    table === undefined
      ? undefined
      : pattern !== undefined
        ? links.pattern(system, table, pattern)
        : entity !== undefined
          ? links.entity(system, table, entity)
          : links.place(system, table, index);
  return (
    <li class={`finding ${reason === undefined ? severity : 'acknowledged'}`}>
      <p class="finding-head">
        <span class={`badge ${reason === undefined ? severity : 'ok'}`}>
          {reason === undefined ? severity : 'acknowledged'}
        </span>
        {at === undefined ? (
          <code>{path}</code>
        ) : (
          <a href={at}>
            <code>{path}</code>
          </a>
        )}
      </p>
      <p class="finding-message">
        <Words text={message} />
      </p>
      <dl class="facts">
        {reason !== undefined && (
          <>
            <dt>Acknowledged because</dt>
            <dd>
              <Words text={reason} />
            </dd>
          </>
        )}
        <dt>Why</dt>
        <dd>
          <Words text={why} />
        </dd>
        <dt>Fix</dt>
        <dd>
          <Words text={fix} />
        </dd>
        <dt>Rule</dt>
        <dd>
          <code>{rule}</code>
        </dd>
      </dl>
    </li>
  );
}

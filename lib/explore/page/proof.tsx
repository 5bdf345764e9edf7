import type { ProofView, SystemView } from '../view';
import { links } from './state';

export function Proof({ system }: { system: SystemView }) {
  const { proofs = [] } = system;
  return (
    <>
      <h1>Proof</h1>
      {proofs.length === 0 && (
        <>
          <p class="lead">No report was given.</p>
          <p>
            Write one with <code>npx tablewright prove --json</code>, and pass it with <code>--proof</code>.
          </p>
        </>
      )}
      {proofs.map((proof, i) => (
        <Report key={i} system={system} proof={proof} />
      ))}
    </>
  );
}

/** Shows the contents of one report. */
function Report({ system, proof }: { system: SystemView; proof: ProofView }) {
  return (
    <section>
      {proof.on !== undefined && <h2>On {proof.on}</h2>}
      <p class="lead">
        {proof.verdict}, on {proof.engine}
      </p>
      {proof.stale !== undefined && <p class="alert">{proof.stale}</p>}
      {proof.missing.length > 0 && (
        <p class="alert">
          Not in the report:{' '}
          <span class="names">
            {proof.missing.map((name) => (
              <Name key={name} system={system} name={name} />
            ))}
          </span>
        </p>
      )}
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
              .sort((a, b) => rank(a) - rank(b))
              .map((entry) => {
                const { name, kind, operation, requests, items, capacity } = entry;
                return (
                  <tr key={`${kind} ${name}`}>
                    <td>
                      <span class={`badge ${BADGES[rank(entry)]}`}>{RESULTS[rank(entry)]}</span>
                    </td>
                    <th scope="row">
                      <Name system={system} name={name} />
                      <Why proof={entry} />
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
    </section>
  );
}

interface Badge {
  readonly view: ProofView;
  readonly proof: OneProof | undefined;
  /** Whether the pattern is missing from the report. */
  readonly isMissing: boolean;
}

/** Shows a report's result for one pattern or procedure as a badge. */
export function ProofBadge({ view: { on, stale }, proof, isMissing }: Badge) {
  const there = on === undefined ? '' : ` on ${on}`;
  if (isMissing) return <span class="badge warning">not in the report{there}</span>;
  if (proof === undefined) return null;
  return (
    <span class={`badge ${BADGES[rank(proof)]}`}>
      {SHORT[rank(proof)]}
      {there}
      {stale !== undefined && ', out of date'}
    </span>
  );
}

/** Explains why a proof failed, or could not run. */
export function Why({ proof }: { proof: OneProof | undefined }) {
  return (
    <>
      {proof?.failure !== undefined && <p class="alert">{proof.failure}</p>}
      {proof?.unproved !== undefined && <p class="soft">{proof.unproved}</p>}
    </>
  );
}

type OneProof = ProofView['proofs'][number];

/** Ranks failures first, unproved entries second, and all others last. */
function rank({ failure, unproved }: OneProof): 0 | 1 | 2 {
  return failure !== undefined ? 0 : unproved !== undefined ? 1 : 2;
}

const BADGES = ['error', 'warning', 'ok'] as const;
const RESULTS = ['failed', 'not proved', 'passed'] as const;
const SHORT = ['proof failed', 'not proved', 'proved'] as const;

/** Shows the name of a proof. If the proof is about a pattern or a procedure, the name is a link. */
function Name({ system, name }: { system: SystemView; name: string }) {
  const table = system.tables.find(({ patterns }) => patterns.some((pattern) => pattern.name === name));
  if (table !== undefined) return <a href={links.pattern(system, table.name, name)}>{name}</a>;
  const isProcedure = system.procedures.some((procedure) => procedure.name === name);
  return isProcedure ? <a href={links.procedure(system, name)}>{name}</a> : <span>{name}</span>;
}

import type { ComponentChildren } from 'preact';
import { callOf } from '../call';
import type { AccessView, ParameterView, PatternView, ProcedureView, SystemView, TableView } from '../view';
import { FindingsAt } from './findings';
import { Form } from './form';
import { Outcome } from './outcome';
import { Code, Entity, Grant, Marks, Words } from './parts';
import { ProofBadge, Why } from './proof';
import { useRun } from './run';
import { links, type Route, type Source, valuesIn } from './state';

interface Shown {
  readonly system: SystemView;
  readonly table: TableView;
  readonly pattern: PatternView;
}

export function PatternHead({ system, table, pattern }: Shown) {
  const { name, op, purpose, writes } = pattern;
  return (
    <>
      <Head system={system} name={name} kinds={['read', 'write']} purpose={purpose}>
        <span class={`badge ${writes ? 'writes' : 'reads'}`}>{op}</span>
      </Head>
      <FindingsAt system={system} isHere={(finding) => finding.table === table.name && finding.pattern === name} />
      <ul class="accesses">
        {pattern.accesses.map((access, i) => (
          <Access key={i} system={system} table={table} access={access} />
        ))}
      </ul>
    </>
  );
}

interface HeadProps {
  readonly system: SystemView;
  readonly name: string;
  /** The kinds of proofs that apply to this pattern or procedure. */
  readonly kinds: readonly string[];
  readonly purpose: string | undefined;
  readonly children: ComponentChildren;
}

/** Shows the name of a pattern or procedure, its purpose, and whether it is proved. */
function Head({ system, name, kinds, purpose, children }: HeadProps) {
  const proofs = (system.proofs ?? []).map((view) => ({
    view,
    proof: view.proofs.find((candidate) => candidate.name === name && kinds.includes(candidate.kind)),
  }));
  return (
    <>
      <h1>
        {name} {children}
        {proofs.map(({ view, proof }, i) => (
          <ProofBadge key={i} view={view} proof={proof} isMissing={view.missing.includes(name)} />
        ))}
      </h1>
      {purpose !== undefined && <p class="lead">{purpose}</p>}
      {proofs.map(({ proof }, i) => (
        <Why key={i} proof={proof} />
      ))}
    </>
  );
}

function Access({ system, table, access }: { system: SystemView; table: TableView; access: AccessView }) {
  const { verb, whose, clauses, part, index, partition, range, entities } = access;
  return (
    <li>
      {part !== undefined && <span class="soft">{part}: </span>}
      {verb} <a href={links.place(system, table.name, index)}>{index ?? `the table ${table.name}`}</a>
      {partition.map(({ attribute, is }, i) => (
        <span key={attribute}>
          {' '}
          {i === 0 ? whose : 'and'} {attribute} is <Marks marks={is} />
        </span>
      ))}
      {range !== undefined && (
        <>
          {' '}
          and {range.attribute} {range.relation} <Marks marks={range.bounds} />
        </>
      )}
      {clauses.map((clause, i) => (
        <span key={i}>
          {i === 0 ? ': ' : '; '}
          <Words text={clause} />
        </span>
      ))}
      <span class="entities">
        {entities.map((name) => (
          <Entity key={name} system={system} table={table} name={name} />
        ))}
      </span>
    </li>
  );
}

interface Asked {
  readonly source: Source;
  readonly query: Route['query'];
}

const NOT_HERE =
  'This site contains only the result for the example values; to try other values, run npx tablewright explore.';

/** Returns the values to run with: the values in the address if they can be used, or else the example values. */
function startOf({ source, query }: Asked, example: object | undefined) {
  const { values, problem } = valuesIn(query.values);
  const isOther =
    source.run === undefined && values !== undefined && JSON.stringify(values) !== JSON.stringify(example);
  return {
    values: (isOther ? undefined : values) ?? example ?? {},
    cursor: query.cursor,
    isRunnable: problem === undefined && source.run !== undefined,
    problem: problem ?? (isOther ? NOT_HERE : undefined),
    asked: query,
  };
}

function Wrong({ problem }: { problem: string | undefined }) {
  return problem === undefined ? null : (
    <p class="alert" role="alert">
      {problem}
    </p>
  );
}

/** Shows a pattern, the form to run it, and the result. */
export function Pattern({ source, query, ...shown }: Shown & Asked) {
  const { system, table, pattern } = shown;
  const { name } = pattern;
  const { problem, ...start } = startOf({ source, query }, pattern.example);
  const runner = useRun(source, { system: system.name, name, kept: pattern.run, ...start });
  return (
    <>
      <PatternHead {...shown} />
      <Wrong problem={problem} />
      <div class="columns">
        <section class="card" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <Form
            key={query.values}
            parameters={pattern.parameters}
            values={start.values}
            faults={runner.outcome?.faults}
            canRun={source.run !== undefined}
            run={(values) => {
              history.replaceState(null, '', links.pattern(system, table.name, name, values));
              runner.run(values);
            }}
            fail={runner.clear}
          />
        </section>
        <section class="card" aria-labelledby="call">
          <h2 id="call">In TypeScript</h2>
          <Code label="TypeScript call" text={callOf(system, table.name, name, runner.values)} />
        </section>
      </div>
      <Outcome
        system={system}
        {...runner}
        {...(source.run !== undefined && {
          pageAt: (cursor) => links.pattern(system, table.name, name, runner.values, cursor),
        })}
      />
      <Granted grant={pattern.grant} />
    </>
  );
}

export function Granted({ grant }: Pick<PatternView, 'grant'>) {
  return (
    <section class="card" aria-labelledby="grant">
      <h2 id="grant">What a caller may do, and no more</h2>
      <Grant grant={grant} />
    </section>
  );
}

export function ProcedureHead({ system, procedure }: { system: SystemView; procedure: ProcedureView }) {
  const { name, purpose, uses } = procedure;
  const tableOf = (pattern: string) =>
    system.tables.find(({ patterns }) => patterns.some((candidate) => candidate.name === pattern));
  return (
    <>
      <Head system={system} name={name} kinds={['procedure']} purpose={purpose}>
        <span class="badge writes">procedure</span>
      </Head>
      <p>
        It uses{' '}
        {uses.map((pattern, i) => (
          <span key={pattern}>
            {i > 0 && ', '}
            <a href={links.pattern(system, tableOf(pattern)?.name ?? '', pattern)}>{pattern}</a>
          </span>
        ))}
        .
      </p>
    </>
  );
}

/** Shows a procedure, with the patterns that it uses. */
export function Procedure({
  source,
  query,
  system,
  procedure,
}: Asked & { readonly system: SystemView; readonly procedure: ProcedureView }) {
  const { name, example } = procedure;
  const { problem, ...start } = startOf({ source, query }, example);
  const isRunnable = start.isRunnable && example !== undefined;
  const runner = useRun(source, { system: system.name, name, kept: procedure.run, ...start, isRunnable });
  return (
    <>
      <ProcedureHead system={system} procedure={procedure} />
      <Wrong problem={problem} />
      {example === undefined ? (
        <p class="soft">It has no case, so there are no values to run it with.</p>
      ) : (
        <section class="card" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <Form
            key={query.values}
            parameters={typed(example)}
            values={start.values}
            canRun={source.run !== undefined}
            run={(values) => {
              history.replaceState(null, '', links.procedure(system, name, values));
              runner.run(values);
            }}
            fail={runner.clear}
          />
        </section>
      )}
      <Outcome system={system} {...runner} />
      <Granted grant={procedure.grant} />
    </>
  );
}

/** Returns the parameters of a procedure, which are known only from the example in its case. */
function typed(example: object): readonly ParameterView[] {
  return Object.entries(example).map(([name, value]) => ({
    name,
    kind: typeof value === 'object' ? 'map' : typeof value,
    optional: false,
  }));
}

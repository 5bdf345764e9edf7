import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { callOf } from '../call';
import { textOf } from '../rows';
import type {
  AccessView,
  ChangedItem,
  ParameterView,
  PatternView,
  PlaceView,
  ProcedureView,
  RunView,
  SystemView,
  TableView,
} from '../view';
import { Code, count, Entity, Finding, Grant, json, Marks } from './parts';
import { Rows } from './rows';
import { links, type Source } from './state';

interface Shown {
  readonly system: SystemView;
  readonly table: TableView;
  readonly pattern: PatternView;
}

export function PatternHead({ system, table, pattern }: Shown) {
  const { name, op, purpose, writes } = pattern;
  const proof = system.proof?.proofs.find((one) => one.name === name && (one.kind === 'read' || one.kind === 'write'));
  const findings = system.findings.filter((one) => one.table === table.name && one.pattern === name);
  return (
    <>
      <h1>
        {name} <span class={`badge ${writes ? 'writes' : 'reads'}`}>{op}</span>
        {proof !== undefined && (
          <span class={`badge ${proof.failure === undefined ? 'ok' : 'error'}`}>
            {proof.failure === undefined ? 'proved' : 'proof failed'}
          </span>
        )}
      </h1>
      {purpose !== undefined && <p class="lead">{purpose}</p>}
      {proof?.failure !== undefined && <p class="alert">{proof.failure}</p>}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding, i) => (
            <Finding key={i} system={system} finding={finding} />
          ))}
        </ul>
      )}
      <ul class="accesses">
        {pattern.accesses.map((access, i) => (
          <Access key={i} system={system} table={table} access={access} />
        ))}
      </ul>
    </>
  );
}

function Access({ system, table, access }: { system: SystemView; table: TableView; access: AccessView }) {
  const { action, part, index, partition, range, entities } = access;
  const place = table.places.find((one) => one.index === index);
  return (
    <li>
      {part !== undefined && <span class="soft">{part}: </span>}
      {action} <a href={links.place(system, table.name, index)}>{index ?? `the table ${table.name}`}</a>
      {partition.length > 0 && (
        <>
          {' '}
          where {place?.partition} is <Marks marks={partition} />
        </>
      )}
      {range.length > 0 && (
        <>
          {' '}
          and {place?.sort} {range[0]?.part === undefined && /^[a-z]/.test(range[0]?.text ?? '') ? '' : 'is '}
          <Marks marks={range} />
        </>
      )}
      <span class="entities">
        {entities.map((name) => (
          <Entity key={name} system={system} table={table} name={name} />
        ))}
      </span>
    </li>
  );
}

/** A pattern with a form, and its result. */
export function Pattern({ source, given, ...shown }: Shown & { source: Source; given: object | undefined }) {
  const { system, table, pattern } = shown;
  const runner = useRun(source, system.name, pattern.name, pattern.run, given ?? pattern.example);
  return (
    <>
      <PatternHead {...shown} />
      <div class="columns">
        <section class="card" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <Form
            parameters={pattern.parameters}
            values={runner.values}
            canRun={source.run !== undefined}
            run={(values) => {
              history.replaceState(null, '', links.pattern(system, table.name, pattern.name, values));
              runner.run(values);
            }}
          />
        </section>
        <section class="card" aria-labelledby="call">
          <h2 id="call">In TypeScript</h2>
          <Code label="TypeScript call" text={callOf(system.cloud, table.name, pattern.name, runner.values)} />
        </section>
      </div>
      <Outcome system={system} {...runner} />
      <Granted grant={pattern.grant} />
    </>
  );
}

export function Granted({ grant }: Pick<PatternView, 'grant'>) {
  return (
    <section class="card" aria-labelledby="grant">
      <h2 id="grant">What whoever runs it may do, and no more</h2>
      <Grant grant={grant} />
    </section>
  );
}

/** A procedure, with the patterns that it uses. */
export function Procedure({
  source,
  system,
  procedure,
}: {
  source: Source;
  system: SystemView;
  procedure: ProcedureView;
}) {
  const { name, purpose, uses, example } = procedure;
  const runner = useRun(source, system.name, name, procedure.run, example ?? {}, example !== undefined);
  const tableOf = (pattern: string) =>
    system.tables.find(({ patterns }) => patterns.some((one) => one.name === pattern));
  return (
    <>
      <h1>
        {name} <span class="badge writes">procedure</span>
      </h1>
      {purpose !== undefined && <p class="lead">{purpose}</p>}
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
      {example === undefined ? (
        <p class="soft">It has no case, and so no values to run it with.</p>
      ) : (
        <section class="card" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <Form parameters={typed(example)} values={runner.values} canRun={source.run !== undefined} run={runner.run} />
        </section>
      )}
      <Outcome system={system} {...runner} />
      <Granted grant={procedure.grant} />
    </>
  );
}

/** What a procedure takes is told by its case alone. */
function typed(example: object): readonly ParameterView[] {
  return Object.entries(example).map(([name, value]) => ({
    name,
    kind: typeof value === 'object' ? 'map' : typeof value,
    optional: false,
  }));
}

interface Runner {
  readonly values: Readonly<Record<string, unknown>>;
  readonly outcome: RunView | undefined;
  readonly problem: string;
  readonly isRunning: boolean;
  run(values: object, cursor?: string): void;
}

/** Runs the example at once, where something can be run: what a pattern does is seen before it is read. */
function useRun(
  source: Source,
  system: string,
  name: string,
  kept: RunView | undefined,
  example: object,
  canRun = true,
): Runner {
  const [values, setValues] = useState(example as Readonly<Record<string, unknown>>);
  const [outcome, setOutcome] = useState(kept);
  const [problem, setProblem] = useState('');
  const [isRunning, setRunning] = useState(false);
  const asked = useRef(0);
  const run = (wanted: object, cursor?: string) => {
    setValues(wanted as Readonly<Record<string, unknown>>);
    if (source.run === undefined) return;
    const number = ++asked.current;
    setRunning(true);
    source.run(system, name, wanted, cursor).then(
      (done) => {
        if (number !== asked.current) return;
        setRunning(false);
        setProblem('');
        setOutcome(done);
      },
      (error: Error) => {
        if (number !== asked.current) return;
        setRunning(false);
        setProblem(error.message);
      },
    );
  };
  // It is another page.
  useEffect(() => {
    setOutcome(kept);
    if (canRun) run(example);
  }, [system, name]);
  return { values, outcome, problem, isRunning, run };
}

interface FormProps {
  readonly parameters: readonly ParameterView[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly canRun: boolean;
  run(values: object): void;
}

function Form({ parameters, values, canRun, run }: FormProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => textsOf(values));
  const [problem, setProblem] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      setProblem('');
      run(valuesOf(parameters, texts));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit}>
      {parameters.length === 0 && <p class="soft">It takes none.</p>}
      {parameters.map((parameter) => (
        <Field
          key={parameter.name}
          parameter={parameter}
          text={texts[parameter.name] ?? ''}
          isFixed={!canRun}
          set={(text) => setTexts({ ...texts, [parameter.name]: text })}
        />
      ))}
      {problem !== '' && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {canRun ? (
        <button type="submit" class="button primary">
          Run
        </button>
      ) : (
        <p class="soft">
          These are the values of its case. Run <code>npx tablewright explore</code> to try others.
        </p>
      )}
    </form>
  );
}

interface FieldProps {
  readonly parameter: ParameterView;
  readonly text: string;
  readonly isFixed: boolean;
  set(text: string): void;
}

function Field({ parameter, text, isFixed, set }: FieldProps) {
  const { name, kind, optional, values, format } = parameter;
  const id = useId();
  const hint = [format ?? (kind === 'other' ? 'JSON' : kind), ...(optional ? ['optional'] : [])].join(', ');
  const change = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="soft small">{hint}</span>
      </label>
      {values !== undefined && values.length <= 40 ? (
        <select id={id} value={text} disabled={isFixed} onChange={change}>
          {(optional || !values.map(String).includes(text)) && <option value={text}>{text}</option>}
          {values.map((value) => (
            <option key={value} value={String(value)}>
              {value}
            </option>
          ))}
        </select>
      ) : isPlain(kind) ? (
        <input
          id={id}
          value={text}
          readOnly={isFixed}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          autocomplete="off"
          onInput={change}
        />
      ) : (
        <textarea
          id={id}
          value={text}
          readOnly={isFixed}
          rows={Math.min(8, text.split('\n').length + 1)}
          spellcheck={false}
          onInput={change}
        />
      )}
    </div>
  );
}

function isPlain(kind: string): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'binary';
}

function textsOf(values: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? json(value) : textOf(value)]),
  );
}

/** What was typed, by the kinds of the parameters; what is empty is not given. */
function valuesOf(parameters: readonly ParameterView[], texts: Readonly<Record<string, string>>): object {
  const given = parameters.flatMap(({ name, kind, values }) => {
    const text = texts[name] ?? '';
    if (text === '') return [];
    if (values?.some((value) => typeof value === 'number' && String(value) === text)) return [[name, Number(text)]];
    if (kind === 'number' && Number.isFinite(Number(text))) return [[name, Number(text)]];
    if (kind === 'boolean' && (text === 'true' || text === 'false')) return [[name, text === 'true']];
    if (isPlain(kind)) return [[name, text]];
    try {
      return [[name, JSON.parse(text)]];
    } catch {
      throw new Error(`${name} must be JSON, such as { "name": "value" } or ["value"]`);
    }
  });
  return Object.fromEntries(given);
}

export function Outcome({ system, outcome, problem, isRunning, values, run }: Runner & { system: SystemView }) {
  const units = outcome?.units;
  return (
    <section aria-labelledby="outcome" aria-busy={isRunning}>
      <h2 id="outcome">What comes of it</h2>
      {problem !== '' && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {outcome === undefined && problem === '' && (
        <p class="soft" role="status">
          {isRunning ? 'Running…' : 'It has no case, and was not run.'}
        </p>
      )}
      {outcome !== undefined && (
        <>
          <p class="stats" role="status">
            {outcome.error === undefined ? summary(outcome) : 'It was refused.'}{' '}
            {count(outcome.requests.length, 'request')}
            {units === undefined ? '' : `, ${count(units, 'capacity unit')}`}
            {outcome.cursor !== undefined && ', and there is another page'}.
          </p>
          {outcome.error !== undefined && (
            <p class="alert" role="alert">
              <strong>{outcome.error.name}</strong>: {outcome.error.message}
            </p>
          )}
          {outcome.changes.map((change, i) => (
            <Change key={i} system={system} change={change} />
          ))}
          <Read system={system} read={outcome.read} />
          {outcome.cursor !== undefined && outcome.error === undefined && (
            <button type="button" class="button" onClick={() => run(values, outcome.cursor)}>
              Next page
            </button>
          )}
          <div class="columns">
            <section class="card">
              <h3>{outcome.requests.length === 1 ? 'The request' : 'The requests'}</h3>
              {outcome.requests.length === 0 && <p class="soft">Nothing was sent.</p>}
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
            <section class="card">
              <h3>The answer</h3>
              <Code
                label="Answer"
                text={
                  outcome.error === undefined ? json(outcome.answer) : `${outcome.error.name}: ${outcome.error.message}`
                }
              />
            </section>
          </div>
        </>
      )}
    </section>
  );
}

function summary({ answer, changes, read }: RunView): string {
  if (changes.length > 0) return `It changes ${count(changes.length, 'item')}; everything was put back.`;
  const items = (answer as { items?: readonly unknown[] } | undefined)?.items;
  if (items !== undefined) return `It returns ${count(items.length, 'item')}.`;
  if (read.length === 0) return 'It changes nothing.';
  return answer === undefined ? 'It finds nothing.' : 'It returns an item.';
}

function Read({ system, read }: { system: SystemView; read: RunView['read'] }) {
  return (
    <>
      {read.map(({ table: name, index, partitions, lit }, i) => {
        const table = system.tables.find((one) => one.name === name);
        const place = table?.places.find((one) => one.index === index);
        if (table === undefined || place === undefined || partitions.length === 0) return null;
        return (
          <div key={i}>
            <h3>
              What it reads of{' '}
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
  const table = system.tables.find((one) => one.name === name) as TableView;
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
                <th scope="row">{index === undefined ? 'entry of the table' : `entry of ${index}`}</th>
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

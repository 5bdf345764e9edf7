import { useId, useState } from 'preact/hooks';
import { textOf } from '../rows';
import type { ParameterView } from '../view';
import { json } from './parts';

interface FormProps {
  readonly parameters: readonly ParameterView[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly canRun: boolean;
  run(values: object): void;
}

/** What a pattern or procedure is given, typed as it takes it. */
export function Form({ parameters, values, canRun, run }: FormProps) {
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
          These are example values. Run <code>npx tablewright explore</code> to try others.
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

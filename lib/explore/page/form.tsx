import { useId, useState } from 'preact/hooks';
import { textOf } from '../rows';
import type { FaultView, ParameterView } from '../view';
import { json } from './parts';

interface FormProps {
  readonly parameters: readonly ParameterView[];
  readonly values: object;
  /** The faults in the values of the last run. @default - none */
  readonly faults?: readonly FaultView[] | undefined;
  readonly canRun: boolean;
  run(values: object): void;
  /** Called if a typed value cannot be parsed. */
  fail(): void;
}

/** Renders a form for the values of a pattern or procedure. */
export function Form({ parameters, values, faults = [], canRun, run, fail }: FormProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => textsOf(values));
  const [unread, setUnread] = useState<readonly FaultView[]>([]);
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = parameters.map((parameter) => [parameter.name, typedIn(parameter, texts[parameter.name])] as const);
    const wrong = typed.flatMap(([name, { problem }]) => (problem === undefined ? [] : [{ name, message: problem }]));
    setUnread(wrong);
    if (wrong.length > 0) fail();
    else run(Object.fromEntries(typed.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]))));
  };
  const faultOf = (name: string) => [...unread, ...faults].find((fault) => fault.name === name)?.message;
  return (
    <form onSubmit={submit}>
      {parameters.length === 0 && <p class="soft">It has no parameters.</p>}
      {parameters.map((parameter) => (
        <Field
          key={parameter.name}
          parameter={parameter}
          text={texts[parameter.name] ?? ''}
          isFixed={!canRun}
          fault={faultOf(parameter.name)}
          set={(text) => setTexts({ ...texts, [parameter.name]: text })}
        />
      ))}
      {unread.length > 0 && (
        <p class="alert" role="alert">
          {unread.map(({ name, message }) => `${name} ${message}`).join('; ')}
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
  /** What is wrong with the field's value. */
  readonly fault: string | undefined;
  set(text: string): void;
}

function Field({ parameter, text, isFixed, fault, set }: FieldProps) {
  const { name, kind, optional, values, format } = parameter;
  const id = useId();
  const hint = [format ?? (kind === 'other' ? 'JSON' : kind), ...(optional ? ['optional'] : [])].join(', ');
  const change = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  const judged = fault === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': `${id}-fault` } as const);
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="soft small">{hint}</span>
      </label>
      {values !== undefined && values.length <= 40 ? (
        <select id={id} value={text} disabled={isFixed} onChange={change} {...judged}>
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
          {...judged}
        />
      ) : (
        <textarea
          id={id}
          value={text}
          readOnly={isFixed}
          rows={Math.min(8, text.split('\n').length + 1)}
          spellcheck={false}
          onInput={change}
          {...judged}
        />
      )}
      {fault !== undefined && (
        <p class="fault small" id={`${id}-fault`}>
          {name} {fault}
        </p>
      )}
    </div>
  );
}

function isPlain(kind: string): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'binary';
}

/** What a user types for an empty string. An empty field means that there is no value. */
const EMPTY = '""';

function textsOf(values: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' ? EMPTY : typeof value === 'object' ? json(value) : textOf(value),
    ]),
  );
}

/** Converts the typed text to a value of the parameter's kind. An empty field means that there is no value. */
function typedIn({ kind, values }: ParameterView, text = ''): { readonly value?: unknown; readonly problem?: string } {
  if (text === '') return {};
  if (values?.some((value) => typeof value === 'number' && String(value) === text)) return { value: Number(text) };
  if (kind === 'number' && Number.isFinite(Number(text))) return { value: Number(text) };
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return { value: text === 'true' };
  if (isPlain(kind)) return { value: text === EMPTY ? '' : text };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'must be JSON, such as { "name": "value" } or ["value"]' };
  }
}

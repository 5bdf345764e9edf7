import { KeyError } from '../design/template';
import type { FaultView, ParameterView } from './view';

/** Finds the values that may have caused a refusal. Describes what each of them must be. */
export function faultsOf(
  parameters: readonly ParameterView[],
  values: Readonly<Record<string, unknown>>,
  error: unknown,
): readonly FaultView[] {
  return parameters.flatMap((parameter) => {
    const { name } = parameter;
    const message =
      faultOf(parameter, values[name]) ?? (isAbout(error, name) ? 'cannot be part of this key' : undefined);
    return message === undefined ? [] : [{ name, message }];
  });
}

/** Tells the user how to type an empty string in the form. */
const EMPTY = '; "" is an empty string';

function isAbout(error: unknown, name: string): boolean {
  return error instanceof KeyError && error.attribute === name;
}

function faultOf(
  { kind, optional, values, integer, minimum, maximum }: ParameterView,
  value: unknown,
): string | undefined {
  if (value === undefined) return optional ? undefined : `needs a value${kind === 'string' ? EMPTY : ''}`;
  if (values !== undefined) return values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`;
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (kind === 'number') {
    if (typeof value !== 'number') return 'must be a number';
    return integer && !Number.isInteger(value) ? 'must be a whole number' : boundFault(value, '', minimum, maximum);
  }
  if (kind !== 'string') return undefined;
  return typeof value === 'string' ? boundFault(value.length, 'characters', minimum, maximum) : 'must be a string';
}

function boundFault(size: number, unit: string, minimum = size, maximum = size): string | undefined {
  const [be, what] = unit === '' ? ['be', ''] : ['have', ` ${unit}`];
  if (size < minimum) return `must ${be} at least ${minimum}${what}`;
  return size > maximum ? `must ${be} at most ${maximum}${what}` : undefined;
}

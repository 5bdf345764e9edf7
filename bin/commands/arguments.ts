import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestion } from '../../lib/design/names';
import { UsageError } from './command';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The parsed arguments: options by name, and the positional arguments in order. */
export type Arguments<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>;

/** Reads a verb's arguments; throws a UsageError for an unknown option. */
export function readArguments<const O extends Options>(args: readonly string[], options: O): Arguments<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(problemOf(args, options) ?? (error as Error).message);
  }
}

/** Describes what is wrong with the first invalid option. */
function problemOf(args: readonly string[], options: Options): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const known = [...Object.keys(options), 'json'].map((known) => `--${known}`);
      return `'${rawName}' is not an option of this command; ${suggestion(rawName, known)}`;
    }
    // If the value looks like an option, the user probably forgot the value. A value after '=' may look like an option.
    const isMissing = value === undefined || (token.inlineValue === false && value.startsWith('-'));
    if (option.type === 'string' && isMissing) return `${rawName} needs a value; write ${rawName} <value>`;
    if (option.type === 'boolean' && value !== undefined) return `${rawName} takes no value, got: '${value}'`;
  }
  return undefined;
}

/** Converts an option's value; turns a conversion error into a UsageError that names the option. */
export function readOption<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`);
  }
}

/** Returns the chosen value, which must be one of the option's choices. The first choice is the default. */
export function readChoice<C extends string>(
  option: string,
  given: string | undefined,
  known: readonly [C, ...C[]],
): C {
  const choice = known.find((name) => name === (given ?? known[0]));
  if (choice === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}, got: '${given}'`);
  return choice;
}
